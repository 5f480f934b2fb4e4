"""What the program does besides serving: export writes files, space a Hugging Face Space."""
