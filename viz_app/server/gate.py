"""The gate in front of gradio: what may pass, how large it is, how many at once.

gradio opens some eighty addresses; the page and the clients need those listed here, and every other
one is answered with 404. The gate also answers /health, bounds request bodies and connections, adds
headers, and writes one line for what it refused or what failed. It never looks into a request.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

from model_core.decoding.queue import out_of_time
from model_core.errors import Bug, Left, RecipeError, TooBusy, VisualiserError
from viz_app.limits import Limits
from viz_app.server.address import Accounts
from viz_app.server.bringing import FROM_HERE, is_from_here
from viz_app.server.desk.desk import Desk
from viz_app.server.desk.line import Pace
from viz_app.server.desk.requests import Answer, as_data, data_in, encoded, refusal
from viz_app.server.desk.sending import packs_for, send_answer, send_script, tell
from viz_app.server.document import Documents, asks_for_page
from viz_app.server.doors import (
    Guesses,
    check_name,
    check_page,
    has_account,
    header,
    is_json,
    may_enter,
    without_false_names,
)
from viz_app.server.gradio.pages import Pages
from viz_app.server.logs import log_failure, log_line

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_T = TypeVar("_T")

API = "/gradio_api"
# Method, address, and what it is called in the log. gradio's own names may change with its version;
# a test asks every address it has.
OPEN = tuple(
    (method, re.compile(pattern), kind)
    for method, pattern, kind in (
        ("GET", r"/health", "health"),
        ("GET", r"/ready", "ready"),
        ("GET", r"/metrics", "metrics"),
        ("GET", rf"({API})?/openapi\.json", "described"),  # gradio's own names what is closed
        ("POST", rf"/api/\w+/?|{API}/run/\w+/?", "api"),  # of ours, and of gradio's JavaScript
        ("GET", rf"(/monitoring/summary|{API}/mcp/schema)", "empty"),
        ("GET", r"/", "page"),
        ("GET", r"/config/?", "config"),
        ("GET", r"/(assets|static|svelte)/.+", "file"),
        ("GET", r"/stage/[0-9a-f]{16}\.(js|json|map)", "script"),
        ("POST", r"/stage/answer/?", "stage"),
        ("GET", r"/(favicon\.ico|manifest\.json|robots\.txt|theme\.css)", "file"),
        ("GET", rf"{API}/theme\.css", "file"),
        ("GET", rf"{API}/info/?", "names"),  # of the endpoints
        ("GET", rf"{API}/startup-events", "start"),  # gradio asks itself when it starts
        ("POST", rf"{API}/queue/join", "join"),
        ("GET", rf"{API}/queue/data", "fetch"),
        ("POST", rf"{API}/call/(v2/)?\w+/?", "call"),
        ("GET", rf"{API}/call/(v2/)?\w+/\w+", "fetch"),
        ("POST", rf"{API}/(cancel|reset)/?", "cancel"),
        ("GET", rf"{API}/(login_check|user)/?", "login"),
        ("POST", r"/login/?", "login"),
        ("POST", r"/logout", "logout"),  # gradio's is a GET, which any link or picture would ask
    )
)
# gradio's page of the endpoints asks for these, which are closed, and would leave an error in the
# browser's console: no call was counted; 300, which is neither found nor an error: no MCP server.
_EMPTY: dict[str, tuple[int, dict[str, Any]]] = {
    "/monitoring/summary": (200, {"functions": {}}),
    f"{API}/mcp/schema": (300, {}),
}
# What computes, and what a connection is held for: not for pages of other addresses.
_OWN = {"stage", "api", "join", "call", "fetch", "cancel", "login", "logout"}
_IN_JSON = {"stage", "api", "join", "call", "cancel"}
# gradio asks for no password there, or does not see it. Nor for theme.css, without which the form
# that asks for one has no fields to be seen.
_ASKED = {"cancel", "stage", "api", "metrics", "described"}
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # the address holds the recipe
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
# Our functions never raise through gradio, so these are about what stands around their inputs:
# a component, function or session that there is not, missing inputs, half of a character.
_UNREAD = (LookupError, TypeError, ValueError, RecursionError)
# Of gradio's pages; ours has a stricter one. gradio runs what a component brings with
# `new Function`.
_POLICY = (
    "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; form-action 'self'"
)


class Gate:
    """An ASGI application around gradio's.

    `desk` answers what needs no gradio; `options` are those of the page; `after_join` is called
    after every call that puts something into gradio's queue; `root_path` is taken off the front of
    addresses where a proxy leaves it on; `shared` leaves out the policy that gradio's page for
    shared links cannot keep; with `accounts` only those may enter; `framed_by` are the origins
    whose pages may frame this one, where not every page may.
    """

    def __init__(
        self,
        app: Callable[[Scope, Receive, Send], Awaitable[None]],
        limits: Limits,
        desk: Desk,
        options: dict[str, Any],
        after_join: Callable[[], None],
        root_path: str = "",
        shared: bool = False,
        accounts: Accounts = (),
        framed_by: tuple[str, ...] = (),
        own_names_only: bool = False,
    ):
        self.app = app
        self._limits = limits
        self._desk = desk
        self._pace = Pace()
        self._guesses = Guesses()
        self._after_join = after_join
        self._root = urlsplit(root_path).path.rstrip("/")
        self._address = root_path
        self._accounts = accounts
        self._own_names_only = own_names_only
        self._pages = Pages(app, accounts=bool(accounts))
        # Without accounts any page may frame this one: lectures and hosts embed it.
        is_framed = accounts or framed_by
        frames = " ".join(("frame-ancestors 'self'", *framed_by)) if is_framed else ""
        self._documents = Documents(options, frames, locked=bool(accounts))
        policy = "; ".join(said for said in ("" if shared else _POLICY, frames) if said)
        self._policy = [(b"content-security-policy", policy.encode())] if policy else []
        self._open: Counter[str] = Counter()  # requests, by address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, kind, status, started = time.perf_counter(), "closed", 500, False

        async def sending(message: MutableMapping[str, Any]) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                said = list(message.get("headers", ()))
                is_strict = any(name == b"content-security-policy" for name, _ in said)
                message["headers"] = [*said, *_HEADERS, *(() if is_strict else self._policy)]
            await send(message)

        address = _from(scope)
        self._open[address] += 1
        try:
            kind, scope = self._kind(scope), without_false_names(self._without_root(scope))
            await self._pass(kind, scope, receive, sending)
        except Left:
            status = 0  # nobody is sent anything, and the desk has written its line
        except Exception as error:
            if started and isinstance(error.__cause__, HTTPException):  # told within the answer
                await sending({"type": "http.response.body", "body": b""})
                return
            if isinstance(error, _UNREAD):
                error = _unread()
            elif not isinstance(error, VisualiserError):
                log_failure(error)
                error = Bug()
            elif isinstance(error, TooBusy):
                self._desk.count(kind, error)
            if not started:
                told = refusal(error)
                reads = kind == "stage" and not isinstance(error, Bug)
                await send_answer(sending, _for_stage(told) if reads else told)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
            if status >= 400:
                log_line(kind, 1000 * (time.perf_counter() - began), status)

    async def _pass(self, kind: str, scope: Scope, receive: Receive, send: Send) -> None:
        if self._own_names_only:
            check_name(scope)
        if kind in _OWN:
            check_page(scope, self._address)
        if kind == "closed":
            await self._send_closed(scope, send)
        elif kind == "health":
            is_in = not self._accounts or await self._is_in(scope)
            await send_answer(send, self._desk.health(is_in))
        elif kind == "ready":
            await send_answer(send, self._desk.ready())
        elif kind == "empty":
            await tell(send, *_EMPTY[self._path(scope)])
        elif kind == "script":
            await send_script(send, scope)
        elif kind in _IN_JSON and not is_json(scope):
            await tell(send, 415, {"detail": "Requests are JSON, and say so; send no files."})
        elif self._accounts and kind in _ASKED and not await self._is_in(scope):
            await tell(send, 401, {"detail": "Log in first."})
        elif kind == "metrics":
            await send_answer(send, self._desk.metrics(self._open.total()))
        elif kind == "described":
            await send_answer(send, self._desk.described(self._above(scope)))
        elif kind == "logout":
            await self.app({**scope, "method": "GET"}, receive, send)
        elif scope["method"] == "POST":
            FROM_HERE.set(is_from_here(scope))
            self._limits.check_connections(self._open.total(), self._open[_from(scope)])
            body = await self._body(scope, receive)
            await self._pace.wait()
            name = self._path(scope).rstrip("/").rpartition("/")[2]
            if kind == "api":
                is_gradios = self._path(scope).startswith(API)
                body = data_in(body) if is_gradios else body
                asked = self._desk.to_program(name, body, _from(scope))
                told = await _while_there(receive, asked)
                told = as_data(told) if is_gradios else told
                await send_answer(send, told, packs_for(scope, told))
                return
            if kind == "call" and not self._desk.has_endpoint(name):
                await send_answer(send, self._desk.no_endpoint(name))
                return
            if kind == "stage":
                answer = await _while_there(receive, self._desk.to_stage(body, _from(scope)))
                await send_answer(send, _for_stage(answer), packs_for(scope, answer))
                return
            if kind == "login":
                await self._log_in(scope, _replay(body, receive), send)
                return
            await self.app(scope, _replay(body, receive), send)
            if kind in ("join", "call"):
                self._after_join()
        else:
            self._limits.check_connections(self._open.total(), self._open[_from(scope)])
            if kind == "page" and asks_for_page(scope) and await self._sees_page(scope):
                await self._documents.send(scope, send, self._above(scope))
                return
            drawn = kind in ("page", "config")
            await (self._pages if drawn else self.app)(scope, receive, send)

    async def _sees_page(self, scope: Scope) -> bool:
        """Whether somebody may see the page; gradio's asks everybody else who enters."""
        return not self._accounts or await self._is_in(scope)

    async def _is_in(self, scope: Scope) -> bool:
        names_one = header(scope, "authorization") is not None
        if not names_one or header(scope, "cookie") is not None:
            known = await may_enter(self.app, scope, f"{API}/login_check")
            if known or not names_one:
                return known

        async def attempt() -> bool:
            return has_account(scope, self._accounts)

        return await self._guesses.tried(_from(scope), attempt)

    async def _log_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let gradio compare the password."""

        async def attempt() -> bool:
            status = 500

            async def sending(message: MutableMapping[str, Any]) -> None:
                nonlocal status
                status = message.get("status", status)
                await send(message)

            await self.app(scope, receive, sending)
            return status < 400

        await self._guesses.tried(_from(scope), attempt)

    async def _send_closed(self, scope: Scope, send: Send) -> None:
        """That there is nothing here, or with which methods it is asked for."""
        path = self._path(scope)
        methods = {method for method, pattern, _ in OPEN if pattern.fullmatch(path)}
        if not methods:
            await tell(send, 404, {"detail": "There is nothing at this address."})
            return
        allowed = ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
        told = Answer(encoded({"detail": f"Ask for this address by {allowed}."}), status=405)
        await send_answer(send, told, more=[(b"allow", allowed.encode())])

    def _kind(self, scope: Scope) -> str:
        path, method = self._path(scope), scope["method"]
        method = "GET" if method == "HEAD" else method
        for allowed, pattern, kind in OPEN:
            if method == allowed and pattern.fullmatch(path):
                return kind
        return "closed"

    def _above(self, scope: Scope) -> str:
        """The path below which the browser finds this app."""
        return self._root or scope.get("root_path", "")

    def _path(self, scope: Scope) -> str:
        """The address as gradio names it, below the path at which an app may have mounted it."""
        path, above = self._without_root(scope)["path"], scope.get("root_path", "")
        return path[len(above) :] if above and path.startswith(f"{above}/") else path

    def _without_root(self, scope: Scope) -> Scope:
        path = scope["path"]
        if not self._root or not f"{path}/".startswith(f"{self._root}/"):
            return scope
        rest = path[len(self._root) :] or "/"
        return {**scope, "path": rest, "raw_path": rest.encode()}

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body; LimitReached where it is too large or takes too long to arrive."""
        for name, value in scope["headers"]:
            if name == b"content-length":
                self._limits.check_request(int(value))
        parts, size, more = [], 0, True
        try:
            async with asyncio.timeout(self._limits.seconds):
                while more:
                    message = await receive()
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    self._limits.check_request(size)
                    more = message.get("more_body", False)
        except TimeoutError as error:
            raise out_of_time(self._limits.seconds) from error
        return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once, and after that whatever comes."""
    left = [body]

    async def again() -> MutableMapping[str, Any]:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return again


def _unread() -> RecipeError:
    return RecipeError(
        "This request cannot be read: something is missing in it, or it names a component, a "
        "function or a session that is not here. Reload the page, or see its list of endpoints."
    )


async def _while_there(receive: Receive, asked: Coroutine[Any, Any, _T]) -> _T:
    """What is asked; its work is cancelled where whoever asked goes away. Left is raised then."""
    working, leaving = asyncio.ensure_future(asked), asyncio.ensure_future(_leaves(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise Left
    finally:
        leaving.cancel()
        working.cancel()


async def _leaves(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _for_stage(answer: Answer) -> Answer:
    """The answer as the page gets it: an error is one like another.

    Only what a proxy may ask of the next replica keeps its status.
    """
    return answer if answer.status == 503 else replace(answer, status=200)


def _from(scope: Scope) -> str:
    """The address of who asks, as a trusted proxy tells it."""
    client = scope.get("client")
    return client[0] if client else ""
