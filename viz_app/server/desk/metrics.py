"""What is counted while the server runs, in the text format of Prometheus.

Names and labels are words of ours: no visitor's text is among them, nor an address.
"""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

# Upper ends in seconds, of what a request takes once its turn has come; the wait is not in it.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TYPE = "text/plain; version=0.0.4; charset=utf-8"
_REFUSED = {"busy", "connections"}
_PREFIX = "attention_visualiser"


class Metrics:
    """Counts of requests by kind and outcome, and of how long they took. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended: Counter[tuple[str, str]] = Counter()
        self._buckets = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0

    def observe(self, kind: str, seconds: float, code: str) -> None:
        """Count one request that is over."""
        place = next((n for n, most in enumerate(BUCKETS) if seconds <= most), len(BUCKETS))
        with self._lock:
            self._ended[kind, code] += 1
            self._buckets[place] += 1
            self._seconds += seconds

    def text(self, gauges: Mapping[str, tuple[str, str, float]]) -> str:
        """All of it; `gauges` are what others count: type, help and value by name."""
        with self._lock:
            ended, buckets, seconds = dict(self._ended), list(self._buckets), self._seconds
        counts = [
            (f'{{kind="{kind}",outcome="{code}"}}', count)
            for (kind, code), count in sorted(ended.items())
        ]
        below, filled = 0, []
        for most, count in zip((*map(str, BUCKETS), "+Inf"), buckets, strict=True):
            below += count
            filled.append((f'_bucket{{le="{most}"}}', below))
        took = [*filled, ("_sum", seconds), ("_count", below)]
        lines = _lines("requests_total", "counter", "Requests by kind and outcome.", counts)
        refused = sum(count for (_, code), count in ended.items() if code in _REFUSED)
        lines += _lines("refused_total", "counter", "Requests without a place.", [("", refused)])
        lines += _lines(
            "request_seconds", "histogram", "Seconds from its turn to the answer.", took
        )
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
    return float(int(pages) * 4096)
