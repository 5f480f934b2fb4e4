"""Every model behind one protocol: ours, and those of others."""
