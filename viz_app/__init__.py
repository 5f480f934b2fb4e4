"""The app: values of `model_core` become pictures in a browser. Nothing here imports torch.

The public names, such as `show`, are loaded when they are first asked for.
"""

import importlib
import sys
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(f"This program needs Python 3.11 or later; this is {sys.version.split()[0]}.")

if TYPE_CHECKING:
    from viz_app.files.notebook import show
    from viz_app.links.link import read_link, write_link
    from viz_app.server.serving import blocks, mount

__all__ = ["blocks", "mount", "read_link", "show", "write_link"]
_MODULES = {
    "blocks": "server.serving",
    "mount": "server.serving",
    "read_link": "links.link",
    "show": "files.notebook",
    "write_link": "links.link",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
