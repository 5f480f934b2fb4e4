"""Which numbers of an answer make a table: said once, read by files here and by the page.

A table is tidy: every number is said by its place on named axes. `TableOf` names the arrays of an
answer by their paths in it; `filled` looks them up. stage/keep/tables.js does the same in a page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, TypedDict

import numpy as np

from model_core.values.trace import Tokens
from viz_app.values.phrases import Text, labels_of


class _AxisJson(TypedDict):
    name: str
    length: int
    tokens: Sequence[str] | None
    start: int
    pieces: Sequence[str] | None
    picked: str | None


class AnswerTable(TypedDict):
    """A `TableOf` as the page gets it."""

    name: str
    axes: list[_AxisJson]
    arrays: Mapping[str, str | Sequence[str]]
    at: list[tuple[str, int]]


@dataclass(frozen=True)
class Axis:
    """One direction of a table, counted from `start`; places may have tokens.

    Where it is `picked`, the view says under that name which of its places are in the table.
    """

    name: str  # "query", "head"
    length: int
    tokens: tuple[str, ...] | None = None
    start: int = 1
    pieces: tuple[str, ...] | None = None  # the tokens as the tokenizer spells them
    picked: str | None = None
    # On a sheet: what its places are called there, and what it is.
    labels: tuple[Text, ...] | None = None
    title: Text = ""

    @classmethod
    def of(
        cls, name: str, tokens: Tokens | Sequence[str], title: Text = "", begins: bool = False
    ) -> "Axis":
        """An axis along tokens; `begins`: they are the target from its beginning on."""
        if isinstance(tokens, Tokens):
            labels = labels_of(tokens, begins)
            texts, pieces = tokens.texts, tokens.pieces
            return cls(name, len(tokens), texts, pieces=pieces, labels=labels, title=title)
        return cls(name, len(tokens), tuple(tokens), labels=tuple(tokens), title=title)

    def to_json(self) -> _AxisJson:
        """What a table says of it."""
        return {
            "name": self.name,
            "length": self.length,
            "tokens": self.tokens,
            "start": self.start,
            "pieces": self.pieces,
            "picked": self.picked,
        }


@dataclass(frozen=True, eq=False)
class Table:
    """Arrays that share their axes; a name ends in its dimensions, as everywhere."""

    name: str
    axes: tuple[Axis, ...]
    values: dict[str, np.ndarray]

    def __post_init__(self) -> None:
        shape = tuple(axis.length for axis in self.axes)
        for name, array in self.values.items():
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}; its axes ask for {shape}")

    def __len__(self) -> int:
        return int(np.prod([axis.length for axis in self.axes]))


@dataclass(frozen=True, eq=False)
class TableOf:
    """A table of an answer: its name, its axes, and where in the answer each array lies.

    `arrays` maps a name in the table to a path such as "changes.0.distance", or to several whose
    arrays lie under one another; a part of a path in braces is said by the view. What an answer
    holds as null has no place in the table. An array that holds more than the axes ask for has
    those of `at` before them, (name, length) each, and the view says which place is meant.
    """

    name: str
    axes: tuple[Axis, ...]
    arrays: Mapping[str, str | tuple[str, ...]]
    at: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> AnswerTable:
        """The same for the page."""
        return {
            "name": self.name,
            "axes": [axis.to_json() for axis in self.axes],
            "arrays": self.arrays,
            "at": list(self.at),
        }


Tables = dict[str, tuple[TableOf, ...]]  # by the pictures that show them


def filled(table: TableOf, values: Mapping[str, Any], view: Mapping[str, Any]) -> Table:
    """The table with its numbers; `view` says the places, counted from 0."""
    shape = tuple(axis.length for axis in table.axes)
    arrays = {}
    for name, where in table.arrays.items():
        paths = (where,) if isinstance(where, str) else where
        parts = [_found(values, path.format_map(view)) for path in paths]
        if any(part is None for part in parts):
            continue
        array = np.asarray(parts[0] if isinstance(where, str) else np.stack(parts))
        if array.size > int(np.prod(shape)):
            array = array.reshape(*(length for _, length in table.at), *shape)
            array = array[tuple(view[at] for at, _ in table.at)]
        array = array.reshape(shape)
        for direction, axis in enumerate(table.axes):
            if axis.picked is not None:
                array = array.take(view[axis.picked], axis=direction)
        arrays[name] = array
    return Table(table.name, tuple(_shown(axis, view) for axis in table.axes), arrays)


def _shown(axis: Axis, view: Mapping[str, Any]) -> Axis:
    if axis.picked is not None:
        return Axis.of(axis.name, [str(place) for place in view[axis.picked]], axis.title)
    tokens = axis.pieces if view["spelled"] and axis.pieces else axis.tokens
    return replace(axis, tokens=tokens, pieces=None)


def _found(values: Any, path: str) -> Any:
    for part in path.split("."):
        if is_dataclass(values):
            values = getattr(values, part)
        else:
            values = values[int(part)] if isinstance(values, list | tuple) else values[part]
    return values
