"""The server: the page, the answers behind it, and what keeps it up among strangers."""
