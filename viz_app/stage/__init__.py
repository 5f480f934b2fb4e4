"""The stage: the live view, drawn on canvas by our own JavaScript."""
