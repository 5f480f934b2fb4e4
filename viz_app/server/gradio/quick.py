"""gradio, imported in half of its time, and an app of it built in a third.

As it is imported, gradio parses its own sources and writes type stubs for editors beside them. It
writes none for a component whose file cannot be found.
"""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def no_stubs() -> Iterator[None]:
    """Within it, the files of gradio's own classes are not found."""
    real = inspect.getfile

    def getfile(thing: Any) -> str:
        if getattr(thing, "__module__", "").startswith("gradio."):
            raise OSError("No stubs are wanted.")
        return real(thing)

    inspect.getfile = getfile  # type: ignore[assignment]
    try:
        yield
    finally:
        inspect.getfile = real


with no_stubs():
    import gradio as gr


@contextmanager
def unserved() -> Iterator[None]:
    """Within it, no server is made of an app: gradio makes two while it is built, for nobody."""
    from gradio.routes import App

    real = vars(App)["create_app"]
    App.create_app = staticmethod(lambda *_, **__: None)  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        App.create_app = real  # type: ignore[method-assign]


__all__ = ["gr", "no_stubs", "unserved"]
