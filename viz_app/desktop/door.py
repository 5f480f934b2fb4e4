"""The door of a server that answers one window only, though every program can reach its port.

The window comes in by an address that works once. It gets a cookie there, and nothing is answered
without it. Both are random, and neither is ever printed or logged.
"""

import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from viz_app.server.doors import header

_COOKIE = "attention-visualiser-window"
# gradio asks this of itself once, before anybody else can know of the server.
_START = "/gradio_api/startup-events"


class Lock:
    """What opens a door: the path that works once, and the cookie."""

    def __init__(self) -> None:
        self._once: str | None = secrets.token_urlsafe(32)
        self._cookie = secrets.token_urlsafe(32)
        self._starting = True

    @property
    def path(self) -> str:
        """The path by which the window comes in; it works once."""
        return f"/enter/{self._once}"

    @property
    def middleware(self) -> Middleware:
        """The door, for an application to stand behind."""
        return Middleware(Door, lock=self)

    def started(self) -> None:
        """From now on even the server itself has to come in by the door."""
        self._starting = False

    def enters(self, path: str) -> str | None:
        """The cookie for whoever comes by the path that works once; None: it was another."""
        if self._once is None or not secrets.compare_digest(path.encode(), self.path.encode()):
            return None
        self._once = None
        return self._cookie

    def opens(self, scope: Scope) -> bool:
        """Whether a request is the window's."""
        if self._starting and scope["path"] == _START:
            return True
        try:
            shown = SimpleCookie(header(scope, "cookie") or "").get(_COOKIE)
        except CookieError:
            return False
        given = "" if shown is None else shown.value
        return secrets.compare_digest(given.encode(), self._cookie.encode())


class Door:
    """An ASGI application before all others."""

    def __init__(self, app: ASGIApp, lock: Lock):
        self._app, self._lock = app, lock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        elif self._lock.opens(scope):
            await self._app(scope, receive, send)
        elif scope["method"] == "GET" and (cookie := self._lock.enters(scope["path"])):
            answer = RedirectResponse("/", 303, {"Cache-Control": "no-store"})
            answer.set_cookie(_COOKIE, cookie, httponly=True, samesite="strict")
            await answer(scope, receive, send)
        else:
            closed = "This server answers the window that it was started with, and nobody else."
            await PlainTextResponse(closed, 403)(scope, receive, send)
