"""Replies as responses: their status, what proxies may keep, and packed on a way that is long."""

import asyncio
import gzip
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from viz_app.server.access import is_from_here
from viz_app.server.answers.requests import Reply, to_json_bytes
from viz_app.stage.bundle import bundles

ICON = Path(__file__).with_name("icon.png")
_WORTH = 1000  # bytes of an answer that is packed on its way to another computer
# In a list of codings, each of which may have a share; that of one that is refused is 0.
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)
_MUCH = 2**16  # of one that is packed beside the event loop


def takes_gzip(request: Request) -> bool:
    """Whether the client reads packed answers."""
    return _GZIP.search(request.headers.get("accept-encoding", "")) is not None


async def response_of(request: Request, reply: Reply) -> Response:
    """The reply, packed where it is worth it: to this computer that would only take longer."""
    headers = {"cache-control": "no-store"}
    if reply.after is not None:
        headers["retry-after"] = str(reply.after)
    body = reply.body
    if len(body) >= _WORTH and takes_gzip(request) and not is_from_here(request):
        headers |= {"content-encoding": "gzip", "vary": "accept-encoding"}
        pack = asyncio.to_thread(gzip.compress, body, 1) if len(body) >= _MUCH else None
        body = await pack if pack else gzip.compress(body, 1)
    return Response(body, reply.status, headers | {"content-type": reply.type})


def plain_response(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """A few words with a status."""
    said = {"content-type": "application/json", "cache-control": "no-store"} | (headers or {})
    return Response(to_json_bytes({"detail": detail}), status, said)


def script_response(request: Request, name: str) -> Response:
    """A file of the stage, which a browser asks for once and keeps."""
    script = bundles().get(name)
    if script is None:
        return plain_response(404, "This script is of another version. Reload the page.")
    lasting = {"cache-control": "public, max-age=31536000, immutable"}
    return kept_packed(
        request, script.plain, script.packed, lasting | {"content-type": script.type}
    )


def kept_packed(request: Request, plain: bytes, packed: bytes, headers: dict[str, str]) -> Response:
    """What is held both plain and packed, as the client reads it."""
    headers = {"vary": "accept-encoding"} | headers
    if takes_gzip(request):
        return Response(packed, headers=headers | {"content-encoding": "gzip"})
    return Response(plain, headers=headers)
