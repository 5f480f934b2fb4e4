"""The commands that train and measure models, a file for each group."""
