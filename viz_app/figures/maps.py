"""A map: numbers as coloured cells between two sequences, rows down and columns across.

Cells are bars of their own, so that every format holds them as vectors; where a picture would have
more than `MOST_VECTORS` of them, they are one image inside it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_app.figures.labels import stacked, widest, width_of
from viz_app.figures.look import Look, colour_at, colour_scale
from viz_app.figures.paper import Axes, Box, Paper, Span, axis_title, quiet_axis, trace

MOST_VECTORS = 12_000
_ROW_ASPECT, _COLUMN_ASPECT = 1.3, 1.7  # a cell is at most so much higher than wide, and wider


@dataclass(frozen=True, eq=False)
class Sheet:
    """One map: R rows, C columns."""

    values_RC: np.ndarray
    rows: Sequence[str]  # labels as Plotly reads them; empty: numbered by Plotly
    columns: Sequence[str]
    row_title: str
    column_title: str
    low: float = 0.0
    high: float = 1.0
    signed: bool = False  # numbers of its kind may be below 0, though none here is
    hidden_RC: np.ndarray | None = None  # True: hatched
    absent_RC: np.ndarray | None = None  # True: nothing is drawn, no frame either
    drawn: int | None = None  # rows drawn; the others keep their room
    outlined: int | None = None  # a row
    reads: str = "%{customdata[2]:.3f}: %{customdata[0]} | %{customdata[1]}"  # of a cell, on hover
    numbers: str | None = None  # how a cell's number is printed where there is room: ".2f"
    least: float = 0.0  # numbers nearer to 0 are not printed
    marks: tuple[tuple[int, int, str], ...] = ()  # row, column, sign over the cell
    square: bool = False  # the cells, where they have no labels
    fills: bool = False  # few labelled cells are as high as a slide lets them
    counted: Sequence[str] = ()  # without labels: what the columns are called; a few are written

    @property
    def shape(self) -> tuple[int, int]:
        R, C = self.values_RC.shape
        return R, C

    def scale(self, look: Look) -> tuple[str, ...]:
        """Its colours from `low` to `high`."""
        if self.low >= 0 and not self.signed:
            return look.sequential
        return signed_scale(look, self.low, self.high)

    def colours(self, look: Look, values_N: np.ndarray) -> list[str]:
        """The colours of some of its numbers."""
        scale, span = self.scale(look), self.high - self.low or 1.0
        return [colour_at(scale, (value - self.low) / span) for value in values_N.astype(float)]


def signed_scale(look: Look, low: float, high: float) -> tuple[str, ...]:
    """The colours on both sides of 0, as far as numbers from `low` to `high` go."""
    limit, count = max(-low, high), len(look.diverging)
    shares_N = 0.5 + 0.5 * np.linspace(low, high, count) / limit
    return tuple(colour_at(look.diverging, float(share)) for share in shares_N)


@dataclass(frozen=True)
class Place:
    """Where a map goes: its cells, and the type of its labels."""

    cells: Box
    label: float  # pixels of type
    angle: int  # of the column labels
    row_room: float  # pixels left of the cells that the labels and the title take
    column_room: float  # pixels above

    @property
    def right(self) -> float:
        """Where the labels of the columns end, slanted ones over the last cell."""
        return self.cells.right + (0.55 * self.column_room if self.angle == -45 else 0)


def place_map(
    look: Look,
    sheet: Sheet,
    left: float,
    top: float,
    width: float,
    height: float,
    with_rows: bool = True,
) -> Place:
    """The largest place for a map in a room; larger than the room where labels need it."""
    R, C = sheet.shape
    size, least = look.type_size, look.least_type_size
    title = 1.75 * size
    row_label = widest(sheet.rows, 1.0)
    column_label = widest(sheet.columns, 1.0)
    columns = stacked(sheet.columns)
    signs = max((label.count("<br>") + 1 for label in columns or ()), default=0)
    label, angle = size, 0
    row_room = column_room = 0.0
    across = down = 1.0
    for _ in range(6):  # labels take room from cells, and cells give labels their size
        row_room = title + (row_label * label + 0.6 * size if sheet.rows else 2.2 * size)
        row_room = row_room if with_rows else 0.3 * size
        flat = column_label * label + 0.5 * label
        standing = 1.35 * signs * label if columns else flat
        reach = {0: 1.35 * label, -45: 0.74 * (flat + label), -90: standing}[angle]
        column_room = title + (reach + 0.35 * size if sheet.columns else 1.6 * size)
        slant = 0.5 * reach if angle == -45 else 0
        across = max(1.1 * least if sheet.columns else 0.4, (width - row_room - slant) / C)
        down = max(1.15 * least if sheet.rows else 1.0, (height - column_room) / R)
        if sheet.columns and not sheet.fills:
            across = min(across, _COLUMN_ASPECT * down, 4.2 * size)
        if sheet.square:
            across = down = min(across, down)
        if sheet.rows and not (sheet.fills and look.size == "slide"):
            down = min(down, _ROW_ASPECT * across if sheet.columns else down, 2.6 * size)
        if sheet.columns:
            angle = 0 if flat <= across else -45 if across >= 1.35 * label else -90
        by_rows = 0.86 * down if sheet.rows else 0.8 * size
        label = max(least, min(size, by_rows, across if angle == -90 else size))
    cells = Box(left + row_room, top + column_room, C * across, R * down)
    return Place(cells, label, angle, row_room, column_room)


def draw_map(
    paper: Paper, sheet: Sheet, place: Place, labelled: tuple[bool, bool] = (True, True)
) -> Axes:
    """Draw a map at its place; `labelled`: rows, columns. Gives the axes it stands on."""
    look = paper.look
    R, C = sheet.shape
    columns = stacked(sheet.columns) if place.angle == -90 else None
    x = _axis(look, columns or sheet.columns, sheet.column_title, place, labelled[1], C)
    if sheet.counted and labelled[1]:
        some = range(0, C, max(1, C // 6))
        ticks = {"tickvals": list(some), "ticktext": [sheet.counted[at] for at in some]}
        x |= {"tickmode": "array", **ticks}
    x |= {"side": "top", "tickangle": 0 if columns else place.angle}
    y = _axis(look, _reached(sheet), "", place, labelled[0], R)
    if labelled[0] and sheet.row_title:  # not the axis's own title, which moves with its labels
        left = place.cells.left - place.row_room + 0.8 * paper.type
        middle = place.cells.top + place.cells.height / 2
        turned: dict[str, Any] = {"textangle": -90, "xanchor": "center", "yanchor": "middle"}
        paper.text(left, middle, sheet.row_title, 0.9, "quiet", **turned)
    axes = paper.axes(place.cells, x | {"range": [-0.5, C - 0.5]}, y | {"range": [R - 0.5, -0.5]})
    shown_RC = np.zeros((R, C), bool)
    shown_RC[: R if sheet.drawn is None else sheet.drawn] = True
    hidden_RC = np.zeros((R, C), bool) if sheet.hidden_RC is None else sheet.hidden_RC
    _draw_hidden(paper, sheet, hidden_RC & shown_RC, place.cells, axes)
    if sheet.absent_RC is not None:
        shown_RC &= ~sheet.absent_RC
    shown_RC &= ~hidden_RC
    # A bar of less than a pixel is not drawn at all.
    if R * C <= MOST_VECTORS and min(place.cells.width / C, place.cells.height / R) >= 1:
        _draw_cells(paper, sheet, shown_RC, place.cells, axes)
    else:
        _draw_image(paper, sheet, shown_RC, axes)
    if sheet.numbers:
        _draw_numbers(paper, sheet, shown_RC, place.cells, axes)
    if sheet.marks:
        font = {"size": look.sized(0.8), "color": look["ink"], "weight": 700}
        down, across, signs = map(list, zip(*sheet.marks, strict=True))
        paper.signs(across, down, signs, font, axes)
    if sheet.absent_RC is None:
        paper.frame([_span(sheet)], axes)
    if sheet.outlined is not None:
        row = (-0.5, sheet.outlined - 0.5, C - 0.5, sheet.outlined + 0.5)
        paper.frame([row], axes, "accent", paper.type / 9)
    return axes


def _reached(sheet: Sheet) -> list[str]:
    """The labels of the rows; those to come keep their room and have none."""
    drawn = len(sheet.rows) if sheet.drawn is None else sheet.drawn
    return [label if at < drawn else "" for at, label in enumerate(sheet.rows)]


def _axis(
    look: Look, labels: Sequence[str], title: str, place: Place, labelled: bool, count: int
) -> dict[str, Any]:
    axis = quiet_axis([0, 1])
    if not labelled:
        return axis
    axis["title"] = axis_title(look, title)
    axis |= {"showticklabels": True, "tickfont": {"size": place.label, "color": look["ink"]}}
    axis["ticklabelstandoff"] = max(1, round(0.25 * place.label))
    if labels:
        return axis | {"tickmode": "array", "tickvals": list(range(count)), "ticktext": [*labels]}
    return axis | {"tickmode": "auto", "nticks": 8, "tickformat": "d"}


def _draw_cells(paper: Paper, sheet: Sheet, shown_RC: np.ndarray, cells: Box, axes: Axes) -> None:
    look = paper.look
    rows, columns = np.nonzero(shown_RC)
    values = sheet.values_RC[rows, columns].astype(float)
    colours = sheet.colours(look, values)
    pitch = min(cells.width / sheet.shape[1], cells.height / sheet.shape[0])
    marker: dict[str, Any] = {
        "color": colours,
        "line": {"width": min(1.0, pitch / 16), "color": look["paper"]},
    }
    paper.add(
        trace(
            "bar",
            x=columns.tolist(),
            y=[1.0] * len(rows),
            base=(rows - 0.5).tolist(),
            width=1.0,
            marker=marker,
            customdata=_spoken(sheet, rows, columns, values),
            hovertemplate=f"{sheet.reads}<extra></extra>",
            **axes,
        )
    )
    if not look.marks_negative or sheet.low >= 0:
        return
    for ink in sorted({look.on(colour) for colour in colours}):
        below = [
            (c - 0.5, r - 0.5, c + 0.5, r + 0.5)
            for r, c, value, colour in zip(rows, columns, values, colours, strict=True)
            if value < 0 and look.on(colour) == ink
        ]
        paper.hatch(below, cells, _span(sheet), ink, axes, True, max(3.0, pitch / 4))


def _spoken(
    sheet: Sheet, rows: np.ndarray, columns: np.ndarray, values: np.ndarray
) -> list[list[Any]]:
    """What the hover text quotes: the row, the column, the number."""

    def label(labels: Sequence[str], at: int) -> str:
        return labels[at] if labels else str(at)

    return [
        [label(sheet.rows, row), label(sheet.columns or sheet.counted, column), value]
        for row, column, value in zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True)
    ]


def _draw_image(paper: Paper, sheet: Sheet, shown_RC: np.ndarray, axes: Axes) -> None:
    values_RC = np.where(shown_RC, sheet.values_RC, np.nan)
    scale = colour_scale(sheet.scale(paper.look))
    colours = {"zmin": sheet.low, "zmax": sheet.high, "colorscale": scale}
    quiet = {"showscale": False, "hoverongaps": False, "hovertemplate": "%{z:.3f}<extra></extra>"}
    paper.add(trace("heatmap", z=values_RC, **colours, **quiet, **axes))


def _draw_hidden(paper: Paper, sheet: Sheet, hidden_RC: np.ndarray, cells: Box, axes: Axes) -> None:
    """Every run of hidden cells in a row is hatched."""
    runs: list[Span] = []
    for row, hidden_C in enumerate(hidden_RC):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], hidden_C.astype(int), [0])))) - 0.5
        runs += [
            (float(a), row - 0.5, float(b), row + 0.5)
            for a, b in zip(edges[::2], edges[1::2], strict=True)
        ]
    if runs:
        paper.hatch(runs, cells, _span(sheet), paper.look["mask"], axes)


def _span(sheet: Sheet) -> Span:
    R, C = sheet.shape
    return (-0.5, -0.5, C - 0.5, R - 0.5)


def _draw_numbers(paper: Paper, sheet: Sheet, shown_RC: np.ndarray, cells: Box, axes: Axes) -> None:
    """The numbers of the cells, where they fit."""
    rows, columns = np.nonzero(shown_RC & (np.abs(sheet.values_RC) >= sheet.least))
    texts = [format(float(value), sheet.numbers or "") for value in sheet.values_RC[rows, columns]]
    texts = [text if float(text) else text.lstrip("-") for text in texts]
    # As on the page: without the 0 before the point.
    texts = [re.sub(r"^(-?)0(?=[.])", r"\1", text).replace("-", "\u2212") for text in texts]
    size = paper.look.sized(0.62)
    pitch = cells.width / sheet.shape[1]
    low = cells.height / sheet.shape[0] < 1.1 * size
    if not texts or low or widest(texts, size) > 0.96 * pitch:
        return
    colours = sheet.colours(paper.look, sheet.values_RC[rows, columns])
    font = {"size": size, "color": [paper.look.on(colour) for colour in colours]}
    paper.signs(columns.tolist(), rows.tolist(), texts, font, axes)


def bar_room(look: Look, title: str, sheet: Sheet) -> float:
    """How many pixels wide what `draw_bar` draws is, with what parts it from the cells."""
    size, masked = look.type_size, _masked(look, sheet)
    ticks = 3.6 * size if 0 < sheet.high < 0.001 else 2.6 * size  # of powers of ten
    swatch = 1.3 * size + width_of(masked, look.sized(0.8)) if masked else 0
    return 1.1 * size + max(0.8 * size + ticks, width_of(title, look.sized(0.85)), swatch)


def draw_bar(paper: Paper, cells: Box, left: float, title: str, sheet: Sheet) -> None:
    """The printed colour scale beside the cells, and under it what hatching means."""
    size, look = paper.type, paper.look
    masked = _masked(look, sheet)
    height = max(5 * size, min(cells.height - (3.4 * size if masked else 0), 14 * size))
    box = Box(left, cells.top, 0.8 * size, height)
    paper.bar(box, title, sheet.scale(look), sheet.low, sheet.high)
    if masked:
        paper.swatch(left, box.bottom + 0.7 * size, masked)
    if look.marks_negative and sheet.low < 0:
        top = box.bottom + (2.3 if masked else 0.7) * size
        paper.swatch(left, top, look.word("figure_below"), True)


def _masked(look: Look, sheet: Sheet) -> str:
    """What hatching means, where there is any."""
    is_hatched = sheet.hidden_RC is not None and bool(sheet.hidden_RC.any())
    return look.word("masked") if is_hatched else ""
