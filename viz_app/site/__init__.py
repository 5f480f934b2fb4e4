"""A site that needs no server: a page for every sentence, and an index of them."""
