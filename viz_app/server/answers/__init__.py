"""What the server answers: the stage, programs, and monitoring."""
