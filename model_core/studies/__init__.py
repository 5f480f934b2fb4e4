"""What the rooms of the page ask of a model, each answered from the model's own pass."""
