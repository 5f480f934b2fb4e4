"""What the server answers past gradio: the stage, programs, and monitoring."""
