"""All heads of one site in a grid: a row a layer, a column a head."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from model_core.values.trace import AttentionTrace
from viz_app.figures.labels import widest
from viz_app.figures.look import LOOK, Look
from viz_app.figures.maps import Place, Sheet, bar_room, draw_bar, draw_map
from viz_app.figures.paper import Box, Paper, Span
from viz_app.rooms.translate.figures.attention import Rows, sheet_of, title_to, unit_of
from viz_app.rooms.translate.readings import Read


def heads_figure(
    traces: Sequence[AttentionTrace],
    look: Look = LOOK,
    rows: Rows | None = None,
    about: str = "",
    read: Read | None = None,
) -> go.Figure:
    """Every head of the layers given, as maps on one scale; the axes are named once.

    `read` is another reading that has numbers of every head.
    """
    site = traces[0].site
    title = look.word("figure_heads", site=look.word(f"figure_site_{site}"))
    values_LHQK = np.stack([trace.weights_HQK for trace in traces])
    if read is not None:
        assert read.all_LHQK is not None  # a picture of heads has no other reading
        title = look.word(f"figure_read_{read.name}", head=title)
        values_LHQK = read.all_LHQK
    rows = rows or Rows()
    paper = Paper(look, title_to(title, traces[0], look, rows), about)
    size = look.type_size
    H, Q, K = traces[0].weights_HQK.shape
    first = sheet_of(traces[0], 1, look, rows)
    left, gap = paper.margin + 3.2 * size, 0.35 * size
    top = paper.top + 3.1 * size
    # One map of all heads, parted by empty cells: a pair of axes each would take twice as long.
    gaps = max(1, round(0.06 * Q)), max(1, round(0.06 * K))
    sheet, parts = _joined(traces, values_LHQK, look, rows, gaps)
    if read is not None:
        sheet = replace(sheet, high=float(values_LHQK.max(initial=0)) or 1.0)
    weight = unit_of(look, read)
    bar = bar_room(look, weight, sheet) + 0.4 * size
    across = (paper.inner_width - 3.2 * size - bar - gap * (H - 1)) / H
    room = (paper.height or 1e9) - top - paper.margin - gap * (len(traces) - 1)
    down = min(room / len(traces), across * min(1.4, max(0.6, Q / K)))
    across = min(across, down * min(1.6, max(0.75, K / Q)))
    R, C = sheet.shape
    box = Box(left, top, H * across + (H - 1) * gap, len(traces) * (down + gap) - gap)
    place = Place(box, size, 0, 0, 0)
    axes = draw_map(paper, sheet, place, (False, False))
    paper.frame(parts, axes)
    for at, trace in enumerate(traces):
        middle = top + box.height * (at * (Q + gaps[0]) + Q / 2) / R
        text = look.word("figure_layer", layer=trace.layer + 1)
        paper.text(left - 0.4 * size, middle, text, 0.8, "quiet", "right", yanchor="middle")
    names = [look.word("figure_head", head=head) for head in range(1, H + 1)]
    if widest(names, look.sized(0.8)) > across:
        names = [str(head) for head in range(1, H + 1)]
    for at, name in enumerate(names):
        middle = left + box.width * (at * (K + gaps[1]) + K / 2) / C
        paper.text(middle, top - 1.3 * size, name, 0.8, "quiet", "center")
    told = f"{first.row_title} ↓ · {first.column_title} →"
    paper.text(left, paper.top + 0.2 * size, told, 0.85, "quiet")
    draw_bar(paper, box, box.right + 1.1 * size, weight, sheet)
    return paper.figure()


def _joined(
    traces: Sequence[AttentionTrace],
    values_LHQK: np.ndarray,
    look: Look,
    rows: Rows,
    gaps: tuple[int, int],
) -> tuple[Sheet, list[Span]]:
    """All heads as one map, and where each of them is in it."""
    H, Q, K = traces[0].weights_HQK.shape
    down, across = Q + gaps[0], K + gaps[1]
    shape = (len(traces) * down - gaps[0], H * across - gaps[1])
    values_RC, hidden_RC = np.zeros(shape), np.zeros(shape, bool)
    absent_RC = np.ones(shape, bool)
    parts: list[Span] = []
    for at, trace in enumerate(traces):
        sheet = sheet_of(trace, 1, look, rows)
        drawn = Q if sheet.drawn is None else min(Q, sheet.drawn)
        for head in range(H):
            y, x = at * down, head * across
            values_RC[y : y + Q, x : x + K] = values_LHQK[at, head]
            hidden_RC[y : y + drawn, x : x + K] = ~trace.mask_QK[:drawn]
            absent_RC[y : y + drawn, x : x + K] = False
            parts.append((x - 0.5, y - 0.5, x + K - 0.5, y + Q - 0.5))
    return Sheet(values_RC, (), (), "", "", hidden_RC=hidden_RC, absent_RC=absent_RC), parts
