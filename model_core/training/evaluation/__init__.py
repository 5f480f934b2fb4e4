"""What a checkpoint reaches: scores, word alignment, the card that states them."""
