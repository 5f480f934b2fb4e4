"""A real server with the app on a free port, for tests that speak to it from outside."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

from viz_app.app import build_app, launch_settings
from viz_app.service import Service


@contextmanager
def serve(checkpoints: Path) -> Iterator[tuple[str, Service]]:
    """The address of a running app and the service behind it."""
    service = Service(checkpoints)
    app = build_app(service)
    _, address, _ = app.launch(prevent_thread_lock=True, quiet=True, **launch_settings())
    try:
        yield address.rstrip("/"), service
    finally:
        app.close(verbose=False)
