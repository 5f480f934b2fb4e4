"""How a checkpoint is made, resumably."""
