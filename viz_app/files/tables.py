"""The three ways to keep tables: NPZ, JSON and CSV. Nothing is computed here."""

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from model_core.errors import ExportError
from viz_app.rooms.tables import Axis, Table
from viz_app.text import told

MOST_ROWS = 500_000  # of a CSV; spreadsheets read a million
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # the last four are wide


def to_npz(tables: Sequence[Table], about: dict[str, Any]) -> bytes:
    """Every array as "table.array", and under "labels" everything else as a JSON string."""
    arrays = {
        f"{table.name}.{name}": array for table in tables for name, array in table.values.items()
    }
    axes = {table.name: [_axis_json(axis) for axis in table.axes] for table in tables}
    labels = json.dumps(about | {"axes": axes}, ensure_ascii=False)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays, labels=np.array(labels))
    return file.getvalue()


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


def to_csv(tables: Sequence[Table]) -> bytes:
    """One row a place, one column an axis and an array.

    Several tables stand under one another; the first column names them. A token that a spreadsheet
    would run as a formula has an apostrophe before it. UTF-8 with a mark, which spreadsheets need.
    """
    rows = sum(len(table) for table in tables)
    if rows > MOST_ROWS:
        raise told(ExportError, "rows", n=rows, limit=MOST_ROWS)
    several = len(tables) > 1
    columns = list(dict.fromkeys(name for table in tables for name in _columns(table)))
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow((["table"] if several else []) + columns)
    for table in tables:
        for row in _rows(table):
            cells = [row.get(column, "") for column in columns]
            writer.writerow(([table.name] if several else []) + cells)
    return file.getvalue().encode("utf-8-sig")


def defused(text: str) -> str:
    """A text that no spreadsheet runs."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _columns(table: Table) -> Iterator[str]:
    for axis in table.axes:
        yield axis.name
        if axis.tokens is not None:
            yield f"{axis.name}_token"
    for name in table.values:
        yield _plain(name)


def _rows(table: Table) -> Iterator[dict[str, Any]]:
    names = {name: _plain(name) for name in table.values}
    lists = {name: array.tolist() for name, array in table.values.items()}
    for place in product(*(range(axis.length) for axis in table.axes)):
        row: dict[str, Any] = {}
        for axis, at in zip(table.axes, place, strict=True):
            row[axis.name] = at + axis.start
            if axis.tokens is not None:
                row[f"{axis.name}_token"] = defused(axis.tokens[at])
        for name, column in names.items():
            value = lists[name]
            for at in place:
                value = value[at]
            row[column] = defused(value) if isinstance(value, str) else _cell(value)
        yield row


def _cell(value: float | int | bool) -> float | int | str:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return float(f"{value:.9g}")  # nine digits read back to the same float32
    return value


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
