"""A real server with the app on a free port, for tests that speak to it from outside."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from viz_app.limits import LOCAL, Limits
from viz_app.service import Service
from viz_app.serving import Address
from viz_app.serving import serve as begin


@contextmanager
def serve(
    checkpoints: Path, limits: Limits = LOCAL, address: Address | None = None
) -> Iterator[tuple[str, Service]]:
    """The address of a running app and the service behind it."""
    service = Service(checkpoints, limits)
    app = begin(service, address or Address())
    try:
        yield app.local_url.rstrip("/"), service
    finally:
        app.close(verbose=False)
