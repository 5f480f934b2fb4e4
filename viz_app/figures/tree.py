"""A search as a tree from left to right: a step is one wide, a candidate one high."""

from collections.abc import Iterable, Sequence
from typing import Any

from viz_app.figures.axes import quiet_axis
from viz_app.figures.canvas import TYPE, Box, Canvas
from viz_app.figures.labels import room_of, said, spelled
from viz_app.figures.look import Look
from viz_app.values.sheets import Tree

_POINTS = 9  # of a curve


def texts_of(tree: Tree, look: Look) -> list[str]:
    """What stands at each node: its token and its score."""
    named = zip(tree.labels, tree.numbers, strict=True)
    return [f"{said(label, look)} {spelled(number)}" for label, number in named]


def column_of(tree: Tree, look: Look) -> float:
    """The pixels from step to step, of which the last 40 are for the edges."""
    return room_of(texts_of(tree, look)) + 40


def rows_of_nodes(steps: Sequence[int]) -> list[int]:
    """The row of each node: how many nodes of its step stand before it."""
    seen: dict[int, int] = {}
    rows = []
    for step in steps:
        rows.append(seen.get(step, 0))
        seen[step] = rows[-1] + 1
    return rows


def draw_tree(canvas: Canvas, tree: Tree, box: Box) -> None:
    """What lives is dark, what was pruned struck out, what is lost grey; the best way is thick."""
    look, rows, last = canvas.look, rows_of_nodes(tree.steps), max(tree.steps)
    text = 1 - 40 / column_of(tree, look)  # the part of a step that its texts take
    axes = canvas.axes(box, quiet_axis([0.7, last + 1]), quiet_axis([max(rows) + 0.5, -0.5]))

    def edges(role: str, places: Iterable[int], colour: str, width: float, **more: Any) -> None:
        x: list[float | None] = []
        y: list[float | None] = []
        for at in places:
            parent = tree.parents[at]
            x0, y0 = (tree.steps[parent] + text, rows[parent]) if parent >= 0 else (0.7, 0)
            for t in (point / (_POINTS - 1) for point in range(_POINTS)):
                x.append(x0 + (tree.steps[at] - x0) * t)
                y.append(y0 + (rows[at] - y0) * t * t * (3 - 2 * t))
            x.append(None)
            y.append(None)
        key = said(tree.names[role], look)
        key = f"<s>{key}</s>" if role == "pruned" else key
        line = {"color": look[colour], "width": width} | more
        canvas.lines(x or [None], y or [None], axes, line=line, key=key)

    every = range(len(tree.steps))
    pruned = {at for at in every if tree.fates[at] == "pruned"}
    kept = [at for at in every if at not in tree.lost]
    edges("kept", kept, "quiet", 1.5)
    edges("won", tree.won, "ink", 3)
    edges("greedy", tree.greedy, "accent", 1.5, dash="dash")
    edges("pruned", pruned, "mask", 1)
    edges("dead", tree.lost - pruned, "mask", 1)
    finished = {"symbol": "square", "color": look["ink"], "size": 8}
    key = said(tree.names["finished"], look)
    canvas.add("scatter", axes, key, x=[None], y=[None], mode="markers", marker=finished)
    texts = texts_of(tree, look)
    for colour, group in (("quiet", sorted(tree.lost)), ("ink", kept)):
        signs = [_sign(texts[at], at in tree.won, tree.fates[at]) for at in group]
        font = {"size": TYPE["label"], "color": look[colour]}
        x, y = [tree.steps[at] for at in group], [rows[at] for at in group]
        canvas.signs(x, y, signs, axes, textposition="middle right", textfont=font)


def _sign(text: str, has_won: bool, fate: str) -> str:
    if fate == "pruned":
        token, _, score = text.rpartition(" ")
        return f"<s>{token}</s> {score}"
    text = f"{text} ■" if fate == "finished" else text
    return f"<b>{text}</b>" if has_won else text
