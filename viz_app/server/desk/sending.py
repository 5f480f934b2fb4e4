"""Answers on their way to who asked, in the words of ASGI."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from viz_app.server.bringing import is_from_here
from viz_app.server.desk.requests import Answer, encoded
from viz_app.server.doors import takes_gzip
from viz_app.stage.bundle import bundles

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_WORTH = 1000  # bytes of an answer that is packed on its way to another computer
_MUCH = 2**16  # of one that is packed beside the event loop


def packs_for(scope: Scope, answer: Answer) -> bool:
    """Whether an answer is sent packed: to this computer that would only take longer."""
    return len(answer.body) >= _WORTH and takes_gzip(scope) and not is_from_here(scope)


async def _packed(body: bytes) -> bytes:
    if len(body) < _MUCH:
        return gzip.compress(body, 1)
    return await asyncio.to_thread(gzip.compress, body, 1)


async def send_answer(
    send: Send, answer: Answer, packs: bool = False, more: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """The answer itself; `packs` as `packs_for` says, `more` are headers of its own."""
    body = await _packed(answer.body) if packs else answer.body
    headers = [
        (b"content-type", answer.type.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *([(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")] if packs else []),
        *([] if answer.after is None else [(b"retry-after", str(answer.after).encode())]),
        *more,
    ]
    start = {"status": answer.status, "headers": headers}
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": body})


async def tell(send: Send, status: int, answer: dict[str, Any]) -> None:
    """A few words with a status."""
    await send_answer(send, Answer(encoded(answer), status=status))


async def send_script(send: Send, scope: Scope) -> None:
    """A file of the stage, which a browser asks for once and keeps."""
    script = bundles().get(scope["path"].rpartition("/")[2])
    if script is None:
        await tell(send, 404, {"detail": "This script is of another version. Reload the page."})
        return
    packs = takes_gzip(scope)
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
