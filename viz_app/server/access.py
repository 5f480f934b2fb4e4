"""Who may ask: pages of this server and programs, in JSON, and where there are accounts those in.

A browser sends its cookies along whatever page makes it ask. So a page of another address gets no
answer from what computes, and no page of another address may read any answer.
"""

import asyncio
from base64 import b64decode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hmac import compare_digest
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from starlette.requests import Request

from model_core.errors import RecipeError
from viz_app.server.address import Accounts, is_this_computer
from viz_app.text import named_error

_PROXIED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class ForeignPage(RecipeError):
    """A page of another address asks."""


class ForeignName(RecipeError):
    """This server is asked by a name that is not this computer's."""


def host_of(request: Request) -> str:
    """The name by which this server is asked, without its port; "" where that is none."""
    with suppress(ValueError):
        return urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    return ""


def is_from_here(request: Request) -> bool:
    """Whether a request went through no proxy and named this computer as such."""
    is_proxied = any(name in request.headers for name in _PROXIED)
    return is_this_computer(host_of(request)) and not is_proxied


def check_name(request: Request) -> None:
    """Raise ForeignName if the host name of the request is not ours (DNS rebinding).

    The owner of a domain may let its name resolve to this computer; a page of that name could then
    read what a server answers that listens to this computer alone.
    """
    if "host" in request.headers and not is_this_computer(host_of(request)):
        raise named_error(ForeignName, "host", host=host_of(request)[:80] or "?")


def check_page(request: Request, address: str) -> None:
    """Raise ForeignPage where a page of another address asks.

    `address` is the whole one of this server, where it is known.
    """
    if _is_foreign(request, address):
        raise named_error(ForeignPage, "origin")


def _is_foreign(request: Request, address: str) -> bool:
    """Whether a page of another address asks.

    Browsers say so themselves on https and on this machine; elsewhere by the origin of the page,
    which must be a name under which a proxy or they reached this server. Programs say neither.
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        return site not in ("same-origin", "none")
    if origin is None:
        return False
    forwarded = request.headers.get("x-forwarded-host", "").split(",")[0].strip()
    names = {request.headers.get("host"), forwarded, urlsplit(address).netloc}
    with suppress(ValueError):
        return _plain(urlsplit(origin).netloc) not in {_plain(name) for name in names if name}
    return True  # no browser sends an origin that is no address


def _plain(place: str) -> str:
    """A host and a port as an origin spells them."""
    return place.lower().removesuffix(":443").removesuffix(":80")


def is_json(request: Request) -> bool:
    """Whether the body says that it is JSON, which no page may send elsewhere unasked."""
    said = request.headers.get("content-type", "")
    return said.partition(";")[0].strip().lower() == "application/json"


def has_account(request: Request, accounts: Accounts) -> bool:
    """Whether a program names an account, as `curl --user` and Prometheus do."""
    kind, _, packed = request.headers.get("authorization", "").partition(" ")
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
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def tried(self, address: str, attempt: Callable[[], Awaitable[bool]]) -> bool:
        """Whether the attempt was right; where not, this address waits before the next one."""
        lock = self._locks.setdefault(address, asyncio.Lock())
        async with lock:
            right = await attempt()
            if not right:
                await asyncio.sleep(self._pause)
            return right
