"""The application: which address is answered by what, and what each asks of a request first.

The stage, programs, gradio's clients and monitoring are answered by routes of our own. gradio is
mounted inside: of its addresses those are handed to it that its page needs, and none that computes.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from model_core.errors import Bug, Left, TooBusy, VisualiserError
from viz_app.server.access import (
    Guesses,
    check_name,
    check_page,
    has_account,
    is_from_here,
    is_json,
)
from viz_app.server.address import Address
from viz_app.server.answers.backend import Backend
from viz_app.server.answers.dispatcher import Dispatcher
from viz_app.server.answers.requests import Reply, as_data, data_in, refusal, to_json_bytes
from viz_app.server.answers.turns import Pace
from viz_app.server.bringing import FROM_HERE
from viz_app.server.document import ANSWER_PATH, Documents, wants_endpoints
from viz_app.server.gradio.calls import Calls, call_in, cancelled_in
from viz_app.server.gradio.mounted import API, Mounted
from viz_app.server.local import Local
from viz_app.server.logs import log_failure
from viz_app.server.middleware import (
    BoundedBodies,
    OpenRequests,
    OwnPaths,
    Refused,
    SafeHeaders,
    client_of,
    path_of,
)
from viz_app.server.responses import ICON, plain_response, response_of, script_response
from viz_app.values.wire import Json

_T = TypeVar("_T")
Check = Callable[[Request], Awaitable[None]]
Answerer = Callable[[Request], Awaitable[ASGIApp]]  # a response, or an application that answers

# Of gradio's page of the endpoints. gradio runs what a component brings with `new Function`.
_POLICY = (
    "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; form-action 'self'"
)
_FILES = ("/assets/{path:path}", "/static/{path:path}", "/theme.css")  # of gradio's page
# gradio's page of the endpoints asks for these, which are closed, and would leave an error in the
# browser's console: no call was counted; 300, which is neither found nor an error: no MCP server.
_EMPTY = (
    ("/monitoring/summary", Reply(b'{"functions":{}}')),
    (f"{API}/mcp/schema", Reply(b"{}", status=300)),
)


class Application(Starlette):
    """The page, its answers, and the endpoints, with gradio inside.

    `options` are those of the page; `before` are middlewares in front of all others; `local` is
    what lets browsers answer by themselves.
    """

    def __init__(
        self,
        service: Backend,
        options: Json,
        gradio: Mounted,
        address: Address | None = None,
        before: Sequence[Middleware] = (),
        local: Local | None = None,
    ):
        self._is_own = address is not None and address.is_own and not address.accounts
        self._address = address = address or Address()
        self._limits = service.limits
        self._dispatcher = Dispatcher(service)
        self._calls = Calls(service.limits.unread, service.limits.shared_bytes)
        self.gradio = gradio
        self._open: Counter[str] = Counter()  # requests, by the address of the client
        self._pace = Pace()
        self._guesses = Guesses()
        # Without accounts any page may frame this one: lectures and hosts embed it.
        is_framed = address.accounts or address.framed_by
        frames = " ".join(("frame-ancestors 'self'", *address.framed_by)) if is_framed else ""
        self._documents = Documents(options, frames, locked=bool(address.accounts))
        self._root = path_of(address.root_path)
        super().__init__(
            routes=self._routes(local),
            middleware=[
                *before,
                Middleware(OwnPaths, root=self._root),
                Middleware(OpenRequests, counts=self._open),
                Middleware(SafeHeaders, policy="; ".join(filter(None, (_POLICY, frames)))),
                Middleware(BoundedBodies, limits=service.limits),
            ],
            exception_handlers={
                Refused: self._tell_error,
                VisualiserError: self._tell_error,
                HTTPException: _tell_status,
            },
        )
        self.router.redirect_slashes = False

    def _routes(self, local: Local | None) -> list[Route]:
        """Every address there is: its method, its name in the log, and what it asks first."""
        own, json, known, room = self._own_page, _only_json, self._known, self._has_room
        asked = (own, json, room, known)  # of what computes
        gradio, route = self._to_gradio, self._route
        return [
            route("POST", ANSWER_PATH, "stage", self._stage, *asked),
            route("POST", "/api/{name}", "api", self._program, *asked),
            route("POST", f"{API}/run/{{name}}", "api", self._gradios_program, *asked),
            route("GET", "/stage/{name}.{ending}", "script", _script),
            route("GET", "/favicon.ico", "file", _icon),
            route("GET", "/", "page", self._page, room),
            route("GET", "/health", "health", self._health),
            route("GET", "/ready", "ready", self._ready),
            route("GET", "/metrics", "metrics", self._metrics, known),
            *(
                route("GET", f"{under}/openapi.json", "described", self._described, known)
                for under in ("", API)  # gradio's own names what is closed
            ),
            *(route("GET", path, "empty", _always(reply)) for path, reply in _EMPTY),
            *(
                route("GET", path, "local", answer, room, known)
                for path, answer in (local.answers.items() if local else ())
            ),
            *(self._login_routes() if self._address.accounts else ()),
            *(route("GET", path, "file", gradio, room) for path in _FILES),
            route("GET", "/config", "config", gradio, room, known),
            route("GET", f"{API}/info", "names", self._names, room, known),
            route("POST", f"{API}/queue/join", "join", self._join, *asked),
            route("GET", f"{API}/queue/data", "fetch", self._messages, own, room, known),
            route("POST", f"{API}/cancel", "cancel", self._cancel, *asked),
            route("POST", f"{API}/call/{{name}}", "call", self._call, *asked),
            route("POST", f"{API}/call/v2/{{name}}", "call", self._call_by_name, *asked),
            *(
                route("GET", f"{API}/call/{under}{{call}}", "fetch", self._events, own, room, known)
                for under in ("{name}/", "v2/{name}/")
            ),
        ]

    def _login_routes(self) -> tuple[Route, ...]:
        return (
            self._route("POST", "/login", "login", self._log_in, self._own_page, self._has_room),
            # gradio's is a GET, which any link or picture would ask.
            self._route("POST", "/logout", "logout", self._log_out, self._own_page),
        )

    def _route(self, method: str, path: str, kind: str, answer: Answerer, *checks: Check) -> Route:
        checked = _Checked(kind, answer, (self._own_name, *checks))
        return Route(path, checked, methods=[method], name=kind)

    # What is asked of a request before it is answered.

    async def _own_name(self, request: Request) -> None:
        if self._is_own:
            check_name(request)

    async def _own_page(self, request: Request) -> None:
        check_page(request, self._address.root_path)

    async def _known(self, request: Request) -> None:
        if not await self._is_in(request):
            raise HTTPException(401, detail="Log in first.")

    async def _has_room(self, request: Request) -> None:
        self._limits.check_connections(self._open.total(), self._open[client_of(request)])

    # What answers.

    async def _stage(self, request: Request) -> Response:
        body = await self._body(request)
        reply = await _while_there(request, self._dispatcher.to_stage(body, client_of(request)))
        return await response_of(request, _for_stage(reply))

    async def _program(self, request: Request) -> Response:
        return await response_of(
            request, await self._program_reply(request, await self._body(request))
        )

    async def _gradios_program(self, request: Request) -> Response:
        """The same for gradio's JavaScript, which wraps values and answers as `data`."""
        reply = await self._program_reply(request, data_in(await self._body(request)))
        return await response_of(request, as_data(reply))

    async def _program_reply(self, request: Request, body: bytes) -> Reply:
        name, client = request.path_params["name"], client_of(request)
        return await _while_there(request, self._dispatcher.to_program(name, body, client))

    async def _body(self, request: Request) -> bytes:
        body = await request.body()
        await self._pace.wait()
        FROM_HERE.set(is_from_here(request))
        return body

    async def _page(self, request: Request) -> ASGIApp:
        above = self._above(request)
        if not await self._is_in(request):
            return self._documents.login(request, above)
        if wants_endpoints(request):
            return self.gradio
        return self._documents.page(request, above)

    async def _health(self, request: Request) -> Response:
        return await response_of(request, self._dispatcher.health(await self._is_in(request)))

    async def _ready(self, request: Request) -> Response:
        return await response_of(request, self._dispatcher.ready())

    async def _metrics(self, request: Request) -> Response:
        return await response_of(request, self._dispatcher.metrics(self._open.total()))

    async def _described(self, request: Request) -> Response:
        return await response_of(request, self._dispatcher.described(self._above(request)))

    async def _names(self, request: Request) -> Response:
        return await response_of(request, await self.gradio.info(request))

    async def _to_gradio(self, _: Request) -> ASGIApp:
        return self.gradio

    async def _join(self, request: Request) -> Response:
        body = await self._body(request)
        name, session = call_in(body, self._dispatcher.names)
        return await self._begun(request, name, data_in(body), session)

    async def _call(self, request: Request) -> Response:
        body = data_in(await self._body(request))
        return await self._begun(request, request.path_params["name"], body)

    async def _call_by_name(self, request: Request) -> Response:
        body = await self._body(request)
        return await self._begun(request, request.path_params["name"], body)

    async def _begun(
        self, request: Request, name: str, body: bytes, session: str | None = None
    ) -> Response:
        """The name of the call that is begun, with which its answer is fetched."""
        if name not in self._dispatcher.names:
            return await response_of(request, self._dispatcher.no_endpoint(name))
        answer = partial(self._dispatcher.to_program, name, body, client_of(request))
        call = self._calls.begin(answer, session)
        return await response_of(request, Reply(to_json_bytes({"event_id": call})))

    async def _messages(self, request: Request) -> Response:
        return _streamed(self._calls.messages(request.query_params.get("session_hash", "")))

    async def _events(self, request: Request) -> Response:
        return _streamed(self._calls.events(request.path_params["call"]))

    async def _cancel(self, request: Request) -> Response:
        self._calls.cancel(*cancelled_in(await self._body(request)))
        return await response_of(request, Reply(b'{"success":true}'))

    async def _log_in(self, request: Request) -> ASGIApp:
        """gradio compares the password and gives the cookie."""
        answers: list[Response] = []

        async def attempt() -> bool:
            answers.append(await self.gradio.log_in(request))
            return answers[0].status_code < 400

        await self._guesses.tried(client_of(request), attempt)
        return answers[0]

    async def _log_out(self, _: Request) -> ASGIApp:
        return self.gradio.log_out

    # Beside them.

    def _above(self, request: Request) -> str:
        """The path below which the browser finds this app."""
        above: str = self._root or request.scope.get("root_path", "")
        return above

    async def _is_in(self, request: Request) -> bool:
        """Whether the client may enter: it has gradio's cookie, or names an account."""
        accounts = self._address.accounts
        if not accounts:
            return True
        names_one = "authorization" in request.headers
        if not names_one or "cookie" in request.headers:
            known = await self.gradio.knows(request)
            if known or not names_one:
                return known

        async def attempt() -> bool:
            return has_account(request, accounts)

        return await self._guesses.tried(client_of(request), attempt)

    async def _tell_error(self, request: Request, error: Exception) -> Response:
        """The response that names an error."""
        if isinstance(error, Left):
            return Response()  # the client is gone; it is logged
        reason = error.error if isinstance(error, Refused) else error
        assert isinstance(reason, VisualiserError)
        kind = request.state.kind
        if isinstance(reason, TooBusy):
            self._dispatcher.count(kind, reason)
        reply = refusal(reason)
        return await response_of(request, _for_stage(reply) if kind == "stage" else reply)


class _Checked:
    """What answers at an address, once each of the checks has let the request through."""

    def __init__(self, kind: str, answer: Answerer, checks: Sequence[Check]):
        self._kind, self._answer, self._checks = kind, answer, checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        request.state.kind = self._kind
        try:
            for check in self._checks:
                await check(request)
            response = await self._answer(request)
            await response(scope, receive, send)
        except (VisualiserError, HTTPException):
            raise
        except Exception as error:
            log_failure(error)
            raise Bug from error


def _always(reply: Reply) -> Answerer:
    async def said(request: Request) -> Response:
        return await response_of(request, reply)

    return said


def _streamed(messages: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(messages, media_type="text/event-stream")


async def _script(request: Request) -> Response:
    name, ending = (request.path_params[part] for part in ("name", "ending"))
    return script_response(request, f"{name}.{ending}")


async def _icon(_: Request) -> Response:
    return FileResponse(ICON)


async def _only_json(request: Request) -> None:
    if not is_json(request):
        raise HTTPException(415, detail="Requests are JSON, and say so; send no files.")


async def _tell_status(_: Request, error: Exception) -> Response:
    """That there is nothing at an address, with which methods it is asked for, and such."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return plain_response(404, "There is nothing at this address.")
    if error.status_code == 405 and error.headers:
        allowed = ", ".join(sorted(error.headers["Allow"].split(", ")))
        return plain_response(405, f"Ask for this address by {allowed}.", {"allow": allowed})
    return plain_response(error.status_code, error.detail)


async def _while_there(request: Request, asked: Coroutine[Any, Any, _T]) -> _T:
    """What is asked; Left is raised, and its work cancelled, where the client disconnects."""
    working, leaving = asyncio.ensure_future(asked), asyncio.ensure_future(_leaves(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise Left
    finally:
        leaving.cancel()
        working.cancel()


async def _leaves(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _for_stage(reply: Reply) -> Reply:
    """The reply as the page gets it: an error is one like another.

    Only what a proxy may ask of the next replica keeps its status.
    """
    return reply if reply.status == 503 else replace(reply, status=200)
