"""The app: values of `model_core` become pictures in a browser. Nothing here imports torch."""
