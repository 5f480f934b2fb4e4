"""What is counted while the server runs, in the text format of Prometheus.

Names and labels are words of ours: no visitor's text is among them, nor an address.
"""

import os
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from model_core.errors import RecipeError

# Upper ends in seconds.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TYPE = "text/plain; version=0.0.4; charset=utf-8"
_REFUSED = {"busy", "connections"}
_PREFIX = "attention_visualiser"
_MOST_REPORTED = 1000  # answers that one page says at a time that it gave itself


class _Histogram:
    """How many took how long."""

    def __init__(self) -> None:
        self._buckets = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        place = next((n for n, most in enumerate(BUCKETS) if seconds <= most), len(BUCKETS))
        self._buckets[place] += 1
        self._seconds += seconds

    def values(self) -> list[tuple[str, float]]:
        """Its numbers, each with what follows its name."""
        below, filled = 0, list[tuple[str, float]]()
        for most, count in zip((*map(str, BUCKETS), "+Inf"), self._buckets, strict=True):
            below += count
            filled.append((f'_bucket{{le="{most}"}}', below))
        return [*filled, ("_sum", self._seconds), ("_count", below)]


class Metrics:
    """Counts of requests by kind and outcome, and of how long they took. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended: Counter[tuple[str, str]] = Counter()
        self._requests, self._turns = _Histogram(), _Histogram()
        self._local_pages = self._local_answers = 0

    def observe(self, kind: str, seconds: float, code: str) -> None:
        """Count one request that is over."""
        with self._lock:
            self._ended[kind, code] += 1
            self._requests.add(seconds)

    def observe_turn(self, seconds: float) -> None:
        """Count one turn at the models that is over."""
        with self._lock:
            self._turns.add(seconds)

    def count_local(self, answers: Any) -> None:
        """Count what a page reports of itself: 0 once its own worker answers, and then how many
        answers that gave since its last report. It cannot be checked."""
        if type(answers) is not int or not 0 <= answers <= _MOST_REPORTED:
            raise RecipeError(f"local must be a whole number from 0 to {_MOST_REPORTED}.")
        with self._lock:
            self._local_pages += answers == 0
            self._local_answers += answers

    def text(self, gauges: Mapping[str, tuple[str, str, float]]) -> str:
        """All of it; `gauges` are what others count: type, help and value by name."""
        with self._lock:
            ended = dict(self._ended)
            took, turns = self._requests.values(), self._turns.values()
        counts = [
            (f'{{kind="{kind}",outcome="{code}"}}', count)
            for (kind, code), count in sorted(ended.items())
        ]
        lines = _lines("requests_total", "counter", "Requests by kind and outcome.", counts)
        refused = sum(count for (_, code), count in ended.items() if code in _REFUSED)
        lines += _lines("refused_total", "counter", "Requests without a place.", [("", refused)])
        about = "Seconds from the request to its answer, the wait included."
        lines += _lines("request_seconds", "histogram", about, took)
        about = "Seconds of a turn at the models, the wait for it left out."
        lines += _lines("turn_seconds", "histogram", about, turns)
        about = "Pages that reported that their browser answers by itself."
        lines += _lines("local_pages_total", "counter", about, [("", self._local_pages)])
        about = "Answers that their own browsers gave, as pages reported them."
        lines += _lines("local_answers_total", "counter", about, [("", self._local_answers)])
        for name, (kind, about, value) in gauges.items():
            lines += _lines(name, kind, about, [("", value)])
        return "\n".join(lines) + "\n"


def _lines(name: str, kind: str, about: str, values: Iterable[tuple[str, float]]) -> list[str]:
    name = f"{_PREFIX}_{name}"
    said = [f"{name}{suffix} {value:.17g}" for suffix, value in values]
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}", *said]


def resident_bytes() -> float:
    """The memory of this process that is in use; NaN where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return float("nan")
    return float(int(pages) * os.sysconf("SC_PAGE_SIZE"))
