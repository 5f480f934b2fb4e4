"""The commands of `python -m model_core`, a file for each group."""
