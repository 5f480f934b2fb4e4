"""Which models a page offers, and what it says of each."""
