"""The most probable next tokens of a step, as bars."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from model_core.values.recipe import Strategy
from model_core.values.trace import Tokens
from viz_app.figures.labels import isolated, named, widest
from viz_app.figures.look import LOOK, Look, colour_at
from viz_app.figures.paper import Axes, Box, Paper, number_axis, row_axis


@dataclass(frozen=True, eq=False)
class Sampled:
    """What sampling makes of the tokens shown: with which strategy, and the share of each."""

    strategy: Strategy
    shares: Sequence[float]  # after the temperature and the cuts; 0 where it cannot be drawn


def candidates_figure(
    tokens: Tokens,
    log_probabilities: Sequence[float],
    ranks: Sequence[int],
    chosen: int | None,
    step: int,
    after: str,
    sampled: Sampled | None = None,
    look: Look = LOOK,
    about: str = "",
) -> go.Figure:
    """Bars from 0 to 1, best first; `chosen` is the id of the token taken, which is marked.

    Probabilities are of the full softmax, so that those shown need not add up to 1. Where a token
    was `sampled`, a bar is the probability that it is drawn with, and its outline the other one.
    Ranks count from 0; one beyond the tokens that are shown is printed.
    """
    title = look.word("figure_candidates", step=step, after=isolated(after))
    paper = Paper(look, title, about)
    size = look.type_size
    probabilities = [math.exp(value) for value in log_probabilities]
    names = zip(named(tokens, look), tokens.ids, ranks, strict=True)
    labels = [
        (f"#{rank + 1} " if rank >= len(ranks) else "") + text + (" ✓" if token == chosen else "")
        for text, token, rank in names
    ]
    N = len(labels)
    top = paper.top + 0.5 * size
    room = (paper.height or 1e9) - top - paper.margin - (7.4 if sampled else 4.4) * size
    pitch = min((3.4 if look.size == "slide" else 2.2) * size, room / N)
    left = paper.margin + widest(labels, size) + 2 * size
    box = Box(
        left, top, paper.width - left - paper.margin - (8 if sampled else 4) * size, N * pitch
    )
    across = number_axis(look, [0, 1], look.word("figure_probability"), tickformat=".1f")
    axes = paper.axes(box, across, row_axis(look, labels, size))
    took = [token == chosen for token in tokens.ids]
    colours = [look["accent"] if taken else colour_at(look.sequential, 0.55) for taken in took]
    _bars(paper, axes, probabilities, colours, sampled)
    legend = look.word("figure_chosen") if chosen in tokens.ids else ""
    paper.text(box.right, box.bottom + 2.9 * size, legend, 0.85, "quiet", "right")
    if sampled:
        for line, text in enumerate((_key(sampled, look), look.word("figure_outline"))):
            paper.text(paper.margin, box.bottom + (4.4 + 1.3 * line) * size, text, 0.85, "quiet")
    paper.grow(paper.width - paper.margin, box.bottom + (7.4 if sampled else 4.4) * size)
    return paper.figure()


def _bars(
    paper: Paper,
    axes: Axes,
    probabilities: list[float],
    colours: list[str],
    sampled: Sampled | None,
) -> None:
    """A bar and its number for each token; where a token was sampled, both of each."""
    told: dict[str, Any] = {"textposition": "outside", "cliponaxis": False, "hoverinfo": "skip"}
    plain = [_number(value) for value in probabilities]
    if sampled is None:
        paper.bars(probabilities, colours, axes, text=plain, **told)
        return
    edge = {"color": "rgba(0,0,0,0)", "line": {"color": paper.look["ink"], "width": 1}}
    cut = paper.look.word("figure_cut")
    texts = [
        f"{_number(share) if share > 0 else cut} ({text})"
        for share, text in zip(sampled.shares, plain, strict=True)
    ]
    # The numbers stand behind the longer bar of the two.
    longer = [max(pair) for pair in zip(probabilities, sampled.shares, strict=True)]
    paper.bars(longer, "rgba(0,0,0,0)", axes, text=texts, **told)
    paper.bars(list(sampled.shares), colours, axes, hoverinfo="skip")
    paper.bars(probabilities, None, axes, marker=edge, hoverinfo="skip")


def _number(value: float) -> str:
    return f"{value:.3f}" if value >= 0.0005 else "&lt;0.001"


def _key(sampled: Sampled, look: Look) -> str:
    """What the bars are, and the numbers that are not in brackets."""
    strategy = sampled.strategy
    cuts = [f"T = {strategy.temperature:g}"]
    if strategy.top_k:
        cuts.append(f"top-k {strategy.top_k}")
    if strategy.top_p < 1:
        cuts.append(f"top-p {strategy.top_p:g}")
    return look.word("figure_sampled", how=", ".join(cuts))
