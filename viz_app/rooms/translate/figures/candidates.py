"""The most probable next tokens of a step, as bars."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from model_core.values.trace import Tokens
from viz_app.figures.labels import isolated, named, widest
from viz_app.figures.look import LOOK, Look, colour_at
from viz_app.figures.paper import Box, Paper, number_axis, row_axis


def candidates_figure(
    tokens: Tokens,
    log_probabilities: Sequence[float],
    chosen: int | None,
    step: int,
    after: str,
    look: Look = LOOK,
    about: str = "",
) -> go.Figure:
    """Bars from 0 to 1, best first; `chosen` is the id of the token taken, which is marked.

    Probabilities are of the full softmax, so that those shown need not add up to 1.
    """
    title = look.word("figure_candidates", step=step, after=isolated(after))
    paper = Paper(look, title, about)
    size = look.type_size
    probabilities = [math.exp(value) for value in log_probabilities]
    names = zip(named(tokens, look), tokens.ids, strict=True)
    labels = [f"{text} ✓" if token == chosen else text for text, token in names]
    N = len(labels)
    top = paper.top + 0.5 * size
    room = (paper.height or 1e9) - top - paper.margin - 4.4 * size
    pitch = min(2.2 * size, room / N)
    left = paper.margin + widest(labels, size) + 2 * size
    box = Box(left, top, paper.width - left - paper.margin - 4 * size, N * pitch)
    across = number_axis(look, [0, 1], look.word("figure_probability"), tickformat=".1f")
    axes = paper.axes(box, across, row_axis(look, labels, size))
    took = [token == chosen for token in tokens.ids]
    colours = [look["accent"] if taken else colour_at(look.scale, 0.55) for taken in took]
    texts = [f"{value:.3f}" if value >= 0.0005 else "&lt;0.001" for value in probabilities]
    told = {"text": texts, "textposition": "outside", "cliponaxis": False, "hoverinfo": "skip"}
    paper.bars(probabilities, colours, axes, **told)
    legend = look.word("figure_chosen") if chosen in tokens.ids else ""
    paper.text(box.right, box.bottom + 2.9 * size, legend, 0.85, "quiet", "right")
    paper.grow(box.right, box.bottom + 4.4 * size)
    return paper.figure()
