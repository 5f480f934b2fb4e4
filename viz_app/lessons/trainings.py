"""What a lesson can ask of how a model was trained: its curves, and one head at each of its notes.

A note is one of the moments of the training that were kept; the first is before any update. The
head is the one that the room Training opens on: that of cross-attention, of the last layer.
"""

from typing import Any

import numpy as np

from model_core.decoding.run import Run
from model_core.errors import LessonError
from model_core.values.history import LEVELS, History


def update_at(run: Run, note: int) -> int:
    """How many updates had been made at a note; the last is -1."""
    return int(_history(run).updates_N[note])


def noted(run: Run, curve: str, note: int) -> float:
    """A curve at a note: learnt, loss, score, rate, and of the head entropy, in bits, or copied, of
    the letter to write."""
    return float(_curve(run, curve)[note])


def highest(run: Run, curve: str) -> float:
    """The largest number of a curve."""
    return float(np.nanmax(_curve(run, curve)))


def note_of_most(run: Run, curve: str) -> int:
    """The first note at which a curve is at its highest."""
    return int(np.nanargmax(_curve(run, curve)))


def note_under(run: Run, curve: str, share: float) -> int:
    """The first note at which a curve is under a share of its first number."""
    values_N = _curve(run, curve)
    first = values_N[np.isfinite(values_N)][0]
    return _first(values_N < share * first, f"{curve} never falls under {share} of its first")


def note_over(run: Run, curve: str, value: float) -> int:
    """The first note at which a curve is over a number."""
    return _first(_curve(run, curve) > value, f"{curve} is never over {value}")


def note_parted(run: Run, low: str, high: str, times: float) -> int:
    """The first note from which on one curve is more than `times` as large as another."""
    with np.errstate(invalid="ignore"):
        apart_N = _curve(run, high) > times * _curve(run, low)
    return _first(np.logical_and.accumulate(apart_N[::-1])[::-1], f"{high} does not leave {low}")


def noted_tokens(run: Run, sentence: int) -> dict[int, str]:
    """The tokens of a noted source by their columns, its end among them."""
    return dict(enumerate(run.tracer.model.source(noted_text(run, sentence)).texts))


def noted_text(run: Run, sentence: int) -> str:
    """A noted source as it is written."""
    source, _ = _history(run).sentences[sentence]
    text: str = run.tracer.model.source_text(source)
    return text


def noted_rows(run: Run, sentence: int) -> int:
    """How many rows a noted sentence has."""
    return len(_history(run).sentences[sentence][1]) - 1


def most_read(run: Run, sentence: int, note: int) -> int:
    """The column that is the darkest of most rows."""
    dark_Q = _weights_QK(run, "cross", sentence, note).argmax(axis=1)
    return int(np.bincount(dark_Q).argmax())


def rows_reading(run: Run, sentence: int, note: int, key: int) -> int:
    """In how many rows a column is the darkest."""
    return int((_weights_QK(run, "cross", sentence, note).argmax(axis=1) == key).sum())


def rows_right(run: Run, sentence: int, note: int) -> int:
    """In how many rows the darkest column has the token that the row is to write."""
    source, target = _history(run).sentences[sentence]
    dark_Q = _weights_QK(run, "cross", sentence, note).argmax(axis=1)
    return sum(source[key] == token for key, token in zip(dark_Q, target[1:], strict=True))


def rows_ahead(run: Run, sentence: int, note: int) -> int:
    """In how many rows the decoder's own head reads most the token that the row is to write."""
    dark_Q = _weights_QK(run, "decoder", sentence, note).argmax(axis=1)
    return int((dark_Q[:-1] == np.arange(1, len(dark_Q))).sum())


def _history(run: Run) -> History:
    history: History = run.tracer.model.history
    return history


def _curve(run: Run, name: str) -> np.ndarray:
    history = _history(run)
    if name == "copied" and history.copied_NLH is not None:
        values_N: np.ndarray = history.copied_NLH[:, -1, 0]
    elif name == "entropy":
        values_N = history.entropy_NLH["cross"][:, -1, 0]
    elif name in ("learnt", "loss", "score", "rate"):
        values_N = getattr(history, f"{name}_N")
    else:
        raise LessonError(f"There is no curve {name!r}.")
    return values_N.astype(float)


def _weights_QK(run: Run, site: Any, sentence: int, note: int) -> np.ndarray:
    weights_QK: np.ndarray = _history(run).weights[site][sentence][note, -1, 0] / LEVELS
    return weights_QK


def _first(is_so_N: np.ndarray, otherwise: str) -> int:
    found_N = np.flatnonzero(is_so_N)
    if not len(found_N):
        raise LessonError(f"{otherwise}. Choose another number.")
    return int(found_N[0])
