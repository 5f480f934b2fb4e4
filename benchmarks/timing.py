"""Interleaved timing: contestants take turns.

So a machine whose speed drifts treats them alike.
"""

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """The milliseconds of every round of one contestant."""

    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    @property
    def spread(self) -> str:
        """Smallest to largest."""
        return f"{min(self.rounds):.2f} to {max(self.rounds):.2f}"


def take_turns(
    contestants: Mapping[str, Callable[[], object]], rounds: int, per: int = 1
) -> dict[str, Timing]:
    """Milliseconds per call divided by `per`, after one round that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for counted in (False, *[True] * rounds):
        for name, call in contestants.items():
            gc.collect()
            began = time.perf_counter()
            call()
            if counted:
                times[name].append((time.perf_counter() - began) * 1000 / per)
    return {name: Timing(tuple(values)) for name, values in times.items()}


def ratio(first: Timing, second: Timing) -> float:
    """The median over rounds of first / second: neighbours in time are compared."""
    pairs = zip(first.rounds, second.rounds, strict=True)
    return statistics.median(mine / theirs for mine, theirs in pairs)
