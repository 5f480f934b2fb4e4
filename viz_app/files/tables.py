"""The ways to keep tables: NPZ, JSON and CSV. Nothing is computed here."""

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from model_core.errors import ExportError
from model_core.values.decoding_file import npz_of
from viz_app.text import named_error
from viz_app.values.tables import Axis, Table

MOST_ROWS = 500_000  # of a CSV; spreadsheets read a million
_QUOTE = '"'
_APART = re.compile('[,"\r\n]')  # what would end a cell
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # the last four are wide


def to_npz(tables: Sequence[Table], about: dict[str, Any]) -> bytes:
    """Every array as "table.array", and under "labels" everything else as a JSON string."""
    arrays = {
        f"{table.name}.{name}": array for table in tables for name, array in table.values.items()
    }
    axes = {table.name: [_axis_json(axis) for axis in table.axes] for table in tables}
    return npz_of(arrays, about | {"axes": axes})


def to_json(tables: Sequence[Table], about: dict[str, Any]) -> bytes:
    """Everything as one object; numbers read back to the same float32, and what is not finite is
    null."""
    values = {
        table.name: {
            "axes": [_axis_json(axis) for axis in table.axes],
            "values": {name: _listed(array) for name, array in table.values.items()},
        }
        for table in tables
    }
    text = json.dumps(about | {"tables": values}, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode()


def to_csv(tables: Sequence[Table], about: dict[str, Any] | None = None) -> bytes:
    """One row per place, one column per axis and an array.

    Several tables stand under one another; the first column names them. A token that a spreadsheet
    would run as a formula has an apostrophe before it. UTF-8 with a mark, which spreadsheets need.
    There is no place for what they are about.
    """
    rows = sum(len(table) for table in tables)
    if rows > MOST_ROWS:
        raise named_error(ExportError, "rows", n=rows, limit=MOST_ROWS)
    several = len(tables) > 1
    found = [_columns(table) for table in tables]
    names = list(dict.fromkeys(name for columns in found for name in columns))
    lines = [_line((["table"] if several else []) + names)]
    for table, columns in zip(tables, found, strict=True):
        empty = [""] * len(table)
        cells = [columns.get(name, empty) for name in names]
        named = [[table.name] * len(table)] if several else []
        lines += map(_line, zip(*named, *cells, strict=True))
    return "".join(lines).encode("utf-8-sig")


# The formats by the endings of names: the type of each, and what writes it. Its words are
# export_format_ and export_about_ in text/export.txt.
FORMATS: dict[str, tuple[str, Callable[[Sequence[Table], dict[str, Any]], bytes]]] = {
    "npz": ("application/octet-stream", to_npz),
    "json": ("application/json", to_json),
    "csv": ("text/csv", to_csv),
}


def lines_of_csv(lines: Iterable[Sequence[str]]) -> bytes:
    """Lines of texts as CSV that no spreadsheet runs."""
    return "".join(_line([defused(text) for text in line]) for line in lines).encode("utf-8-sig")


def _line(cells: Iterable[float | int | str]) -> str:
    return f"{','.join(map(_quoted, cells))}\r\n"


def _quoted(cell: float | int | str) -> str:
    """A cell as the module csv writes it, which a browser's Python does not have."""
    text = str(cell)
    return f'"{text.replace(_QUOTE, _QUOTE * 2)}"' if _APART.search(text) else text


def defused(text: str) -> str:
    """A text that no spreadsheet runs."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _columns(table: Table) -> dict[str, list[Any]]:
    """What stands below each name: the places of every axis with their tokens, then the numbers."""
    columns: dict[str, list[Any]] = {}
    shape = [axis.length for axis in table.axes]
    for axis, places in zip(table.axes, np.indices(shape).reshape(len(shape), -1), strict=True):
        columns[axis.name] = (places + axis.start).tolist()
        if axis.tokens is not None:
            columns[f"{axis.name}_token"] = [defused(axis.tokens[at]) for at in places]
    for name, array in table.values.items():
        columns[_plain(name)] = [_cell(value) for value in array.ravel().tolist()]
    return columns


def _cell(value: float | int | bool | str) -> float | int | str:
    if isinstance(value, str):
        return defused(value)
    if value != value:  # there is no such number, and so nothing in the cell
        return ""
    # Nine digits read back to the same float32.
    return float(f"{value:.9g}") if isinstance(value, float) else int(value)


def _plain(name: str) -> str:
    """The name of an array without its dimensions."""
    head, _, dimensions = name.rpartition("_")
    return head if head and dimensions.isupper() else name


def _axis_json(axis: Axis) -> dict[str, Any]:
    tokens = None if axis.tokens is None else list(axis.tokens)
    return {"name": axis.name, "start": axis.start, "length": axis.length, "tokens": tokens}


def _listed(array: np.ndarray) -> Any:
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        return np.vectorize(lambda x: x if math.isfinite(x) else None, [object])(array).tolist()
    return array.tolist()
