"""The picture of the room Beam: the search as a tree from left to right, in bands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from viz_app.figures.labels import isolated, named, widest, width_of
from viz_app.figures.look import Look
from viz_app.figures.paper import Box, Paper, quiet_axis
from viz_app.rooms.room import Answer

_POINTS = 9  # of a curve


def tree_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """The tree: a column per step, the best candidate of it at the top.

    What lives is dark, what was pruned is struck out and what dies later is grey; the way of the
    best hypothesis is thick and that of greedy decoding dashed. Steps that do not fit beside each
    other go on in a band below.
    """
    view: Any = answer.view
    tree = answer["tree"]
    title = look.word("figure_beam", width=tree["width"], alpha=f"{tree['alpha']:g}")
    paper = Paper(look, title, about)
    last = max(tree["step"]) if view.step is None else view.step + 1
    plan = _plan(paper, answer, last)
    size, top = paper.type, paper.top + 0.6 * paper.type
    for first in range(1, last + 1, plan.per):
        steps = range(first, min(last, first + plan.per - 1) + 1)
        most = 1 + max(
            row for row, step in zip(plan.rows, tree["step"], strict=True) if step in steps
        )
        box = Box(paper.margin, top, paper.inner_width, most * plan.pitch)
        _band(paper, answer, plan, steps, last, box)
        top = box.bottom + 1.2 * size
    lines = _key(look, paper.inner_width)
    for at, line in enumerate(lines):
        paper.text(paper.margin, top - 0.6 * size + 1.1 * at * size, line, 0.8, "quiet")
    paper.grow(paper.margin, top + 1.1 * len(lines) * size)
    return paper.figure()


@dataclass(frozen=True)
class _Plan:
    """How the steps are laid out; pixels."""

    rows: list[int]  # of each node
    said: list[str]  # of each node: its token and its score
    label: float  # size of the type
    pitch: float  # from row to row
    stub: float  # before the first step of a band
    column: float  # from step to step
    text: float  # of a column, taken by its texts
    per: int  # steps of a band


def _plan(paper: Paper, answer: Answer, last: int) -> _Plan:
    tree, size, look = answer["tree"], paper.type, paper.look
    rows = rows_of(tree["step"])
    texts = [isolated(text) for text in named(answer["tokens"], look)]
    scores = [f"{score:.2f}".replace("-", "−") for score in tree["score"]]
    said = [" ".join(pair) for pair in zip(texts, scores, strict=True)]
    drawn = [one for one, step in zip(said, tree["step"], strict=True) if step <= last]
    stub, label = 1.2 * size, max(look.least_type_size, 0.75 * size)
    column = widest(drawn, label) + 3 * label
    per = max(1, min(last, int((paper.inner_width - stub) / column)))
    heights = [
        1
        + max(
            row for row, step in zip(rows, tree["step"], strict=True) if first <= step < first + per
        )
        for first in range(1, last + 1, per)
    ]
    room = (paper.height or 1e9) - paper.top - (5 + 1.2 * len(heights)) * size
    pitch = max(1.25 * look.least_type_size, min(1.6 * size, room / sum(heights)))
    label = max(look.least_type_size, min(label, 0.75 * pitch))
    text = widest(drawn, label) + 1.2 * label
    return _Plan(rows, said, label, pitch, stub, (paper.inner_width - stub) / per, text, per)


def _band(paper: Paper, answer: Answer, plan: _Plan, steps: range, last: int, box: Box) -> None:
    """Some steps and the edges that lead to them; the search is shown at step `last`."""
    tree, look, thin = answer["tree"], paper.look, paper.type / 22
    axes = paper.axes(box, quiet_axis([0, box.width]), quiet_axis([box.height, 0]))
    here = [at for at, step in enumerate(tree["step"]) if step in steps]
    won, fates = set(_way(tree["parent"], tree["found"][0])), tree["fate"]

    def left(at: int) -> float:
        return plan.stub + (tree["step"][at] - steps.start) * plan.column

    def middle(at: int) -> float:
        return min(box.height, (plan.rows[at] + 0.5) * plan.pitch)

    def edges(places: Iterable[int], line: dict[str, Any]) -> None:
        x: list[float | None] = []
        y: list[float | None] = []
        for at in places:
            parent = tree["parent"][at]
            is_here = parent >= 0 and tree["step"][parent] in steps
            x0 = left(parent) + plan.text if is_here else 0.0
            y0 = 0.5 * plan.pitch if parent < 0 else middle(parent)
            for i in range(_POINTS):
                t = i / (_POINTS - 1)
                x.append(x0 + (left(at) - 0.2 * plan.label - x0) * t)
                y.append(y0 + (middle(at) - y0) * t * t * (3 - 2 * t))
            x.append(None)
            y.append(None)
        paper.lines(x, y, line, axes)

    lost = {a for a in here if fates[a] == "pruned" or 0 < tree["died"][a] <= last}
    edges((a for a in here if a in lost), {"color": look["mask"], "width": thin})
    edges((a for a in here if a not in lost), {"color": look["quiet"], "width": 2 * thin})
    edges((a for a in here if a in won), {"color": look["ink"], "width": 4 * thin})
    dashed = {"color": look["select"], "width": 2 * thin, "dash": "dash"}
    edges((a for a in answer["greedy"]["places"] if a in here), dashed)
    for is_lost, colour in ((True, "quiet"), (False, "ink")):
        group = [at for at in here if (at in lost) == is_lost]
        style = {
            "mode": "text",
            "text": [_sign(plan.said[at], at in won, fates[at]) for at in group],
            "textposition": "middle right",
            "textfont": {"size": plan.label, "color": look[colour]},
        }
        x, y = [left(at) for at in group], [middle(at) for at in group]
        paper.lines(x, y, {}, axes, cliponaxis=False, **style)


def _sign(said: str, has_won: bool, fate: str) -> str:
    if fate == "pruned":
        token, _, score = said.rpartition(" ")
        return f"<s>{token}</s> {score}"
    text = f"{said} ■" if fate == "finished" else said
    return f"<b>{text}</b>" if has_won else text


def _key(look: Look, room: float) -> list[str]:
    """What the signs mean, in the words of the page, on as many lines as it needs."""
    signs = {
        "kept": "— {}",
        "won": "<b>━ {}</b>",
        "finished": "{} ■",
        "pruned": "<s>{}</s>",
        "greedy": f'<span style="color:{look["select"]}">- -</span> {{}}',
        "dead": "{}",
        "twice": "{}",
    }
    lines: list[str] = []
    for sign, form in signs.items():
        said = form.format(look.word(f"beam_key_{sign}"))
        longer = f"{lines[-1]} · {said}" if lines else said
        if lines and width_of(longer, look.sized(0.8)) <= room:
            lines[-1] = longer
        else:
            lines.append(said)
    return lines


def rows_of(steps: list[int]) -> list[int]:
    """The row of each node: how many nodes of its step stand before it."""
    seen: dict[int, int] = {}
    rows = []
    for step in steps:
        rows.append(seen.get(step, 0))
        seen[step] = rows[-1] + 1
    return rows


def _way(parents: list[int], place: int) -> list[int]:
    way = []
    while place >= 0:
        way.append(place)
        place = parents[place]
    return way


FIGURES = {"beam": tree_figure}
