"""Who may ask: pages of this server and programs, in JSON, and where there are accounts those in.

A browser sends along who may enter whatever page makes it ask. So a page of another address gets no
answer from what computes, and gradio shares its answers with none.
"""

import asyncio
import re
from base64 import b64decode
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from hmac import compare_digest
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from model_core.errors import RecipeError
from viz_app.server.address import Accounts, is_this_computer
from viz_app.server.gradio.inside import inside
from viz_app.text import told

# What a request says of the address by which the visitor reached it.
_SAID_BY_PROXIES = {b"x-forwarded-host", b"x-forwarded-proto"}
# Of other alphabets names travel as xn--.
_HOST = re.compile(rb"([\w.-]+|\[[0-9a-f.:]+\])(:\d+)?", re.IGNORECASE)

Scope = MutableMapping[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]


def header(scope: Scope, name: str) -> str | None:
    """The first header of that name, which is given in lower case."""
    found = (value for key, value in scope["headers"] if key == name.encode())
    value = next(found, None)
    return None if value is None else value.decode("latin-1").strip()


def takes_gzip(scope: Scope) -> bool:
    """Whether who asks reads packed answers."""
    return "gzip" in (header(scope, "accept-encoding") or "")


def host_of(scope: Scope) -> str:
    """The name by which this server is asked, without its port; "" where that is none."""
    with suppress(ValueError):
        return urlsplit(f"//{header(scope, 'host') or ''}").hostname or ""
    return ""


class ForeignPage(RecipeError):
    """A page of another address asks."""


class ForeignName(RecipeError):
    """This server is asked by a name that is not this computer's."""


def check_name(scope: Scope) -> None:
    """Raise ForeignName where a browser was led here by a name that somebody else gives out.

    Whoever gives out a name may let it mean this computer, and reads as a page of that name what a
    server answers that listens to it alone.
    """
    if header(scope, "host") is not None and not is_this_computer(host_of(scope)):
        raise told(ForeignName, "host", host=host_of(scope)[:80] or "?")


class FromProxies(ProxyHeadersMiddleware):
    """In front of all: what a request says of itself is believed of trusted proxies alone.

    uvicorn does so with addresses and https; gradio takes the host's name and https from everybody.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        client = scope.get("client")
        if scope["type"] == "http" and (client[0] if client else None) not in self.trusted_hosts:
            scope = _without(scope, lambda name, _: name in _SAID_BY_PROXIES)
        await super().__call__(scope, receive, send)


def without_false_names(scope: Scope) -> Scope:
    """The request without a name for this server that nothing of ours gives, or that is none.

    gradio would write X-Gradio-Server into the page that is kept for everybody.
    """
    return _without(scope, _is_false)


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


def _without(scope: Scope, is_left_out: Callable[[bytes, bytes], bool]) -> Scope:
    """The request with these headers empty; that it had them can still be seen."""
    headers = [
        (name, b"" if is_left_out(name, value) else value) for name, value in scope["headers"]
    ]
    return {**scope, "headers": headers}


def check_page(scope: Scope, address: str) -> None:
    """Raise ForeignPage where a page of another address asks; `address` as in `_is_foreign`."""
    if _is_foreign(scope, address):
        raise told(ForeignPage, "origin")


def _is_foreign(scope: Scope, address: str) -> bool:
    """Whether a page of another address asks; `address` is the whole one of this server, if known.

    Browsers say so themselves on https and on this machine; elsewhere by the origin of the page,
    which must be a name under which a proxy or they reached this server. Programs say neither.
    """
    site = header(scope, "sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = header(scope, "origin")
    if origin is None:
        return False
    forwarded = (header(scope, "x-forwarded-host") or "").split(",")[0].strip()
    names = {header(scope, "host"), forwarded, urlsplit(address).netloc}
    with suppress(ValueError):
        return _plain(urlsplit(origin).netloc) not in {_plain(name) for name in names if name}
    return True  # no browser sends an origin that is no address


def _plain(place: str) -> str:
    """A host and a port as an origin spells them."""
    return place.lower().removesuffix(":443").removesuffix(":80")


def is_json(scope: Scope) -> bool:
    """Whether the body says that it is JSON, which no page may send elsewhere unasked."""
    said = header(scope, "content-type") or ""
    return said.partition(";")[0].strip().lower() == "application/json"


def has_account(scope: Scope, accounts: Accounts) -> bool:
    """Whether a program names an account, as `curl --user` and Prometheus do."""
    kind, _, packed = (header(scope, "authorization") or "").partition(" ")
    if kind.lower() != "basic":
        return False
    try:
        given = b64decode(packed.strip(), validate=True)
    except ValueError:
        return False
    known = [compare_digest(given, f"{name}:{word}".encode()) for name, word in accounts]
    return any(known)


class Guesses:
    """Passwords that an address tries: one after the other, with a pause after a wrong one.

    Without it a program could try a thousand a second.
    """

    def __init__(self, pause: float = 1.0):
        self._pause = pause  # seconds
        self._lines: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def tried(self, address: str, attempt: Callable[[], Awaitable[bool]]) -> bool:
        """Whether the attempt was right; where not, this address waits before the next one."""
        line = self._lines.setdefault(address, asyncio.Lock())
        async with line:
            right = await attempt()
            if not right:
                await asyncio.sleep(self._pause)
            return right


async def may_enter(app: App, scope: Scope, path: str) -> bool:
    """Whether gradio, asked at `path` where it says that, knows the visitor."""
    status = 401

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    asked = {"method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    await app({**scope, **asked}, receive, send)
    return status == 200


@contextmanager
def answers_unshared() -> Iterator[None]:
    """What gradio begins to serve meanwhile lets no page of another address read its answers."""
    from gradio import routes

    shared = inside(routes, "CustomCORSMiddleware")
    routes.CustomCORSMiddleware = lambda app, **_: app  # type: ignore[misc, assignment]
    try:
        yield
    finally:
        routes.CustomCORSMiddleware = shared  # type: ignore[misc]
