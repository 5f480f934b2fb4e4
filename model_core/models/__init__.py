"""Every model behind one protocol: our own and imported ones."""
