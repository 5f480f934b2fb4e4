"""Dials of rotary positions: each pair of dimensions of a query and a key, turned and not.

The query is told from the key by its thicker line and filled end as well as by colour.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from viz_app.figures.look import Look, colour_at
from viz_app.figures.paper import Box, Paper, quiet_axis
from viz_app.rooms.room import Answer

_CIRCLE = np.linspace(0, 2 * math.pi, 49)
_RADIUS = 0.44  # of a cell one wide
_SAID = 0.42  # of a cell under its dial, for what it says


def dials_box(pairs: int, left: float, top: float, width: float, height: float) -> tuple[Box, int]:
    """The largest dials for so many pairs in a room, and how many stand beside one another."""

    def cell(across: int) -> float:
        return min(width / across, height / (math.ceil(pairs / across) * (1 + _SAID)))

    across = max(range(1, pairs + 1), key=cell)
    rows = math.ceil(pairs / across)
    size = cell(across)
    return Box(left, top, across * size, rows * (1 + _SAID) * size), across


def draw_dials(paper: Paper, answer: Answer, box: Box, across: int, pair: int | None) -> None:
    """The dials of the pair of tokens that `answer` places; `pair`, from 0, is outlined."""
    look, frequencies = paper.look, answer["frequencies"]
    query, key = answer["query"], answer["key"]
    rows = math.ceil(len(frequencies) / across)
    tall = 1 + _SAID
    axes = paper.axes(box, quiet_axis([0, across]), quiet_axis([rows * tall, 0]))
    middles = [(at % across + 0.5, at // across * tall + 0.5) for at in range(len(frequencies))]
    vectors = {
        name: answer[name][at].reshape(-1, 2)
        for name, at in (("q", query), ("turned_q", query), ("k", key), ("turned_k", key))
    }
    longest = np.max([np.hypot(*pairs_P2.T) for pairs_P2 in vectors.values()], axis=0)
    scale = _RADIUS / np.where(longest > 0, longest, 1)
    thin = paper.type / 18
    others = [middle for at, middle in enumerate(middles) if at != pair]
    _circles(paper, others, {"color": look["quiet"], "width": thin / 2}, axes)
    if pair is not None and pair < len(middles):
        _circles(paper, [middles[pair]], {"color": look["accent"], "width": 2 * thin}, axes)
    before = {"color": look["quiet"], "width": thin, "dash": "dot"}
    for name, line, mark in (
        ("k", before, None),
        ("q", before, None),
        ("turned_k", {"color": _key_colour(look), "width": 1.4 * thin}, "circle-open"),
        ("turned_q", {"color": look["accent"], "width": 2.6 * thin}, "circle"),
    ):
        _arrows(paper, middles, vectors[name] * scale[:, None], line, mark, axes)
    cell = box.width / across
    type_size = min(0.62 * paper.type, 0.16 * cell)
    for at, (x, y) in enumerate(middles):
        degrees = math.degrees(query * frequencies[at])
        said = f"{2 * at}, {2 * at + 1}<br>{degrees:.{0 if degrees >= 10 else 1}f}°"
        factor = max(type_size, 0.9 * look.least_type_size) / paper.type
        left, top = box.left + x * cell, box.top + (y + 0.48) * cell
        paper.text(left, top, said, factor, "quiet", "center")


def key_of_dials(paper: Paper, spot: Box, names: tuple[str, str]) -> None:
    """What the two arrows stand for, in one line."""
    look, size = paper.look, paper.type
    left = spot.left
    for name, colour, width, mark in (
        (names[0], look["accent"], 2.6, "circle"),
        (names[1], _key_colour(look), 1.4, "circle-open"),
    ):
        box = Box(left, spot.top, 1.8 * size, 0.9 * size)
        axes = paper.axes(box, quiet_axis([0, 1]), quiet_axis([1, 0]))
        line = {"color": colour, "width": width * size / 18}
        _arrows(paper, [(0.05, 0.5)], np.array([[0.75, 0.0]]), line, mark, axes)
        paper.text(box.right + 0.3 * size, spot.top, name, 0.75, "quiet")
        left = box.right + (0.3 + 0.5 * len(name)) * size + 1.2 * size


def _circles(
    paper: Paper, middles: Sequence[tuple[float, float]], line: dict[str, Any], axes: dict[str, str]
) -> None:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for x, y in middles:
        xs += [*(x + _RADIUS * np.cos(_CIRCLE)).tolist(), None]
        ys += [*(y + _RADIUS * np.sin(_CIRCLE)).tolist(), None]
    paper.lines(xs, ys, line, axes)


def _arrows(
    paper: Paper,
    middles: Sequence[tuple[float, float]],
    vectors_P2: np.ndarray,
    line: dict[str, Any],
    mark: str | None,
    axes: dict[str, str],
) -> None:
    """Lines from the middles; y of a vector points up. `mark` stands at their ends."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for (x, y), (a, b) in zip(middles, vectors_P2.tolist(), strict=True):
        xs += [x, x + a, None]
        ys += [y, y - b, None]
    sizes = [0, 1.6 * line["width"] + 2, 0] * len(middles)
    marker = {"symbol": mark, "size": sizes, "color": line["color"], "opacity": 1}
    ends = {} if mark is None else {"mode": "lines+markers", "marker": marker}
    paper.lines(xs, ys, line, axes, cliponaxis=False, **ends)


def _key_colour(look: Look) -> str:
    return colour_at(look.scale, 0.6)
