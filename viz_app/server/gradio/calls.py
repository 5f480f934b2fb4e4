"""Calls of gradio's clients: one request begins a call, and another one fetches its answer.

They are answered as those of every other program are; none of it goes through gradio.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any

from model_core.errors import Bug, RecipeError, VisualiserError
from viz_app.server.answers.requests import Reply, as_data, refusal, to_json_bytes
from viz_app.server.logs import log_failure
from viz_app.values.wire import Json

_BEAT = 15.0  # seconds; proxies close a connection on which nothing comes
_MOST = 64  # answers that one client has not fetched
_CANCELLED = Reply(b"null")
Answer = Callable[[], Awaitable[Reply]]


class _Session:
    """The calls of one client whose answers it has not fetched."""

    def __init__(self) -> None:
        self.calls: dict[str, asyncio.Task[Reply]] = {}
        self.ended: asyncio.Queue[str] = asyncio.Queue()
        self.is_fetching = False

    def begin(self, name: str, answer: Answer) -> None:
        call = self.calls[name] = asyncio.create_task(_reply(answer))
        call.add_done_callback(lambda _: self.ended.put_nowait(name))

    def forget(self, kept: int = 0) -> None:
        """End and forget all calls but the latest."""
        for name in [*self.calls][: max(0, len(self.calls) - kept)]:
            self.calls.pop(name).cancel()


class Calls:
    """The calls of all clients; of at most `unread` of them answers wait to be fetched."""

    def __init__(self, unread: int):
        self._unread = unread
        self._sessions: dict[str, _Session] = {}

    def begin(self, answer: Answer, session: str | None = None) -> str:
        """Begin a call of a session, or in one of its own name; returns its name."""
        name = secrets.token_hex(16)
        own = self._sessions.setdefault(session or name, _Session())
        own.begin(name, answer)
        if not own.is_fetching:
            own.forget(_MOST)
            unread = [key for key, one in self._sessions.items() if not one.is_fetching]
            for key in unread[: -self._unread]:
                self._sessions.pop(key).forget()
        return name

    def cancel(self, session: str, name: str) -> None:
        """End a call, if it is under way."""
        if (own := self._sessions.get(session)) and (call := own.calls.get(name)):
            call.cancel()

    async def messages(self, session: str) -> AsyncIterator[bytes]:
        """What `gradio_client` reads until it has the answers to all of its session's calls."""
        async with aclosing(self._fetched(session)) as fetched:
            async for one in fetched:
                yield _message({"msg": "heartbeat"}) if one is None else _completed(*one)
        yield _message({"msg": "close_stream"})

    async def events(self, name: str) -> AsyncIterator[bytes]:
        """What curl reads of the call with this name."""
        async with aclosing(self._fetched(name)) as fetched:
            async for one in fetched:
                yield b"event: heartbeat\ndata: null\n\n" if one is None else _event(one[1])

    async def _fetched(self, session: str) -> AsyncGenerator[tuple[str, Reply] | None, None]:
        """The replies of a session as they come, by name; None where none does for a while.

        Who stops reading ends the calls that are under way.
        """
        own = self._sessions.get(session, _Session())
        own.is_fetching = True
        try:
            while own.calls:
                try:
                    async with asyncio.timeout(_BEAT):
                        name = await own.ended.get()
                except TimeoutError:
                    yield None
                    continue
                if call := own.calls.pop(name, None):
                    yield name, _CANCELLED if call.cancelled() else call.result()
        finally:
            self._sessions.pop(session, None)
            own.forget()


async def _reply(answer: Answer) -> Reply:
    """The reply, or that of the error which is raised in its place."""
    try:
        return await answer()
    except VisualiserError as error:
        return refusal(error)
    except Exception as error:
        log_failure(error)
        return refusal(Bug())


def call_in(body: bytes, names: Sequence[str]) -> tuple[str, str]:
    """Which of the endpoints a client calls, by its number among them, and its session."""
    number, session = _fields(body, "fn_index", "session_hash")
    if type(number) is not int or number not in range(len(names)) or not isinstance(session, str):
        raise RecipeError(
            "This request names no endpoint or no session. Reload the page, or see its list of "
            "endpoints."
        )
    return names[number], session


def cancelled_in(body: bytes) -> tuple[str, str]:
    """The session and the call that a client cancels."""
    session, name = _fields(body, "session_hash", "event_id")
    if not isinstance(session, str) or not isinstance(name, str):
        raise RecipeError("session_hash and event_id name a call; both are texts.")
    return session, name


def _fields(body: bytes, *names: str) -> list[Any]:
    try:
        fields = json.loads(body)
        return [fields[name] for name in names]
    except (ValueError, RecursionError, LookupError, TypeError) as error:
        raise RecipeError(f"The request is no JSON object with {' and '.join(names)}.") from error


def _message(fields: Json, output: bytes = b"null") -> bytes:
    return b"data: " + to_json_bytes(fields)[:-1] + b',"output":' + output + b"}\n\n"


def _completed(name: str, reply: Reply) -> bytes:
    is_ok = reply.code == "ok"
    output = as_data(reply).body if is_ok else to_json_bytes({"error": _detail(reply)})
    return _message({"msg": "process_completed", "event_id": name, "success": is_ok}, output)


def _event(reply: Reply) -> bytes:
    if reply.code == "ok":
        return b"event: complete\ndata: [" + reply.body + b"]\n\n"
    return b"event: error\ndata: " + to_json_bytes({"error": _detail(reply)}) + b"\n\n"


def _detail(reply: Reply) -> str:
    detail: str = json.loads(reply.body)["detail"]
    return detail
