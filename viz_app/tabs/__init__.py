"""One file a tab; tabs do not import one another."""
