"""gradio, imported in half of its time.

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


__all__ = ["gr", "no_stubs"]
