"""What a lesson can make of the values that it has: compared, counted, picked, put into words.

The run is handed to all that a lesson asks; here it is not looked at.
"""

from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Any

import numpy as np

from model_core.decoding.run import Run
from model_core.errors import LessonError


def same(run: Run, one: Any, other: Any) -> str:
    """ "same" or "other": whether two texts or numbers are the same."""
    return "same" if one == other else "other"


def like(run: Run, one: Any, **others: Any) -> str:
    """The first of the named values that is the same; "other" where none is."""
    return next((name for name, value in others.items() if value == one), "other")


def right(run: Run, text: str, wanted: str) -> str:
    """ "right" or "wrong": whether a text is the one that was wanted."""
    return "right" if text == wanted else "wrong"


def side(run: Run, before: float, after: float) -> str:
    """ "right", "left" or "still": whether a place lies after another."""
    return "right" if after > before else "left" if after < before else "still"


def trend(run: Run, before: float, after: float) -> str:
    """ "gone", "less", "as_before" or "more": under a tenth, under two thirds, up to 1.5 times."""
    if after < 0.1 * before:
        return "gone"
    return "less" if after < before / 1.5 else "as_before" if after <= 1.5 * before else "more"


def cell(run: Run, row: int, key: int) -> dict[str, int]:
    """A cell, to be pressed on the map."""
    return {"query": row, "key": key}


def at(run: Run, values: Any, *places: Any) -> Any:
    """What stands at a place of a list or an array, or under a name; places within it follow."""
    for place in places:
        values = _part(values, str(place), ".".join(map(str, places)))
    return values.item() if isinstance(values, np.generic) else values


def mean(run: Run, values: Any) -> float:
    """The mean of all numbers."""
    return float(np.mean(np.asarray(values, np.float64)))


def count(run: Run, values: Any) -> int:
    """How many there are."""
    return len(values)


def some(run: Run, values: Any) -> str:
    """ "some" or "none": whether there are any."""
    return "some" if len(values) else "none"


def yes(run: Run, value: Any) -> str:
    """ "yes" or "no": whether something is so."""
    return "yes" if value else "no"


def holds(run: Run, values: Any, one: Any) -> str:
    """ "yes" or "no": whether a list has it."""
    return "yes" if one in list(values) else "no"


def most(run: Run, values: Any) -> int:
    """Where the largest number stands."""
    return int(np.argmax(np.asarray(values)))


def largest(run: Run, values: Any) -> int:
    """Where the number stands that is farthest from zero."""
    return int(np.argmax(np.abs(np.asarray(values))))


def least(run: Run, values: Any) -> int:
    """Where the smallest number stands."""
    return int(np.argmin(np.asarray(values)))


def second(run: Run, values: Any) -> int:
    """Where the second largest number stands."""
    return int(np.argsort(-np.asarray(values), kind="stable")[1])


def greatest(run: Run, **values: float) -> str:
    """The name of the largest of the named numbers."""
    return max(values, key=lambda name: values[name])


def rounded(run: Run, value: float) -> int:
    """The nearest whole number, as of per cent."""
    return round(value)


def under(run: Run, value: float) -> float:
    """The power of ten that a number stays under, of what is rounded from a ten-millionth on.

    How it was computed tells in its digits, and hardly in this.
    """
    return float(10.0 ** (floor(log10(max(abs(value), 1e-8))) + 1))


def sign(run: Run, value: float) -> str:
    """ "positive", "zero" or "negative"."""
    return "positive" if value > 0 else "negative" if value < 0 else "zero"


def column(run: Run, values: Any, at: int) -> Any:
    """One column of a table of numbers."""
    return np.asarray(values)[:, at]


def where(run: Run, values: Any, one: Any) -> int:
    """The first place in a list where something stands."""
    found = list(values.values() if isinstance(values, Mapping) else values)
    if one not in found:
        raise LessonError(f"There is no {one!r} among {found}.")
    return found.index(one)


def among(run: Run, *texts: str) -> dict[int, str]:
    """Texts to choose among, by their places."""
    return dict(enumerate(texts))


def length(run: Run, values: Any) -> float:
    """The length of a vector."""
    return float(np.linalg.norm(np.asarray(values, np.float64)))


def label(run: Run, head: str) -> str:
    """A head as edits name it: "3.5" for "2.4"."""
    return ".".join(str(int(one) + 1) for one in head.split("."))


def named(run: Run, head: str) -> str:
    """A head as the page names it: "L3H5" for "2.4"."""
    return "L{}H{}".format(*(int(one) + 1 for one in head.split(".")))


def number(run: Run, head: str, which: int) -> int:
    """The layer (0) or the head (1) of a head."""
    return int(head.split(".")[which])


def joined(run: Run, *parts: Any) -> str:
    """Texts and numbers as one text, as an edit is written."""
    return "".join(map(str, parts))


def zero(run: Run, **values: float) -> str:
    """The first of the named numbers that is exactly zero; "none"."""
    return next((name for name, value in values.items() if value == 0), "none")


def matching(run: Run, one: Any, other: Any) -> int:
    """In how many places of a list another, which may go on, says the same."""
    return sum(a == b for a, b in zip(one, other, strict=False))


def differing(run: Run, one: Any, other: Any) -> int:
    """In how many places two lists differ."""
    return sum(a != b for a, b in zip(one, other, strict=True))


def axis(run: Run, mask: Any) -> str:
    """Whether a mask hides whole "columns", whole "rows", or "both" or "none" of them."""
    hidden_QK = ~np.asarray(mask, bool)
    if not hidden_QK.any():
        return "none"
    if (hidden_QK == hidden_QK[:1]).all():
        return "columns"
    return "rows" if (hidden_QK == hidden_QK[:, :1]).all() else "both"


def _part(whole: Any, name: str, path: str) -> Any:
    """A part of a value, by its name or its place; LessonError where there is none."""
    try:
        if isinstance(whole, Mapping):
            return whole[name]
        if isinstance(whole, Sequence | np.ndarray) and not isinstance(whole, str):
            return whole[int(name)]
        if not name.startswith("_") and name in vars(whole):
            return vars(whole)[name]
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise LessonError(f"There is no {name!r} in {path!r}.") from error
    raise LessonError(f"There is no {name!r} in {path!r}.")
