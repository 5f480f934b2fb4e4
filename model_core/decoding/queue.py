"""The queue in front of the models: how many calls run at once, how many wait, and for how long.

People come before what is asked ahead of them, and of people those whose address has least at work.
A call that finds the queue full waits a moment, then is refused; one that outlasts its
time, or whose client has disconnected, is stopped between two steps.
"""

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from model_core.errors import Left, OutOfTime, TooBusy

_KNOWN = 20  # calls after which it is known how long they take
_SHORT = 16  # so many may wait, however slow the calls are
_LONGEST = 30  # seconds after which a refusal says to come back, at most


@dataclass(frozen=True)
class Asker:
    """Who asks: from which address, "" where it is not known, and whether ahead of a person."""

    address: str = ""
    ahead: bool = False


NOBODY = Asker()
ASKER: ContextVar[Asker] = ContextVar("asker", default=NOBODY)


class Leaving:
    """Whether the client has disconnected. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._then: list[Callable[[], object]] = []
        self.is_over = False

    def tell(self) -> None:
        """They have gone."""
        with self._lock:
            self.is_over, then = True, self._then[:]
        for call in then:
            call()

    @contextmanager
    def then(self, call: Callable[[], object]) -> Iterator[None]:
        """`call` is called once where they go meanwhile, or have gone."""
        with self._lock:
            self._then.append(call)
            is_over = self.is_over
        if is_over:
            call()
        try:
            yield
        finally:
            with self._lock:
                self._then.remove(call)

    def check(self) -> None:
        """Raise Left where they have gone."""
        if self.is_over:
            raise Left


LEAVING: ContextVar[Leaving | None] = ContextVar("leaving", default=None)


@dataclass(frozen=True, eq=False)
class _Turn:
    """A turn at the models: of which queue, and when it ends by its clock."""

    of: "Queue"
    ends: float


_now: ContextVar[_Turn | None] = ContextVar("turn", default=None)


@dataclass(frozen=True, eq=False)
class Waiter:
    """A request in line; `tell` is called, with `called` set, when there is room for it."""

    asker: Asker
    tell: Callable[[], None]
    called: threading.Event = field(default_factory=threading.Event)


class Places:
    """So many places, and the line of those who wait for one.

    One address, and those without one together, have at most `share` of them, and what is asked
    ahead at most `ahead`.
    """

    def __init__(self, most: int, share: int, ahead: int):
        self._free, self._share, self._most_ahead = most, share, ahead
        self._of: Counter[str] = Counter()  # places held, by address
        self._ahead = 0
        self._waiting: list[Waiter] = []  # in the order in which they came
        self._lock = threading.Lock()
        self.most = most

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._waiting)

    @property
    def held(self) -> int:
        """How many places are taken."""
        return self.most - self._free

    @property
    def present(self) -> int:
        """How many have a place or stand in line."""
        return self.held + self.waiting

    def enter(self, asker: Asker, seconds: float) -> bool:
        """Take a place, waiting for it at most so long; whether there was one."""
        waiter = self.join(asker)
        if waiter.called.is_set() or (seconds > 0 and waiter.called.wait(seconds)):
            return True
        return not self.give_up(waiter)

    def give_up(self, waiter: Waiter) -> bool:
        """Leave the line; False for who was called in the last moment, and so has a place."""
        with self._lock:
            if waiter.called.is_set():
                return False
            self._waiting.remove(waiter)
            return True

    def join(self, asker: Asker, tell: Callable[[], None] = lambda: None) -> Waiter:
        """Stand in line; the waiter is called when it has a place, and who looks by itself need
        not be told."""
        waiter = Waiter(asker, tell)
        with self._lock:
            self._waiting.append(waiter)
            self._call()
        return waiter

    def leave(self, asker: Asker) -> None:
        """Give a place back."""
        with self._lock:
            self._count(asker, -1)
            self._call()

    def _call(self) -> None:
        """Give the free places to those who wait, the fairest choice first."""
        while self._free:
            able = [waiter for waiter in self._waiting if self._may_enter(waiter.asker)]
            if not able:
                return
            first = min(able, key=lambda one: (one.asker.ahead, self._of[one.asker.address]))
            self._waiting.remove(first)
            self._count(first.asker, 1)
            first.called.set()
            first.tell()

    def _may_enter(self, asker: Asker) -> bool:
        if asker.ahead and self._ahead >= self._most_ahead:
            return False
        return self._of[asker.address] < self._share

    def _count(self, asker: Asker, change: int) -> None:
        self._free -= change
        self._ahead += change * asker.ahead
        self._of[asker.address] += change
        if not self._of[asker.address]:
            del self._of[asker.address]


@dataclass(eq=False)
class Queue:
    """Turns at the models, a few at a time. Safe to use from several threads.

    `at_once` calls run and `in_line` more have a place, for `seconds` each. `overflow` more wait
    for one, for `patience` seconds. One address has at most three quarters of the places; what is
    asked ahead has at most half, and does not wait for one. `after_turn` gets the seconds that
    each turn took, the wait for it left out.
    """

    at_once: int = 2
    in_line: int = 1000
    seconds: float = 3600.0
    clock: Callable[[], float] = time.monotonic
    overflow: int = 0
    patience: float = 0.0
    after_turn: Callable[[float], None] = lambda seconds: None
    _per_call: float = field(default=0.01, init=False)  # seconds that a call took lately
    _calls: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        places = self.at_once + self.in_line
        self.places = Places(places, places - places // 4, places // 2)
        self.turns = Places(self.at_once, self.at_once, self.at_once)

    @property
    def waiting(self) -> int:
        """How many calls wait for a turn."""
        return max(0, self.places.present - self.at_once)

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place at the models or in the queue; TooBusy where both are full.

        Inside a turn there is one already.
        """
        if self._has_turn():
            yield
            return
        asker = ASKER.get()
        if not self.places.enter(asker, self.patience_of(asker)):
            raise self.refusal()
        try:
            yield
        finally:
            self.places.leave(asker)

    def patience_of(self, asker: Asker) -> float:
        """Seconds that a new request may wait for a place before it is refused."""
        waits = not asker.ahead and self.places.waiting < self.overflow
        return self.patience if waits else 0.0

    def check_room(self) -> None:
        """Raise TooBusy if the line is full, or if half of the time would be spent in it.

        A short line is no reason, nor is what only a few calls have shown: the first ones
        after the start, or in a crowd that has just come, take longer.
        """
        is_known = self._calls >= _KNOWN and self.waiting > _SHORT
        is_slow = is_known and self._ahead > self.seconds / 2
        if self.places.waiting > self.overflow or is_slow:
            raise self.refusal()

    @property
    def _ahead(self) -> float:
        """The seconds that the calls take that are there already, as the last ones went."""
        return self.places.present * self._per_call / self.at_once

    def refusal(self) -> TooBusy:
        """The error of a call that there is no place for, with its place in line."""
        before = self.places.present
        later = min(_LONGEST, max(1, math.ceil(self._ahead)))
        limit = self.at_once + self.in_line
        message = (
            f"You would be number {before + 1} in line; this server takes {limit} requests. "
            f"Try again in {later} s."
        )
        return TooBusy(message, "busy", n=before + 1, limit=limit, seconds=later)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn at the models, waited for; it lasts `seconds`, the wait included.

        A turn inside a turn is the same one.
        """
        if self._has_turn():
            yield
            return
        asker, ends = ASKER.get(), self.clock() + self.seconds
        if not self.turns.enter(asker, self.seconds):
            raise out_of_time(self.seconds)
        try:
            with self.during(ends):
                yield
        finally:
            self.turns.leave(asker)

    @contextmanager
    def during(self, ends: float) -> Iterator[None]:
        """The time of a turn that was given, until `ends` by the clock."""
        began, token = time.monotonic(), _now.set(_Turn(self, ends))
        try:
            yield
        finally:
            _now.reset(token)
            took = time.monotonic() - began
            self._calls += 1
            self._per_call += (took - self._per_call) / min(self._calls, _KNOWN)
            self.after_turn(took)

    def _has_turn(self) -> bool:
        turn = _now.get()
        return turn is not None and turn.of is self


def check_left() -> None:
    """Raise Left if the client has disconnected."""
    leaving = LEAVING.get()
    if leaving is not None:
        leaving.check()


def check_time() -> None:
    """Raise OutOfTime if the present turn is over, and Left if the client has disconnected.

    Loops over steps call it before each.
    """
    check_left()
    turn = _now.get()
    if turn is not None and turn.of.clock() > turn.ends:
        raise out_of_time(turn.of.seconds)


def out_of_time(seconds: float) -> OutOfTime:
    """The error of a request that took too long."""
    message = (
        f"The request took more than {seconds:g} seconds, the limit of this server. "
        "Shorten the text, or try again in a moment."
    )
    return OutOfTime(message, "seconds", limit=f"{seconds:g}")
