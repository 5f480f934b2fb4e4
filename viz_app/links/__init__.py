"""Links: an address that holds a recipe and the view of it."""
