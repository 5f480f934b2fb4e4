"""What the pages and pictures are made of: views, tables, colours."""
