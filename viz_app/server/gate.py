"""The gate in front of gradio: what may pass, how large it is, how many at once.

gradio opens some eighty addresses; the page and the clients need those listed here, and every other
one is answered with 404. The gate also answers /health, bounds request bodies and connections, adds
headers, and writes one line for what it refused or what failed. It never looks into a request.
"""

import asyncio
import gzip
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from model_core.decoding.queue import out_of_time
from model_core.errors import Bug, Left, RecipeError, TooBusy, VisualiserError
from viz_app.server.address import Accounts
from viz_app.server.bringing import FROM_HERE, is_from_here
from viz_app.server.desk.desk import Desk
from viz_app.server.desk.line import Pace
from viz_app.server.desk.requests import Answer, as_data, data_in, encoded, refusal
from viz_app.server.doors import Guesses, check_page, has_account, header, is_json, may_enter
from viz_app.server.limits import Limits
from viz_app.server.logs import log_failure, log_line
from viz_app.stage.bundle import bundle, bundle_map

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_T = TypeVar("_T")

API = "/gradio_api"
_MUCH = 2**18  # bytes of an answer that are worth packing
# Method, address, and what it is called in the log. gradio's own names may change with its version;
# a test asks every address it has.
OPEN = tuple(
    (method, re.compile(pattern), kind)
    for method, pattern, kind in (
        ("GET", r"/health", "health"),
        ("GET", r"/ready", "ready"),
        ("GET", r"/metrics", "metrics"),
        ("POST", rf"/api/\w+/?|{API}/run/\w+/?", "api"),  # of ours, and of gradio's JavaScript
        ("GET", rf"(/monitoring/summary|{API}/mcp/schema)", "empty"),
        ("GET", r"/", "page"),
        ("GET", r"/config/?", "page"),
        ("GET", r"/(assets|static|svelte)/.+", "file"),
        ("GET", r"/stage/[0-9a-f]{16}\.(js|map)", "script"),
        ("GET", r"/(favicon\.ico|manifest\.json|robots\.txt|theme\.css)", "file"),
        ("GET", rf"{API}/theme\.css", "file"),
        ("GET", rf"{API}/(info|openapi\.json)/?", "names"),  # of the endpoints
        ("GET", rf"{API}/startup-events", "start"),  # gradio asks itself when it starts
        ("POST", rf"{API}/component_server/?", "stage"),
        ("POST", rf"{API}/queue/join", "join"),
        ("GET", rf"{API}/queue/data", "fetch"),
        ("POST", rf"{API}/call/(v2/)?\w+/?", "join"),
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
_OWN = {"stage", "api", "join", "fetch", "cancel", "login", "logout"}
_IN_JSON = {"stage", "api", "join", "cancel"}
# gradio asks for no password there, or does not see it. Nor for theme.css, without which the form
# that asks for one has no fields to be seen.
_ASKED = {"cancel", "stage", "api", "metrics"}
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # the address holds the recipe
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
# Our functions never raise through gradio, so these are about what stands around their inputs:
# a component, function or session that there is not, missing inputs, half of a character.
_UNREAD = (LookupError, TypeError, ValueError, RecursionError)
# Without accounts any page may frame this one: lectures and hosts embed it. gradio runs the stage
# with `new Function`.
_POLICY = (
    "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; form-action 'self'"
)


class Gate:
    """An ASGI application around gradio's.

    `desk` answers what needs no gradio; `after_join` is called after every call that puts something
    into gradio's queue; `root_path` is taken off the front of addresses where a proxy leaves it on;
    `shared` leaves out the policy that gradio's page for shared links cannot keep; with `accounts`
    only those may enter; `framed_by` are the origins whose pages may frame this one, where not
    every page may.
    """

    def __init__(
        self,
        app: Callable[[Scope, Receive, Send], Awaitable[None]],
        limits: Limits,
        desk: Desk,
        after_join: Callable[[], None],
        root_path: str = "",
        shared: bool = False,
        accounts: Accounts = (),
        framed_by: tuple[str, ...] = (),
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
        policy = [] if shared else [_POLICY]
        if accounts or framed_by:
            policy.append(" ".join(("frame-ancestors 'self'", *framed_by)))
        headers = _HEADERS | ({"Content-Security-Policy": "; ".join(policy)} if policy else {})
        self._headers = [(name.lower().encode(), text.encode()) for name, text in headers.items()]
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
                more = self._early(scope) if kind == "page" else ()
                message["headers"] = [*message.get("headers", ()), *self._headers, *more]
            await send(message)

        address = _from(scope)
        self._open[address] += 1
        try:
            kind, scope = self._kind(scope), self._without_root(scope)
            await self._pass(kind, scope, receive, sending)
        except Left:
            status = 0  # nobody is sent anything, and the desk has written its line
        except Exception as error:
            if started and isinstance(error.__cause__, HTTPException):  # told within the answer
                await sending({"type": "http.response.body", "body": b""})
                return
            unread = isinstance(error, _UNREAD)
            if not isinstance(error, VisualiserError):
                log_failure(error)
                error = _unread() if unread else Bug()
            elif isinstance(error, TooBusy):
                self._desk.count(kind, error)
            if not started:
                told = refusal(error)
                reads = kind == "stage" and not isinstance(error, Bug)
                await _send_answer(sending, _for_stage(told) if reads else told)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
            if status >= 400:
                log_line(kind, 1000 * (time.perf_counter() - began), status)

    async def _pass(self, kind: str, scope: Scope, receive: Receive, send: Send) -> None:
        if kind in _OWN:
            check_page(scope, self._address)
        if kind == "closed":
            await _answer(send, 404, {"detail": "There is nothing at this address."})
        elif kind == "health":
            await _send_answer(send, self._desk.health())
        elif kind == "ready":
            await _send_answer(send, self._desk.ready())
        elif kind == "empty":
            await _answer(send, *_EMPTY[self._path(scope)])
        elif kind == "script":
            await _send_script(send, scope)
        elif kind in _IN_JSON and not is_json(scope):
            await _answer(send, 415, {"detail": "Requests are JSON, and say so; send no files."})
        elif self._accounts and kind in _ASKED and not await self._is_in(scope):
            await _answer(send, 401, {"detail": "Log in first."})
        elif kind == "metrics":
            await _send_answer(send, self._desk.metrics(self._open.total()))
        elif kind == "logout":
            await self.app({**scope, "method": "GET"}, receive, send)
        elif scope["method"] == "POST":
            FROM_HERE.set(is_from_here(scope["headers"]))
            self._limits.check_connections(self._open.total(), self._open[_from(scope)])
            body = await self._body(scope, receive)
            await self._pace.wait()
            if kind == "api":
                is_gradios = self._path(scope).startswith(API)
                name = self._path(scope).rstrip("/").rpartition("/")[2]
                body = data_in(body) if is_gradios else body
                asked = self._desk.to_program(name, body, _from(scope))
                told = await _while_there(receive, asked)
                await _send_answer(send, as_data(told) if is_gradios else told)
                return
            if kind == "stage":
                answer = await _while_there(receive, self._desk.to_stage(body, _from(scope)))
                if answer is not None:
                    packs = len(answer.body) >= _MUCH and _packs(scope)
                    await _send_answer(send, _for_stage(answer), packs)
                    return
            if kind == "login":
                await self._log_in(scope, _replay(body, receive), send)
                return
            await self.app(scope, _replay(body, receive), send)
            if kind == "join":
                self._after_join()
        else:
            self._limits.check_connections(self._open.total(), self._open[_from(scope)])
            app = GZipMiddleware(self.app, 500) if kind == "page" else self.app
            await app(scope, receive, send)

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

    def _kind(self, scope: Scope) -> str:
        path, method = self._path(scope), scope["method"]
        method = "GET" if method == "HEAD" else method
        for allowed, pattern, kind in OPEN:
            if method == allowed and pattern.fullmatch(path):
                return kind
        return "closed"

    def _early(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """The header by which the browser hears of the script before gradio draws the page."""
        above = self._root or scope.get("root_path", "")
        return [(b"link", f"<{above}{bundle().path}>; rel=modulepreload; as=script".encode())]

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


async def _send_script(send: Send, scope: Scope) -> None:
    """The stage's script, or its source map, which a browser asks for once and keeps."""
    script = bundle_map() if scope["path"].endswith(".map") else bundle()
    if not scope["path"].endswith(script.path):
        await _answer(send, 404, {"detail": "This script is of another version. Reload the page."})
        return
    packs = "gzip" in (header(scope, "accept-encoding") or "")
    body = script.packed if packs else script.plain
    headers = [
        (b"content-type", script.type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"public, max-age=31536000, immutable"),
        (b"vary", b"accept-encoding"),
        *([(b"content-encoding", b"gzip")] if packs else []),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


async def _answer(send: Send, status: int, answer: dict[str, Any]) -> None:
    await _send_answer(send, Answer(encoded(answer), status=status))


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


def _packs(scope: Scope) -> bool:
    """Whether what is long is sent packed: on this computer it would only take longer."""
    takes = "gzip" in (header(scope, "accept-encoding") or "")
    return takes and not is_from_here(scope["headers"])


async def _send_answer(send: Send, answer: Answer, packs: bool = False) -> None:
    body = await asyncio.to_thread(gzip.compress, answer.body, 1) if packs else answer.body
    headers = [
        (b"content-type", answer.type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *([(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")] if packs else []),
        *([] if answer.after is None else [(b"retry-after", str(answer.after).encode())]),
    ]
    start = {"status": answer.status, "headers": headers}
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": body})


def _from(scope: Scope) -> str:
    """The address of who asks, as a trusted proxy tells it."""
    client = scope.get("client")
    return client[0] if client else ""
