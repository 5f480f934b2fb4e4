"""The queue in front of the models: how many calls run at once, how many wait, and for how long.

A call that finds the queue full is refused at once; one that outlasts its time is stopped between
two steps.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from model_core.errors import OutOfTime, TooBusy


@dataclass(frozen=True, eq=False)
class _Turn:
    """A turn at the models: of which queue, and when it ends by its clock."""

    of: "Queue"
    ends: float


_now: ContextVar[_Turn | None] = ContextVar("turn", default=None)


class Queue:
    """Turns at the models, a few at a time. Safe to use from several threads."""

    def __init__(
        self,
        at_once: int = 2,
        in_line: int = 1000,
        seconds: float = 3600.0,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.at_once = at_once
        self.in_line = in_line
        self.seconds = seconds
        self.clock = clock
        self._calls = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._here = 0

    @property
    def waiting(self) -> int:
        """How many calls wait for a turn."""
        with self._lock:
            return max(0, self._here - self.at_once)

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place at the models or in the queue; TooBusy where both are full."""
        with self._lock:
            if self._here >= self.at_once + self.in_line:
                raise TooBusy(
                    f"{self._here} requests are under way and in line; this server takes "
                    f"{self.at_once + self.in_line}. Try again in a moment.",
                    "busy",
                    n=self._here,
                    limit=self.at_once + self.in_line,
                )
            self._here += 1
        try:
            yield
        finally:
            with self._lock:
                self._here -= 1

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn at the models, waited for; it lasts `seconds`, the wait included.

        A turn inside a turn is the same one.
        """
        outer = _now.get()
        if outer is not None and outer.of is self:
            yield
            return
        ends = self.clock() + self.seconds
        if not self._calls.acquire(timeout=self.seconds):
            raise out_of_time(self.seconds)
        token = _now.set(_Turn(self, ends))
        try:
            yield
        finally:
            _now.reset(token)
            self._calls.release()


def check_time() -> None:
    """Raise OutOfTime where the present turn is over; loops over steps call it before each."""
    turn = _now.get()
    if turn is not None and turn.of.clock() > turn.ends:
        raise out_of_time(turn.of.seconds)


def out_of_time(seconds: float) -> OutOfTime:
    """The error of a request that took too long."""
    return OutOfTime(
        f"The request took more than {seconds:g} seconds, the limit of this server. "
        "Shorten the text, or try again in a moment.",
        "seconds",
        limit=f"{seconds:g}",
    )
