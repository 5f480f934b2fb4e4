"""A real server with the app on a free port, for tests that speak to it from outside."""

import dataclasses
import gzip
import http.client
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from starlette.routing import Mount

from model_core.models.protocol import Model
from tests.process import free_port
from viz_app.limits import LOCAL, Limits
from viz_app.server.local import Local
from viz_app.server.service import Service
from viz_app.server.serving import Address
from viz_app.server.serving import serve as begin


@contextmanager
def serve(
    checkpoints: Path,
    limits: Limits = LOCAL,
    address: Address | None = None,
    opens_paths: bool = False,
    models: Sequence[Model] = (),
    local: Local | None = None,
) -> Iterator[tuple[str, Service]]:
    """The address of a running app and the service behind it.

    `models` are offered beside the checkpoints. Without a port of its own it gets a free one:
    those from 7860 up are the user's.
    """
    service = Service(checkpoints, limits, opens_paths)
    for model in models:
        service.add(model)
    address = address or Address()
    if address == dataclasses.replace(address, port=None, first_port=Address.first_port):
        address = dataclasses.replace(address, port=free_port())
    app = begin(service, address, local=local)
    try:
        yield app.local_url.rstrip("/"), service
    finally:
        app.close()


def routes_of(app):
    """Every method, path and kind that a running app answers, a word in each part that varies."""
    return sorted(
        (method, re.sub(r"\{[^}]*\}", "word", route.path), route.name)
        for route in app.config.app.routes
        for method in route.methods - {"HEAD"}
    )


def kind_at(app, method, path):
    """What an application calls the route that answers there; None where none does."""
    matching = (one for one in app.routes if method in one.methods)
    return next((one.name for one in matching if one.path_regex.fullmatch(path)), None)


def addresses_of(app):
    """Every method and path that gradio has opened inside a running app, likewise."""
    (inside,) = [one.app for one in app.config.app.gradio.app.routes if isinstance(one, Mount)]
    return sorted(
        (method.upper(), re.sub(r"\{[^}]*\}", "word", path))
        for path, methods in inside.openapi()["paths"].items()
        for method in methods
    )


def ask(address, path, method="GET", body=None, headers=None, wait=True):
    """Status, headers, and text where it is waited for, of what an address answers."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    try:
        connection.request(method, place.path + path, body, headers or {})
        response = connection.getresponse()
        found = [(name.lower(), value) for name, value in response.getheaders()]
        body = response.read() if wait else b""
        packed = ("content-encoding", "gzip") in found
        return (
            response.status,
            found,
            (gzip.decompress(body) if packed else body).decode(errors="replace"),
        )
    finally:
        connection.close()
