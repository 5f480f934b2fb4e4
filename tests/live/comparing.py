"""How far two answers are apart that were computed by different libraries."""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

NEAR = 1e-4  # of numbers, relative where they are above 1
NEAR_WEIGHTS = 3e-5  # of weights of attention; 1.4e-5 was seen where scores are not divided
_WEIGHTS = re.compile(r"\.attention\.|\.weights_")  # where these are in an answer


@dataclass(frozen=True)
class Apart:
    """What differs, and where."""

    place: str
    one: Any
    other: Any


def apart(one: Any, other: Any, place: str = "") -> Iterator[Apart]:
    """What differs: structure and texts at all, numbers and arrays of numbers by more than NEAR,
    weights by more than NEAR_WEIGHTS."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            yield Apart(place, sorted(one), sorted(other))
        for name in one.keys() & other.keys():
            yield from apart(one[name], other[name], f"{place}.{name}")
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield Apart(place, len(one), len(other))
        for number, pair in enumerate(zip(one, other, strict=False)):
            yield from apart(*pair, f"{place}[{number}]")
    elif is_number(one) and is_number(other):
        if abs(one - other) > near_at(place) * max(1, abs(one), abs(other)):
            yield Apart(place, one, other)
    elif one != other and not are_near(_array(one), _array(other), near_at(place)):
        yield Apart(place, one, other)


def near_at(place: str) -> float:
    return NEAR_WEIGHTS if _WEIGHTS.search(place) else NEAR


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _array(text: Any) -> np.ndarray | None:
    """The numbers of a text that is the base64 of float32s."""
    try:
        return np.frombuffer(base64.b64decode(text, validate=True), "<f4")
    except (ValueError, TypeError):
        return None


def are_near(one: np.ndarray | None, other: np.ndarray | None, near: float = NEAR) -> bool:
    if one is None or other is None or one.shape != other.shape:
        return False
    sizes = np.maximum(1, np.abs(np.nan_to_num(one, posinf=1, neginf=1)))
    return bool(np.isclose(one / sizes, other / sizes, rtol=0, atol=near, equal_nan=True).all())
