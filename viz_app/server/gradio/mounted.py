"""gradio inside our application: its page of the endpoints, its names, and who has logged in."""

import json

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from model_core.errors import Bug
from viz_app.server.address import Address
from viz_app.server.answers.backend import Backend
from viz_app.server.answers.requests import Reply, refusal, to_json_bytes
from viz_app.server.gradio.blocks import build_blocks, page_settings
from viz_app.server.gradio.quick import gr
from viz_app.server.logs import log_failure
from viz_app.server.responses import response_of
from viz_app.values.wire import Json

API = "/gradio_api"


class Mounted:
    """gradio's application for a service; an ASGI application, as every response is one.

    It does not run: none of its functions is called, and nothing joins its queue. `options` are
    those of the page.
    """

    def __init__(self, service: Backend, options: Json, address: Address | None = None):
        # Beside this one gradio adds none of its own: no page of another address reads an answer.
        around = FastAPI(openapi_url=None, middleware=[Middleware(CORSMiddleware)])
        address = address or Address()
        self.app = gr.mount_gradio_app(
            around,
            build_blocks(service, options),
            "/",
            auth=list(address.accounts) or None,
            root_path=address.root_path or None,
            app_kwargs={"exception_handlers": {Exception: _tell}},
            **page_settings(),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the path alone: what gradio reads in a query is not open here."""
        try:
            await self.app({**scope, "query_string": b""}, receive, send)
        except Exception as error:  # `_tell` has answered
            log_failure(error)

    async def log_out(self, scope: Scope, receive: Receive, send: Send) -> None:
        """End the client's session, and no other one of its account."""
        query = b"all_session=false"
        await self.app({**scope, "method": "GET", "query_string": query}, receive, send)

    async def log_in(self, request: Request) -> Response:
        """gradio's answer to the name and the password, with the cookies where they are right."""
        begin, body = await self._ask("POST", "/login", request, await request.body())
        answer = Response(body, begin["status"], media_type="application/json")
        cookies = [value for name, value in begin["headers"] if name == b"set-cookie"]
        for cookie in cookies:
            answer.headers.append("set-cookie", cookie.decode("latin-1"))
        return answer

    async def knows(self, request: Request) -> bool:
        """Whether the client has logged in."""
        begin, _ = await self._ask("GET", f"{API}/login_check", request)
        return bool(begin["status"] == 200)

    async def info(self, request: Request) -> Reply:
        """What gradio's clients and its page read of the endpoints."""
        begin, body = await self._ask("GET", f"{API}/info", request)
        if begin["status"] != 200:  # of accounts it knows the cookie only
            raise HTTPException(begin["status"], detail="Log in first.")
        info = json.loads(body)
        for name, endpoint in info["named_endpoints"].items():
            endpoint["code_snippets"] |= _commands(name, endpoint)
        return Reply(to_json_bytes(info))

    async def _ask(
        self, method: str, path: str, request: Request, body: bytes = b""
    ) -> tuple[Message, bytes]:
        """How gradio's answer to the same client begins, and its body, which is not packed."""
        headers = [one for one in request.scope["headers"] if one[0] != b"accept-encoding"]
        scope = {**request.scope, "method": method, "path": path, "raw_path": path.encode()}
        answer: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        async def send(message: Message) -> None:
            answer.append(message)

        await self.app({**scope, "headers": headers, "query_string": b""}, receive, send)
        return answer[0], b"".join(part.get("body", b"") for part in answer[1:])


async def _tell(request: Request, _: Exception) -> Response:
    return await response_of(request, refusal(Bug()))


def _commands(name: str, endpoint: Json) -> dict[str, str]:
    """How an endpoint is asked by curl and by gradio's command, with its defaults.

    gradio shows two requests, joined in a way that bash cannot read, and examples of values.
    """
    root = endpoint["code_snippets"]["bash"].partition(API)[0].rpartition(" ")[2]
    given = {
        part["parameter_name"]: part["parameter_default"]
        for part in endpoint["parameters"]
        if part["parameter_default"] is not None
    }
    body = json.dumps(given).replace("'", "\\u0027")
    return {
        "bash": f"curl -s {root}/api{name} -H 'Content-Type: application/json' -d '{body}'",
        "cli": f"gradio predict {root} {name} '{body}'",
    }
