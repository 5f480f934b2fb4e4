"""The page as gradio draws it, packed, and kept for all who come by the same name."""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from viz_app.server.doors import header, takes_gzip

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App = Callable[[Scope, Receive, Send], Awaitable[None]]

_MOST = 16  # by other names; a page has 160 kB
# The names by which gradio tells the page where it is. The path and what follows it come on top.
_NAMES = ("host", "x-forwarded-host", "x-forwarded-proto")


@dataclass(frozen=True, eq=False)
class _Page:
    status: int
    headers: list[tuple[bytes, bytes]]
    plain: bytes
    packed: bytes


class Pages:
    """An ASGI application that asks `app` once for each page.

    With `accounts` it depends on who asks, so only the page of those who have not entered, which
    asks for a password, is kept. It is used in one event loop.
    """

    def __init__(self, app: _App, accounts: bool):
        self._app, self._accounts = app, accounts
        self._kept: OrderedDict[Any, _Page] = OrderedDict()  # least recently used first
        self._drawing = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = self._name(scope)
        keeps = not self._accounts or header(scope, "cookie") is None
        async with self._drawing:
            page = (self._kept.get(name) if keeps else None) or await self._drawn(scope, receive)
            if keeps and page.status == 200:
                self._kept[name] = page
                self._kept.move_to_end(name)
                while len(self._kept) > _MOST:
                    self._kept.popitem(last=False)
        packs = takes_gzip(scope)
        body = page.packed if packs else page.plain
        headers = [*page.headers, (b"content-length", str(len(body)).encode())]
        headers += [(b"content-encoding", b"gzip")] if packs else []
        await send({"type": "http.response.start", "status": page.status, "headers": headers})
        is_asked = scope["method"] != "HEAD"
        await send({"type": "http.response.body", "body": body if is_asked else b""})

    def _name(self, scope: Scope) -> Any:
        """All that the page depends on."""
        place = scope["path"], scope["query_string"], scope["scheme"], scope.get("root_path")
        return *place, *(header(scope, name) for name in _NAMES)

    async def _drawn(self, scope: Scope, receive: Receive) -> _Page:
        parts: list[MutableMapping[str, Any]] = []

        async def keep(message: MutableMapping[str, Any]) -> None:
            parts.append(message)

        headers = [one for one in scope["headers"] if one[0] != b"accept-encoding"]
        await self._app({**scope, "method": "GET", "headers": headers}, receive, keep)
        body = b"".join(part.get("body", b"") for part in parts)
        said = [one for one in parts[0]["headers"] if one[0].lower() != b"content-length"]
        said += [(b"cache-control", b"no-cache"), (b"vary", b"accept-encoding")]
        return _Page(parts[0]["status"], said, body, gzip.compress(body))
