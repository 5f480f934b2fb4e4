"""What gradio must be told before it is imported."""

import os

# Variables of gradio with which it would answer past the gate, or never return from its start.
_UNHEARD = (
    "GRADIO_DEBUG",
    "GRADIO_HOT_RELOAD",
    "GRADIO_MCP_SERVER",
    "GRADIO_NUM_WORKERS",
    "GRADIO_SSR_MODE",
    "GRADIO_VIBE_MODE",
    "GRADIO_WATCH_DIRS",
)


def keep_gradio_quiet() -> None:
    """Ask no other machine for anything, and do not sum up all calls after each, for nobody."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_ANALYTICS_CACHE_FREQUENCY"] = str(10**9)
    for name in _UNHEARD:
        os.environ.pop(name, None)
