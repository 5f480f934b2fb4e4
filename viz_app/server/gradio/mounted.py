"""gradio inside our application: its page of the endpoints, its names, and who has logged in."""

import httpx
from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from model_core.errors import Bug
from viz_app.server.address import Address
from viz_app.server.answers.requests import refusal
from viz_app.server.gradio.blocks import page_settings
from viz_app.server.gradio.quick import gr
from viz_app.server.logs import log_failure
from viz_app.server.responses import response_of

API = "/gradio_api"


class Mounted:
    """gradio's application for these blocks; an ASGI application, as every response is one.

    It does not run: none of its functions is called, and nothing joins its queue.
    """

    def __init__(self, blocks: gr.Blocks, address: Address | None = None):
        # Beside this one gradio adds none of its own: no page of another address reads an answer.
        around = FastAPI(openapi_url=None, middleware=[Middleware(CORSMiddleware)])
        address = address or Address()
        self.app = gr.mount_gradio_app(
            around,
            blocks,
            "/",
            auth=list(address.accounts) or None,
            root_path=address.root_path or None,
            app_kwargs={"exception_handlers": {Exception: _tell}},
            **page_settings(),
        )
        self._asked = httpx.ASGITransport(self.app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the path alone: what gradio reads in a query is not open here."""
        try:
            await self.app({**scope, "query_string": b""}, receive, send)
        except Exception as error:  # `_tell` has answered
            log_failure(error)

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


async def _tell(request: Request, _: Exception) -> Response:
    return await response_of(request, refusal(Bug()))
