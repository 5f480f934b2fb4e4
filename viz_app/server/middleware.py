"""What surrounds every request: trusted proxies, the root path, what is counted, headers, bodies.

Each is a middleware of Starlette. None of them looks into what a request asks.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from model_core.decoding.queue import out_of_time
from model_core.errors import VisualiserError
from viz_app.limits import Limits
from viz_app.server.logs import log_line

# What a request says of the address by which the visitor reached it.
_SAID_BY_PROXIES = {b"x-forwarded-host", b"x-forwarded-proto"}
# Of other alphabets names travel as xn--.
_HOST = re.compile(rb"([\w.-]+|\[[0-9a-f.:]+\])(:\d+)?", re.IGNORECASE)

_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # the address holds the recipe
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def client_of(request: Request) -> str:
    """The address of the client, as a trusted proxy names it; "" where it is not known."""
    return request.client.host if request.client else ""


class TrustedProxies(ProxyHeadersMiddleware):
    """Believes what a request says of its client, its host and https only from trusted proxies.

    uvicorn's own does so for the client and https. gradio takes the host and https from everybody.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        client = scope.get("client")
        if scope["type"] == "http" and (client[0] if client else None) not in self.trusted_hosts:
            scope = _emptied(scope, lambda name, _: name in _SAID_BY_PROXIES)
        await super().__call__(scope, receive, send)


class OwnPaths:
    """Hands requests on by the paths of our routes, without false names of this server.

    `root` is taken off the front where a proxy leaves it on, and a slash off the end. gradio would
    write X-Gradio-Server into its page, and a forwarded host that is none.
    """

    def __init__(self, app: ASGIApp, root: str):
        self._app, self._root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path, above = scope["path"], scope.get("root_path", "")
            if self._root and f"{path}/".startswith(f"{self._root}/"):
                path = path[len(self._root) :] or "/"
            if len(path) > len(above) + 1:
                path = path.rstrip("/") or "/"
            scope = {**_emptied(scope, _is_false), "path": path, "raw_path": path.encode()}
        await self._app(scope, receive, send)


def _is_false(name: bytes, value: bytes) -> bool:
    if name == b"x-gradio-server":
        return True
    return name == b"x-forwarded-host" and not _is_host(value.split(b",")[0].strip())


def _is_host(name: bytes) -> bool:
    """Whether it is the name of a host, with or without a port, as an address of a page has it."""
    from httpx import URL, InvalidURL

    with suppress(InvalidURL):
        return _HOST.fullmatch(name) is not None and bool(URL(f"http://{name.decode()}").host)
    return False


def _emptied(scope: Scope, is_emptied: Callable[[bytes, bytes], bool]) -> Scope:
    """The request with these headers empty; that it had them can still be seen."""
    headers = [
        (name, b"" if is_emptied(name, value) else value) for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}


class OpenRequests:
    """Counts the open requests by the address of the client, and logs those that are refused.

    The name in the log is `kind` of the request's state; "closed" where no route was found.
    """

    def __init__(self, app: ASGIApp, counts: Counter[str]):
        self._app, self._counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, began, status = Request(scope), time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        client = client_of(request)
        self._counts[client] += 1
        try:
            await self._app(scope, receive, sending)
        finally:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]
            if status >= 400:
                kind = getattr(request.state, "kind", "closed")
                log_line(kind, 1000 * (time.perf_counter() - began), status)


class SafeHeaders:
    """Adds to every answer what browsers may do with it; `policy` where it has none of its own."""

    def __init__(self, app: ASGIApp, policy: str):
        self._app, self._policy = app, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("content-security-policy", self._policy)
                if "etag" not in headers:
                    headers.setdefault("cache-control", "no-cache")
            await send(message)

        await self._app(scope, receive, sending)


class Refused(HTTPException):
    """Why a body is not read on. FastAPI, and so gradio, lets this kind of error through."""

    def __init__(self, error: VisualiserError):
        super().__init__(400, str(error))
        self.error = error


class BoundedBodies:
    """Refuses bodies that are too large, or take too long to arrive."""

    def __init__(self, app: ASGIApp, limits: Limits):
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = Request(scope).headers.get("content-length", "")
        size, is_whole, ends = 0, False, None

        async def bounded() -> Message:
            nonlocal size, is_whole, ends
            if is_whole:
                return await receive()
            now = asyncio.get_running_loop().time()
            ends = ends or now + self._limits.seconds
            try:
                self._limits.check_request(int(said) if said.isdecimal() else 0)
                async with asyncio.timeout_at(ends):
                    message = await receive()
                size += len(message.get("body", b""))
                self._limits.check_request(size)
            except TimeoutError:
                raise Refused(out_of_time(self._limits.seconds)) from None
            except VisualiserError as error:
                raise Refused(error) from None
            is_whole = not message.get("more_body", False)
            return message

        await self._app(scope, bounded, send)


def path_of(address: str) -> str:
    """The path of a root path, which may be a whole address."""
    return urlsplit(address).path.rstrip("/")
