"""The stage: the live view, drawn on canvas by our own JavaScript, and its gradio component."""
