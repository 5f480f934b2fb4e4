"""Replies that several visitors ask for: made once and kept, within a number of bytes.

The same request has the same reply, so neighbours share it; forgetting changes none.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from viz_app.server.answers.requests import Reply

_OF_ONE = {"busy", "seconds"}  # what is said of an asker, not of the question
_ENTRY = 300  # bytes that an entry takes beside its key and its reply, about


@dataclass(eq=False)
class _Making:
    """A reply that is being made, and how many wait for it."""

    reply: asyncio.Future[Reply]
    waiting: int = 0


class ReplyCache:
    """Replies by request, used in one event loop. Errors are not kept."""

    def __init__(self, most_bytes: int):
        self._most_bytes = most_bytes
        self._kept: OrderedDict[str, Reply] = OrderedDict()  # least recently used first
        self._making: dict[str, _Making] = {}
        self.nbytes = 0
        self.hits = 0

    async def of(self, key: str, make: Callable[[], Awaitable[Reply]]) -> Reply:
        """The reply to a request: shared with earlier ones, or made now.

        When all who wait for one are cancelled, so is its making.
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            self.hits += 1
            return self._kept[key]
        if key in self._making:
            reply = await self._wait(key, self._making[key])
            if reply.code in _OF_ONE:
                return await self.of(key, make)
            self.hits += 1
            return reply
        making = self._making[key] = _Making(asyncio.ensure_future(make()))
        making.reply.add_done_callback(lambda _: self._forget(key, making))
        reply = await self._wait(key, making)
        if reply.code == "ok":
            self._keep(key, reply)
        return reply

    async def _wait(self, key: str, making: _Making) -> Reply:
        making.waiting += 1
        try:
            return await asyncio.shield(making.reply)
        finally:
            making.waiting -= 1
            if not making.waiting and not making.reply.done():
                self._forget(key, making)  # the next request has it made anew
                making.reply.cancel()

    def _forget(self, key: str, making: _Making) -> None:
        if self._making.get(key) is making:
            del self._making[key]

    def _keep(self, key: str, reply: Reply) -> None:
        size = _size(key, reply)
        if size > self._most_bytes or key in self._kept:
            return
        self._kept[key] = reply
        self.nbytes += size
        while self.nbytes > self._most_bytes:
            self.nbytes -= _size(*self._kept.popitem(last=False))


def _size(key: str, reply: Reply) -> int:
    return 4 * len(key) + len(reply.body) + _ENTRY
