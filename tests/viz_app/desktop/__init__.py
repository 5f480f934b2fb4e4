"""A window of its own: python -m viz_app --desktop."""
