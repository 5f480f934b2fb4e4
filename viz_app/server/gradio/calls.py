"""Calls of gradio's clients: one request begins a call, and another one fetches its answer.

They are answered as those of every other program are; none of it goes through gradio.
"""

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from model_core.errors import Bug, RecipeError, VisualiserError
from viz_app.server.answers.requests import Reply, as_data, refusal, to_json_bytes
from viz_app.server.logs import log_failure
from viz_app.values.wire import Json

_BEAT = 15.0  # seconds; proxies close a connection on which nothing comes
_LONGEST = 100  # letters of a session's name
_CANCELLED = Reply(b"null")
Answer = Callable[[], Awaitable[Reply]]


@dataclass(frozen=True, eq=False)
class _Call:
    """A call whose answer is not fetched; `session` is chosen by the client."""

    session: str
    task: asyncio.Task[Reply]

    @property
    def reply(self) -> Reply:
        return _CANCELLED if self.task.cancelled() else self.task.result()


class Calls:
    """The calls of all clients by name, in the order in which they began.

    Of answers that wait to be fetched the latest `unread` are kept, and of these as many as have
    together no more than `most_bytes`. What is under way is ended by its client alone.
    """

    def __init__(self, unread: int, most_bytes: int):
        self._unread, self._most_bytes = unread, most_bytes
        self._calls: dict[str, _Call] = {}
        self._readers: Counter[str] = Counter()  # by session
        self._changed = asyncio.Event()

    def begin(self, answer: Answer, session: str | None = None) -> str:
        """Begin a call of a session, or in one of its own name; returns its name."""
        name = secrets.token_hex(16)
        call = _Call(session or name, asyncio.create_task(_reply(answer)))
        self._calls[name] = call
        call.task.add_done_callback(lambda _: self._ended())
        self._tell()
        return name

    def cancel(self, session: str, name: str) -> None:
        """End a call, if it is under way."""
        if (call := self._calls.get(name)) and call.session == session:
            call.task.cancel()

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

        When the last reader of a session leaves, its calls that are under way end.
        """
        self._readers[session] += 1
        try:
            while left := self._of(session):
                changed = self._changed
                for name, call in left.items():
                    if call.task.done() and name in self._calls:
                        del self._calls[name]
                        yield name, call.reply
                if changed.is_set() or not self._of(session):
                    continue
                try:
                    async with asyncio.timeout(_BEAT):
                        await changed.wait()
                except TimeoutError:
                    yield None
        finally:
            self._readers[session] -= 1
            if not self._readers[session]:
                del self._readers[session]
                for name, call in self._of(session).items():
                    del self._calls[name]
                    call.task.cancel()

    def _of(self, session: str) -> dict[str, _Call]:
        return {name: call for name, call in self._calls.items() if call.session == session}

    def _tell(self) -> None:
        """Wake all who read."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _ended(self) -> None:
        """Forget the oldest answers of those that are too many or too large."""
        count = size = 0
        for name, call in reversed([*self._calls.items()]):
            if call.task.done():
                count, size = count + 1, size + len(call.reply.body)
                if count > self._unread or size > self._most_bytes:
                    del self._calls[name]
        self._tell()


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
    is_session = isinstance(session, str) and 0 < len(session) <= _LONGEST
    if type(number) is not int or number not in range(len(names)) or not is_session:
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
