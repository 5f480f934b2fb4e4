"""Every head of a model, measured over a corpus."""
