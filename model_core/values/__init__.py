"""Plain values without torch: configurations, recipes, and a decoding as labelled arrays."""
