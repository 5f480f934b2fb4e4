"""A search as a tree from left to right; what does not fit goes on in a band below."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from viz_app.figures.canvas import Box, Canvas
from viz_app.figures.draw import quiet_axis
from viz_app.figures.labels import said, widest
from viz_app.figures.look import Look
from viz_app.values.sheets import Tree

_POINTS = 9  # of a curve


@dataclass(frozen=True)
class Plan:
    """How the steps are laid out; pixels."""

    rows: list[int]  # of each node
    said: list[str]  # of each node: its token and its score
    bands: list[range]  # steps beside one another
    heights: list[int]  # rows of each band
    label: float  # size of the type
    pitch: float  # from row to row
    stub: float  # before the first step of a band
    column: float  # from step to step
    text: float  # of a column, taken by its texts
    gap: float  # between two bands

    @property
    def height(self) -> float:
        """Of all bands."""
        return sum(self.heights) * self.pitch + (len(self.bands) - 1) * self.gap


def plan_of(tree: Tree, look: Look, width: float, height: float | None) -> Plan:
    """The largest rows, so that all bands stand in a room, if they can."""
    size, last = look.type_size, max(tree.steps)
    rows = rows_of(tree.steps)
    scores = [f"{number:.2f}".replace("-", "−") for number in tree.numbers]
    labels = (said(label, look) for label in tree.labels)
    texts = [" ".join(pair) for pair in zip(labels, scores, strict=True)]
    stub, label = 1.2 * size, max(look.least_type_size, 0.75 * size)
    per = max(1, min(last, int((width - stub) / (widest(texts, label) + 3 * label))))
    bands = [range(first, min(last, first + per - 1) + 1) for first in range(1, last + 1, per)]
    heights = [
        1 + max(row for row, step in zip(rows, tree.steps, strict=True) if step in band)
        for band in bands
    ]
    gap = 1.2 * size
    room = 1e9 if height is None else height - gap * len(bands)
    pitch = max(1.25 * look.least_type_size, min(1.6 * size, room / sum(heights)))
    label = max(look.least_type_size, min(label, 0.75 * pitch))
    text = widest(texts, label) + 1.2 * label
    column = (width - stub) / per
    return Plan(rows, texts, bands, heights, label, pitch, stub, column, text, gap)


def rows_of(steps: Sequence[int]) -> list[int]:
    """The row of each node: how many nodes of its step stand before it."""
    seen: dict[int, int] = {}
    rows = []
    for step in steps:
        rows.append(seen.get(step, 0))
        seen[step] = rows[-1] + 1
    return rows


def draw_tree(canvas: Canvas, tree: Tree, plan: Plan, box: Box) -> None:
    """What lives is dark, what was pruned struck out, what is lost grey; the best way is thick."""
    top = box.top
    for band, rows in zip(plan.bands, plan.heights, strict=True):
        _draw_band(canvas, tree, plan, band, Box(box.left, top, box.width, rows * plan.pitch))
        top += rows * plan.pitch + plan.gap


def _draw_band(canvas: Canvas, tree: Tree, plan: Plan, band: range, box: Box) -> None:
    look, thin = canvas.look, canvas.look.type_size / 22
    axes = canvas.axes(box, quiet_axis([0, box.width]), quiet_axis([box.height, 0]))
    here = [at for at, step in enumerate(tree.steps) if step in band]

    def left(at: int) -> float:
        return plan.stub + (tree.steps[at] - band.start) * plan.column

    def middle(at: int) -> float:
        return (plan.rows[at] + 0.5) * plan.pitch

    def edges(role: str, places: Iterable[int], colour: str, width: float, **more: Any) -> None:
        x: list[float | None] = []
        y: list[float | None] = []
        for at in places:
            parent = tree.parents[at]
            is_here = parent >= 0 and tree.steps[parent] in band
            x0 = left(parent) + plan.text if is_here else 0.0
            y0 = 0.5 * plan.pitch if parent < 0 else min(middle(parent), box.height)
            for t in (point / (_POINTS - 1) for point in range(_POINTS)):
                x.append(x0 + (left(at) - 0.2 * plan.label - x0) * t)
                y.append(y0 + (middle(at) - y0) * t * t * (3 - 2 * t))
            x.append(None)
            y.append(None)
        key = said(tree.names[role], look)
        key = f"<s>{key}</s>" if role == "pruned" else key
        line = {"color": look[colour], "width": width * thin} | more
        canvas.lines(x or [None], y or [None], axes, line=line, key=key)

    pruned = {at for at in here if tree.fates[at] == "pruned"}
    kept = [at for at in here if at not in tree.lost]
    edges("kept", kept, "quiet", 2)
    edges("won", (at for at in here if at in tree.won), "ink", 4)
    edges("greedy", (at for at in here if at in tree.greedy), "select", 2, dash="dash")
    edges("pruned", pruned, "mask", 1)
    edges("dead", (at for at in here if at in tree.lost - pruned), "mask", 1)
    finished = {"symbol": "square", "color": look["ink"], "size": 0.5 * look.type_size}
    key = said(tree.names["finished"], look)
    canvas.add("scatter", axes, key, x=[None], y=[None], mode="markers", marker=finished)
    for colour, group in (
        ("quiet", [at for at in here if at in tree.lost]),
        ("ink", kept),
    ):
        texts = [_sign(plan.said[at], at in tree.won, tree.fates[at]) for at in group]
        font = {"size": plan.label, "color": look[colour]}
        x, y = [left(at) for at in group], [middle(at) for at in group]
        canvas.signs(x, y, texts, axes, textposition="middle right", textfont=font)


def _sign(text: str, has_won: bool, fate: str) -> str:
    if fate == "pruned":
        token, _, score = text.rpartition(" ")
        return f"<s>{token}</s> {score}"
    text = f"{text} ■" if fate == "finished" else text
    return f"<b>{text}</b>" if has_won else text
