"""Answers that several visitors ask for: made once, kept for a while, within so many bytes.

The same request has the same answer, so neighbours share it; forgetting changes none.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from viz_app.server.desk.requests import Answer

_OF_ONE = {"busy", "seconds"}  # what is told of an asker, not of the question
_ENTRY = 300  # bytes that an entry takes beside its key and its answer, about


class SharedAnswers:
    """Answers by request, used in one event loop. Those that tell of an error are not kept."""

    def __init__(self, most_bytes: int):
        self._most_bytes = most_bytes
        self._kept: OrderedDict[str, Answer] = OrderedDict()  # least recently used first
        self._making: dict[str, asyncio.Future[Answer]] = {}
        self.nbytes = 0
        self.hits = 0

    async def of(
        self, key: str, make: Callable[[], Awaitable[Answer]], is_ahead: bool = False
    ) -> tuple[Answer, bool]:
        """The answer to a request, and whether somebody else's; made now if nobody asked before.

        A person does not wait for one that is made ahead of a person.
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            self.hits += 1
            return self._kept[key], True
        if key in self._making:
            answer = await asyncio.shield(self._making[key])
            if answer.code in _OF_ONE:
                return await self.of(key, make, is_ahead)
            self.hits += 1
            return answer, True
        made = asyncio.ensure_future(make())
        if not is_ahead:
            self._making[key] = made
            made.add_done_callback(lambda _: self._making.pop(key, None))
        answer = await asyncio.shield(made)
        if answer.code == "ok":
            self._keep(key, answer)
        return answer, False

    def _keep(self, key: str, answer: Answer) -> None:
        size = _size(key, answer)
        if size > self._most_bytes or key in self._kept:
            return
        self._kept[key] = answer
        self.nbytes += size
        while self.nbytes > self._most_bytes:
            self.nbytes -= _size(*self._kept.popitem(last=False))


def _size(key: str, answer: Answer) -> int:
    return 4 * len(key) + len(answer.body) + _ENTRY
