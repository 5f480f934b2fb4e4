"""Sheets as one Plotly figure: its size, where each sheet stands, and what is said around them.

Plotly makes room for titles, labels and colour bars at the edges. Here a figure is only made so
large that its cells can be read.
"""

import itertools
import math
import re
import textwrap

import plotly.graph_objects as go

from viz_app.figures.axes import labels_along, rows_of
from viz_app.figures.canvas import TYPE, Box, Canvas, Spec
from viz_app.figures.labels import room_of, said, title_said
from viz_app.figures.look import Look
from viz_app.figures.maps import draw_lines, draw_map
from viz_app.figures.plots import (
    BESIDE,
    draw_arrows,
    draw_bars,
    draw_curves,
    draw_points,
    draw_upright,
)
from viz_app.figures.tree import column_of, draw_tree, rows_of_nodes
from viz_app.values.sheets import Arrows, Bars, Curves, Map, Panel, Points, Sheets, Tree

WIDTH = 1000  # CSS pixels of a figure, unless its columns need more
_ROW, _COLUMN = 24, 13  # of a row and of a column with labels
_PLOT = 380  # the height of what has no rows of its own
_SIDES = 150  # about what labels and colour bars take beside the plot
_GAP = {"bare": 16, "rows": 70, "columns": 24}  # between sheets
_HEAD, _LINE, _FOOT = 120, 18, 60  # of the title and what stands over maps, of a line, below
_AXIS = 48  # of the numbers and the title of an axis below a sheet, where a note follows
_NUMBERS = 60  # of those of an axis beside a sheet
_LETTERS = 130  # of a line under the title


def figure_of(sheets: Sheets, look: Look, about: str = "") -> go.Figure:
    """The figure of sheets; `about` is a line under the title, as Plotly reads it."""
    canvas = Canvas(look)
    rows = [list(row) for row in sheets.panels]
    width = max(WIDTH, *(_SIDES + sum(_least(one, look) for one in row) for row in rows))
    are_bare = any(isinstance(one, Map) and one.bare for row in rows for one in row)
    gap = _GAP["bare" if are_bare else "rows"]
    heights = [max(_height(one, len(rows)) for one in row) for row in rows]
    whole = sum(heights) + gap * (len(rows) - 1)
    top, labels = 0.0, 0.0
    for row, height in zip(rows, heights, strict=True):
        down = (max(0.0, 1 - (top + height) / whole), 1 - top / whole)
        boxes = _boxes(row, look, down, width - _SIDES, height)
        for at, (sheet, box) in enumerate(zip(row, boxes, strict=True)):
            is_named = at == 0 or rows_of(sheet) != rows_of(row[at - 1])
            _draw(canvas, sheet, box, is_named)
            if isinstance(sheet, Map) and not top:
                labels = max(labels, _labels_room(sheet, look, box.width))
        top += height + gap
    title = _title(sheets, look, about)
    lines = title["subtitle"]["text"].count("<br>") + 1 if title["text"] else 0
    note = _wrapped(said(sheets.note, look))
    axis = _AXIS if note and any(_has_number_axes(one) for one in rows[-1]) else 0
    foot = _FOOT + axis + _LINE * (note.count("<br>") + 1 if note else 0)
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": 0, "align": "left"}
    place |= {"yshift": -6 - axis, "xanchor": "left", "yanchor": "top", "showarrow": False}
    below = place | {"text": note, "font": {"color": look["quiet"]}}
    return canvas.figure(
        title=title,
        annotations=[below] if note else [],
        width=round(width),
        height=round(whole + _HEAD + _LINE * lines + labels + foot),
        margin={"l": 30, "r": 30, "t": 24, "b": foot - 16},
    )


def _has_number_axes(sheet: Panel) -> bool:
    return isinstance(sheet, Curves | Points) or (isinstance(sheet, Bars) and sheet.upright)


def _wrapped(text: str) -> str:
    """The text on as many lines as it needs; a Chinese letter is as wide as two others."""
    wide = re.sub(r"[\u2e80-\uffef]", "\\g<0>\0", text)
    lines = textwrap.wrap(wide, _LETTERS, break_long_words=False, break_on_hyphens=False)
    return "<br>".join(lines).replace("\0", "")


def _title(sheets: Sheets, look: Look, about: str) -> Spec:
    """The title, and under it what it is of; both empty where a look has none."""
    lines = [about] if sheets.about is None else [said(one, look) for one in sheets.about]
    under = "<br>".join(_wrapped(one) for one in lines)
    place = {"x": 0, "xref": "paper", "xanchor": "left", "yref": "container", "automargin": True}
    place |= {"pad": {"t": 8, "b": 14}, "font": {"size": TYPE["title"], "weight": 600}}
    quiet = {"size": TYPE["size"], "color": look["quiet"]}
    return place | {
        "text": title_said(sheets, look),
        "subtitle": {"text": under if look.title else "", "font": quiet},
    }


def _height(sheet: Panel, rows: int) -> float:
    """The height of a sheet in pixels; `rows` of sheets stand below each other."""
    match sheet:
        case Tree():
            return _ROW * (1 + max(rows_of_nodes(sheet.steps)))
        case Arrows():
            return 160 * math.ceil(len(sheet.said) / BESIDE)
        case Map(bare=True):
            return 130
        case Bars(upright=True):
            return _PLOT if rows == 1 else 120
    along = rows_of(sheet)
    if along is None or not along.labels:
        return _PLOT
    return max(_ROW * along.length, 120 if rows > 1 else 200)


def _labels_room(sheet: Map, look: Look, width: float) -> float:
    """About how many pixels the labels of the columns take above a map so wide."""
    room = room_of(labels_along(sheet.columns, look))
    return 20.0 if room <= width / sheet.columns.length else room


def _least(sheet: Panel, look: Look) -> float:
    """The pixels that a sheet has to be wide."""
    if isinstance(sheet, Tree):
        return max(sheet.steps) * column_of(sheet, look)
    if isinstance(sheet, Map) and not sheet.bare and not sheet.lines:
        return _COLUMN * len(sheet.columns.labels or ())
    return 0


def _boxes(
    row: list[Panel], look: Look, down: tuple[float, float], width: float, height: float
) -> list[Box]:
    """Where the sheets of a row stand beside one another; bars are narrower than maps."""
    shares = [0.6 if isinstance(one, Bars) and len(row) > 1 else 1.0 for one in row]
    gaps = [0.0]
    for before, sheet in itertools.pairwise(row):
        axis = rows_of(sheet)
        gaps.append(_GAP["columns"] / width)
        if axis is not None and axis != rows_of(before):  # which has labels of its own
            gaps[-1] += (room_of(labels_along(axis, look)) + 30) / width
        if _has_number_axes(sheet):
            gaps[-1] += _NUMBERS / width
    free, left, boxes = 1 - sum(gaps), 0.0, []
    for share, gap in zip(shares, gaps, strict=True):
        part = free * share / sum(shares)
        across = (left + gap, min(1.0, left + gap + part))
        boxes.append(Box(across, down, part * width, height))
        left += gap + part
    return boxes


def _draw(canvas: Canvas, sheet: Panel, box: Box, is_named: bool) -> None:
    """Draw a sheet in its box, by its kind; its rows have labels of their own where `is_named`."""
    match sheet:
        case Map(lines=True):
            draw_lines(canvas, sheet, box)
        case Map():
            draw_map(canvas, sheet, box, is_named)
        case Bars(upright=True):
            draw_upright(canvas, sheet, box)
        case Bars():
            draw_bars(canvas, sheet, box, is_named)
        case Curves():
            draw_curves(canvas, sheet, box)
        case Points():
            draw_points(canvas, sheet, box)
        case Arrows():
            draw_arrows(canvas, sheet, box)
        case Tree():
            draw_tree(canvas, sheet, box)
