"""The loss and one head, drawn in a terminal with block characters, above the progress bar.

No colours: what is dark is dense. It is drawn again in its place, so what stands above stays.
"""

import shutil
import time
import unicodedata
from collections.abc import Callable, Sequence
from typing import TextIO

import numpy as np

from model_core.training.loop import Progress
from model_core.training.notes import Glance
from model_core.training.watching.watcher import EveryFew

_RISING = " ▁▂▃▄▅▆▇█"  # how much of a character's height is filled
_SHADES = " ░▒▓█"  # from a weight of 0 to one of 1
_HIGH = 4  # lines of the curve
_MOST_ROWS = 14  # of the map
_SECONDS = 1.0  # between two drawings
_LEAST_COLUMNS = 24


def can_draw(stream: TextIO) -> bool:
    """Whether a stream is a terminal, one that shows block characters."""
    try:
        (_RISING + _SHADES).encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return stream.isatty()


class TerminalWatcher:
    """Draws in a terminal; `write` is for what else is to stand there.

    `clear` takes the progress bar away, `refresh` puts it back under the picture.
    """

    def __init__(
        self,
        stream: TextIO,
        clear: Callable[[], object],
        refresh: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ):
        self._stream, self._clear, self._refresh = stream, clear, refresh
        self._is_due = EveryFew(_SECONDS, clock)
        self._losses: list[float] = []
        self._lines = 0  # of the picture that stands there

    def see(self, progress: Progress) -> None:
        """Draw again, once in a while and after the last update."""
        self._losses.append(progress.nats)
        if not (self._is_due() or progress.update == progress.updates):
            return
        columns, rows = shutil.get_terminal_size()
        if columns < _LEAST_COLUMNS:
            return self.erase()
        lines = picture(self._losses, progress.glance(), columns - 1)
        if len(lines) + 2 > rows:
            lines = lines[: _HIGH + 1]
        self.erase()
        self._stream.write("".join(f"{line}\n" for line in lines))
        self._lines = len(lines)
        self._refresh()

    def erase(self) -> None:
        """Take the picture and the bar away; what is written next stands in their place."""
        self._clear()
        if self._lines:
            self._stream.write(f"\x1b[{self._lines}A\r\x1b[J")
            self._lines = 0

    def close(self) -> None:
        """Leave the last picture where it stands."""
        self._stream.flush()


def picture(losses: Sequence[float], glance: Glance, columns: int) -> list[str]:
    """The lines of a picture: the curve of the loss, and head 1 of the last cross-attention."""
    curve = loss_curve(losses, columns - 8)
    most = max(losses)
    marks = [f"{most:7.3f} ", *[" " * 8] * (_HIGH - 2), f"{0:7.3f} "]
    said = f"loss {losses[-1]:.3f}, nats per token"
    weights_LHQK = glance.weights["cross"]
    title = f"layer {len(weights_LHQK)}, head 1, reading “{''.join(glance.source[:-1])}”"
    return [
        cut(said, columns),
        *(f"{mark}{line}" for mark, line in zip(marks, curve, strict=True)),
        cut(title, columns),
        *head_map(weights_LHQK[-1, 0], glance.fed, glance.source, columns),
    ]


def loss_curve(losses: Sequence[float], columns: int) -> list[str]:
    """Numbers from 0 to their largest as lines of block characters, each column the mean of its
    share of them."""
    parts = np.array_split(np.asarray(losses, float), min(columns, len(losses)))
    heights = np.array([part.mean() for part in parts]) / (max(losses) or 1)
    eighths = np.rint(heights * 8 * _HIGH).astype(int)
    return [
        "".join(_RISING[min(8, max(0, eighth - 8 * row))] for eighth in eighths)
        for row in reversed(range(_HIGH))
    ]


def head_map(
    weights_QK: np.ndarray, queries: Sequence[str], keys: Sequence[str], columns: int
) -> list[str]:
    """The weights as shades, a row per query, two characters per key; cut where it is too wide."""
    wide = min(8, max(map(width, queries), default=0))
    shown = max(0, (columns - wide - 1) // 2)
    levels_QK = np.rint(weights_QK * (len(_SHADES) - 1)).astype(int)
    head = " " * (wide + 1) + "".join(_fitted(key, 2) for key in keys[:shown])
    rows = [
        _fitted(query, wide) + " " + "".join(2 * _SHADES[level] for level in levels[:shown])
        for query, levels in zip(queries, levels_QK, strict=True)
    ]
    return [head.rstrip(), *(row.rstrip() for row in rows[:_MOST_ROWS])]


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(one) else 1 + (unicodedata.east_asian_width(one) in "WF")
        for one in text
    )


def cut(text: str, columns: int) -> str:
    """A text cut to `columns`, without what a terminal would obey."""
    plain = "".join(one if one.isprintable() else "?" for one in text)
    while width(plain) > columns:
        plain = plain[:-1]
    return plain


def _fitted(text: str, columns: int) -> str:
    shown = cut(text, columns)
    return shown + " " * (columns - width(shown))
