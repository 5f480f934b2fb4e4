"""What gradio must be told before it is imported."""

import os


def keep_gradio_quiet() -> None:
    """Ask no other machine for anything, and do not sum up all calls after each, for nobody."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_ANALYTICS_CACHE_FREQUENCY"] = str(10**9)
