"""The app: values of `model_core` become pictures in a browser. Nothing here imports torch.

`from viz_app import show` gives the stage in a notebook; it is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viz_app.notebook import show

__all__ = ["show"]


def __getattr__(name: str) -> Any:
    if name == "show":
        from viz_app.notebook import show

        return show
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
