"""A site that needs no server."""
