"""What stands between this app and the gradio that is installed."""
