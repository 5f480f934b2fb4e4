"""Who comes next, waited for in no thread: only those who compute take one."""

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from model_core.decoding.queue import LEAVING, Asker, Leaving, Places, Queue, out_of_time

_T = TypeVar("_T")


@asynccontextmanager
async def turn_at(queue: Queue, asker: Asker) -> AsyncIterator[None]:
    """A place and a turn, as `Queue.place` and `Queue.turn` give them, and with the same errors.

    What runs inside, in a copy of the context, has the turn.
    """
    if not await _enter(queue.places, asker, queue.patience_of(asker)):
        raise queue.refusal()
    try:
        ends = queue.clock() + queue.seconds
        if not await _enter(queue.turns, asker, queue.seconds):
            raise out_of_time(queue.seconds)
        try:
            with queue.during(ends):
                yield
        finally:
            queue.turns.leave(asker)
    finally:
        queue.places.leave(asker)


async def _enter(places: Places, asker: Asker, seconds: float) -> bool:
    """`Places.enter`, without holding up the event loop."""
    loop = asyncio.get_running_loop()
    called = asyncio.Event()

    def tell() -> None:
        loop.call_soon_threadsafe(called.set)

    waiter = places.join(asker, tell)
    if waiter.called.is_set():
        return True
    try:
        async with asyncio.timeout(seconds):
            await called.wait()
    except TimeoutError:
        return not places.give_up(waiter)
    except asyncio.CancelledError:
        if not places.give_up(waiter):
            places.leave(asker)
        raise
    return True


async def in_thread(threads: ThreadPoolExecutor, work: Callable[[], _T]) -> _T:
    """What the work returns, in a thread and in this context.

    Cancelled, it is told to stop, and is waited for: it may hold a turn.
    """
    leaving, context = Leaving(), contextvars.copy_context()
    context.run(LEAVING.set, leaving)
    working = asyncio.get_running_loop().run_in_executor(threads, context.run, work)
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        leaving.tell()
        await asyncio.wait({working})
        raise


class Pace:
    """Lets a few through at a time, so that a crowd does not hold up the event loop."""

    def __init__(self, at_a_time: int = 8):
        self._at_a_time, self._through = at_a_time, 0

    async def wait(self) -> None:
        """Return when few enough have come in this round of the event loop."""
        while self._through >= self._at_a_time:
            await asyncio.sleep(0)
        if not self._through:
            asyncio.get_running_loop().call_soon(self._begin_anew)
        self._through += 1

    def _begin_anew(self) -> None:
        self._through = 0
