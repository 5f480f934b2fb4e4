"""What looks on while a model is trained, and changes nothing of it."""
