"""gradio inside our application: its page of the endpoints, its clients, and who has logged in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from model_core.errors import Bug, RecipeError, VisualiserError
from viz_app.limits import Limits
from viz_app.server.address import Address
from viz_app.server.answers.requests import refusal
from viz_app.server.gradio.blocks import page_settings
from viz_app.server.gradio.patches import bound_unread, keep_no_values, look_less_often
from viz_app.server.gradio.quick import gr
from viz_app.server.logs import log_failure
from viz_app.server.middleware import Refused
from viz_app.server.responses import response_of

API = "/gradio_api"
_SESSIONS = 1000  # whose state gradio keeps
_IDLE_THREADS = 16  # for what asks no model, beside those at work and in line
# Our functions never raise through gradio, so these are about what stands around their inputs:
# a component, function or session that there is not, missing inputs, half of a character.
_UNREAD = (LookupError, TypeError, ValueError, RecursionError)


class Mounted:
    """gradio's application for these blocks; an ASGI application, as every response is one."""

    def __init__(self, blocks: gr.Blocks, limits: Limits, address: Address | None = None):
        self.blocks = blocks
        blocks.state_session_capacity = _SESSIONS
        threads = limits.at_once + limits.in_line + limits.overflow + _IDLE_THREADS
        blocks.max_threads = blocks._queue.max_thread_count = threads
        look_less_often(blocks)
        self._forget = bound_unread(blocks, limits.unread)
        # Beside this one gradio adds none of its own: no page of another address reads an answer.
        around = FastAPI(openapi_url=None, middleware=[Middleware(CORSMiddleware)])
        address = address or Address()
        handlers = dict.fromkeys((Refused, *_UNREAD, Exception), _tell)
        self.app = gr.mount_gradio_app(
            around,
            blocks,
            "/",
            auth=list(address.accounts) or None,
            root_path=address.root_path or None,
            app_kwargs={"exception_handlers": handlers},
            **page_settings(),
        )
        keep_no_values(blocks)
        self._asked = httpx.ASGITransport(self.app)

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Around the time in which it is served."""
        async with self.app.router.lifespan_context(self.app):
            yield
        self.end()

    def end(self) -> None:
        """End gradio's queue, and with it the streams of those who wait for its answers."""
        self.blocks.close(verbose=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.app({**scope}, receive, send)
        except Exception as error:
            if isinstance(error.__cause__, HTTPException):  # the answer that began says it
                await send({"type": "http.response.body", "body": b""})
            else:  # `_tell` has answered
                log_failure(error)

    async def joining(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The same for a call that joins the queue."""
        await self(scope, receive, send)
        self._forget()

    async def log_out(self, scope: Scope, receive: Receive, send: Send) -> None:
        """End the client's session."""
        await self({**scope, "method": "GET"}, receive, send)

    async def log_in(self, request: Request) -> Response:
        """gradio's answer to the name and the password, with the cookies where they are right."""
        gradios = await self._ask("POST", "/login", request, await request.body())
        answer = Response(gradios.content, gradios.status_code, media_type="application/json")
        for cookie in gradios.headers.get_list("set-cookie"):
            answer.headers.append("set-cookie", cookie)
        return answer

    async def knows(self, request: Request) -> bool:
        """Whether the client has logged in."""
        return (await self._ask("GET", f"{API}/login_check", request)).status_code == 200

    async def _ask(
        self, method: str, path: str, request: Request, body: bytes = b""
    ) -> httpx.Response:
        passed = {
            name: request.headers[name]
            for name in ("cookie", "content-type")
            if name in request.headers
        }
        asked = httpx.Request(method, f"http://localhost{path}", headers=passed, content=body)
        answer = await self._asked.handle_async_request(asked)
        await answer.aread()
        return answer


async def _tell(request: Request, error: Exception) -> Response:
    """The answer to what gradio could not read, or failed at."""
    reason: VisualiserError = Bug()
    if isinstance(error, Refused):
        reason = error.error
    elif isinstance(error, _UNREAD):
        reason = RecipeError(
            "This request cannot be read: something is missing in it, or it names a component, a "
            "function or a session that is not here. Reload the page, or see its list of endpoints."
        )
    return await response_of(request, refusal(reason))
