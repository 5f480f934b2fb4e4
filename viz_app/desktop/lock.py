"""The lock of a server that answers one window only, though every program can reach its port.

The window comes in by an address that works once. It gets a cookie there, and nothing is answered
without it. Both are random, and neither is ever printed or logged.
"""

import secrets

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

_COOKIE = "attention-visualiser-window"


class Lock:
    """What opens it: the path that works once, and the cookie."""

    def __init__(self) -> None:
        self._once: str | None = secrets.token_urlsafe(32)
        self._cookie = secrets.token_urlsafe(32)

    @property
    def path(self) -> str:
        """The path by which the window comes in; it works once."""
        return f"/enter/{self._once}"

    @property
    def middleware(self) -> Middleware:
        """The lock, for an application to stand behind."""
        return Middleware(LockMiddleware, lock=self)

    def enters(self, path: str) -> str | None:
        """The cookie for a request by the path that works once; None for any other path."""
        if self._once is None or not secrets.compare_digest(path.encode(), self.path.encode()):
            return None
        self._once = None
        return self._cookie

    def opens(self, request: Request) -> bool:
        """Whether a request is the window's."""
        given = request.cookies.get(_COOKIE, "")
        return secrets.compare_digest(given.encode(), self._cookie.encode())


class LockMiddleware:
    """A middleware in front of all others."""

    def __init__(self, app: ASGIApp, lock: Lock):
        self._app, self._lock = app, lock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._lock.opens(Request(scope)):
            await self._answer(Request(scope))(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        cookie = self._lock.enters(request.url.path) if request.method == "GET" else None
        if cookie is None:
            closed = "This server answers only the window that it was started with."
            return PlainTextResponse(closed, 403)
        answer = RedirectResponse("/", 303, {"Cache-Control": "no-store"})
        answer.set_cookie(_COOKIE, cookie, httponly=True, samesite="strict")
        return answer
