"""From a file of sentence pairs to cleaned, split and batched training data."""
