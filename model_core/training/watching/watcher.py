"""What a training reports: each of its updates, and its end."""

from collections.abc import Callable
from typing import Protocol

from model_core.training.loop import Progress


class Watcher(Protocol):
    """Looks on at one training. What it shows or writes never reaches the weights."""

    def see(self, progress: Progress) -> None:
        """Take notice of an update."""

    def close(self) -> None:
        """Nothing more is seen; whatever is open is closed."""


class EveryFew:
    """Whether some seconds have passed since it last said so; true at first."""

    def __init__(self, seconds: float, clock: Callable[[], float]):
        self._seconds, self._clock = seconds, clock
        self._last: float | None = None

    def __call__(self) -> bool:
        now = self._clock()
        if self._last is not None and now - self._last < self._seconds:
            return False
        self._last = now
        return True
