"""gradio inside our application, and what is changed of the one that is installed."""
