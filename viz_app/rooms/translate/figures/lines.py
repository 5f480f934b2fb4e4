"""One head as lines: queries on the left, keys on the right, a curve for each weight."""

from collections.abc import Sequence

import plotly.graph_objects as go

from model_core.values.trace import AttentionTrace
from viz_app.figures.labels import widest, width_of
from viz_app.figures.look import LOOK, Look, colour_at
from viz_app.figures.paper import Axes, Box, Paper, quiet_axis, row_axis
from viz_app.rooms.translate.figures.attention import Rows, sheet_of, title_read, unit_of
from viz_app.rooms.translate.readings import Read

LEAST = 0.02  # a thinner line could not be seen; the data has every weight
_KEY = (0.1, 0.5, 1.0)  # weights whose lines are shown as a legend


def lines_figure(
    trace: AttentionTrace,
    head: int,
    look: Look = LOOK,
    rows: Rows | None = None,
    about: str = "",
    read: Read | None = None,
) -> go.Figure:
    """One head, counted from 1: the wider a line, the larger the weight; under 0.02 none.

    `read` is another reading, whose largest number has the widest line. Where `rows` has a step,
    its lines are in the accent colour and wholly opaque.
    """
    rows = rows or Rows()
    sheet = sheet_of(trace, head, look, rows, read)
    paper = Paper(look, title_read(trace, head, look, read, rows), about)
    size = look.type_size
    Q, K = sheet.shape
    most = max(Q, K)
    top = paper.top + 2.6 * size
    room = (paper.height or 1e9) - top - 3 * size
    pitch = max(
        1.2 * look.least_type_size, min(room / most, (2.6 if look.size == "slide" else 1.9) * size)
    )
    label = max(look.least_type_size, min(size, 0.8 * pitch))
    left, right = widest(sheet.rows, label) + size, widest(sheet.columns, label) + size
    gap = min(paper.inner_width - left - right, 36 * size)
    start = paper.margin + left + (paper.inner_width - left - right - gap) / 2
    box = Box(start, top, gap, most * pitch)
    drawn = Q if sheet.drawn is None else min(Q, sheet.drawn)
    rows_drawn = [text if at < drawn else "" for at, text in enumerate(sheet.rows)]
    axes = _columns(paper, box, rows_drawn, sheet.columns, label, most)
    current = sheet.outlined
    strongest = min(0.5 * size, 0.75 * max(pitch, 8))
    ink = colour_at(look.sequential, 0.78)
    for query in [*(q for q in range(drawn) if q != current), *([current] if drawn else [])]:
        if query is None:
            continue
        strength = 1 if current in (None, query) else 0.38
        colour = look["accent"] if query == current else ink
        for key in range(K):
            weight = float(sheet.values_RC[query, key]) / sheet.high
            if weight >= LEAST and (sheet.hidden_RC is None or not sheet.hidden_RC[query, key]):
                width, opacity = size / 30 + strongest * weight, strength * (0.08 + 0.92 * weight)
                path = f"M 0,{query} C 0.45,{query} 0.55,{key} 1,{key}"  # from edge to edge
                paper.path(path, {"color": colour, "width": width}, axes, min(1, opacity))
    ends = max(box.left - 0.5 * size, paper.margin + width_of(sheet.row_title, look.sized(0.85)))
    paper.text(ends, paper.top + 0.6 * size, sheet.row_title, 0.85, "quiet", "right")
    begins = min(
        box.right + 0.5 * size,
        paper.width - paper.margin - width_of(sheet.column_title, look.sized(0.85)),
    )
    paper.text(begins, paper.top + 0.6 * size, sheet.column_title, 0.85, "quiet")
    _legend(paper, box, strongest, ink, unit_of(look, read), sheet.high)
    return paper.figure()


def _columns(
    paper: Paper, box: Box, rows: Sequence[str], columns: Sequence[str], label: float, most: int
) -> Axes:
    """Both columns of tokens, each along its own axis; gives the axes of the lines."""
    axes: Axes = {}
    for side, labels in (("right", columns), ("left", rows)):
        down = row_axis(paper.look, labels, label, side=side, range=[most - 0.5, -0.5])
        axes = paper.axes(box, quiet_axis([0, 1]), down)
        paper.lines([None], [None], {}, axes)
    return axes


def _legend(paper: Paper, box: Box, strongest: float, ink: str, unit: str, limit: float) -> None:
    """Three lines and the weights they stand for, under the rest."""
    size = paper.type
    top = box.bottom + 0.8 * size
    left = box.left
    paper.text(left, top - 0.1 * size, unit, 0.8, "quiet", "right")
    for weight in _KEY:
        part = Box(left + 0.6 * size, top, 2 * size, 0.9 * size)
        line = {"color": ink, "width": size / 30 + strongest * weight}
        paper.line_key(part, line, f"{weight * limit:.3g}", opacity=0.08 + 0.92 * weight)
        left += 4.6 * size
    paper.grow(left, top + 1.8 * size)
