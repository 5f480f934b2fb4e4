"""The room Masks: a batch under its masks, what a broken one does, one pass beside many steps."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_app.figures.labels import isolated, labels_of, marked, widest, width_of
from viz_app.figures.look import Look, escaped
from viz_app.figures.maps import Sheet
from viz_app.figures.panels import Panel, draw_panels, limit_of
from viz_app.figures.paper import Box, Paper, number_axis, quiet_axis, trace
from viz_app.rooms.masks.answer import axis_tokens
from viz_app.rooms.room import Answer

_OPEN = 0.32  # where on the colour scale a cell stands that may be attended to


def figure(name: str, answer: Answer, look: Look, about: str) -> go.Figure:
    """A picture of the room by its name; it says which sentence of the batch it shows."""
    batch, shown = answer["batch"], answer["shown"]
    number = look.word("figure_sentence", n=shown + 1, m=len(batch))
    told = f"{escaped(answer['model'])}: {number} “{escaped(batch[shown]['text'])}”"
    return _FIGURES[name](answer, look, told)


def masks_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """Pad mask, causal mask and both together; + and × stand where a break changed them."""
    paper = Paper(
        look, look.word("figure_masks", site=look.word(f"site_{answer['site']}_long")), about
    )
    panels = []
    for name in ("pad", "causal", "combined"):
        allowed_QK = answer["masks"][name]
        if allowed_QK is None:
            continue
        own_QK = answer["own"][name]
        changed = [] if own_QK is None else np.argwhere(allowed_QK != own_QK).tolist()
        marks = tuple((q, k, "+" if allowed_QK[q, k] else "×") for q, k in changed)
        sheet = _sheet(answer, np.full(allowed_QK.shape, _OPEN), look, hidden_RC=~allowed_QK)
        sheet = Sheet(**vars(sheet) | {"marks": marks})
        panels.append(Panel(sheet, look.word(f"masks_map_{name}"), same_rows=True))
    draw_panels(paper, panels)
    _legend(paper, look)
    return paper.figure()


def scores_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """One head: scores before the mask, after it, and the weights."""
    layer, head = answer.view.layer or 0, answer.view.head or 0
    place = {"site": _site(answer, look), "layer": layer + 1, "head": head + 1}
    paper = Paper(look, look.word("figure_scores", **place), about)
    scores_QK = answer["scores"][layer, head]
    weights_QK = answer["weights"][layer, head]
    hidden_QK = ~answer["masks"]["combined"]
    limit = limit_of(scores_QK)
    ends = {"low": -limit, "high": limit, "numbers": ".1f"}
    score = look.word("figure_score")
    filled = answer["hidden_score"]
    after = look.word("masks_map_masked")
    if filled is not None:
        after = f"{after} ({filled:g})".replace("-", "\u2212")
    draw_panels(
        paper,
        [
            Panel(
                _sheet(answer, scores_QK, look, **ends), look.word("masks_map_scores"), score, True
            ),
            Panel(
                _sheet(answer, scores_QK, look, hidden_RC=hidden_QK, **ends),
                after,
                diverging=True,
                same_rows=True,
            ),
            Panel(
                _sheet(
                    answer,
                    weights_QK,
                    look,
                    hidden_RC=hidden_QK & (weights_QK == 0),
                    numbers=".2f",
                    least=0.005,
                ),
                look.word("masks_map_weights"),
                look.word("figure_weight"),
                same_rows=True,
            ),
        ],
    )
    return paper.figure()


def passes_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """One head: the weights of one pass, of the steps, and their difference."""
    layer, head = answer.view.layer or 0, answer.view.head or 0
    place = {"site": _site(answer, look), "layer": layer + 1, "head": head + 1}
    paper = Paper(look, look.word("figure_passes", **place), about)
    once_QK, stepped_QK = (answer[name][layer, head] for name in ("once", "stepped"))
    hidden_QK = ~answer["allowed"]
    apart_QK = once_QK - stepped_QK
    limit = limit_of(apart_QK)
    weight = look.word("figure_weight")
    draw_panels(
        paper,
        [
            Panel(_sheet(answer, once_QK, look, hidden_RC=hidden_QK), look.word("masks_map_once")),
            Panel(
                _sheet(answer, stepped_QK, look, hidden_RC=hidden_QK),
                look.word("masks_map_stepped", n=len(once_QK), m=len(once_QK)),
                weight,
                same_rows=True,
            ),
            Panel(
                _sheet(answer, apart_QK, look, hidden_RC=hidden_QK, low=-limit, high=limit),
                look.word("masks_map_difference"),
                look.word("masks_map_difference"),
                True,
                True,
            ),
        ],
    )
    return paper.figure()


def broken_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """How far each prediction of the shown sentence moved, and what is most probable then."""
    paper = Paper(look, look.word("figure_broken", change=_breaks(answer, look)), about)
    change = answer["changes"][answer["shown"]]
    size = paper.type
    distance_T = np.array(change["distance"])
    fed = answer["batch"][answer["shown"]]["fed"]
    rows = marked(labels_of(fed, look, True), fed.kinds, look)[: len(distance_T)]
    best = [
        marked(labels_of(change[name], look), change[name].kinds, look)
        for name in ("intact", "broken")
    ]
    told = [
        f"{was} {p:.2f}" + (f" → {now} {q:.2f}" if (was, f"{p:.2f}") != (now, f"{q:.2f}") else "")
        for was, now, p, q in zip(
            *best, change["intact_probability"], change["broken_probability"], strict=True
        )
    ]
    T = len(rows)
    top = paper.top + 1.9 * size
    room = (paper.height or 1e9) - top - paper.margin - 3.2 * size
    pitch = max(1.2 * look.least_type_size, min(2 * size, room / T))
    label = max(look.least_type_size, min(size, 0.8 * pitch))
    left = paper.margin + widest(rows, label) + size
    right = widest(told, label) + 1.5 * size
    box = Box(left, top, max(6 * size, paper.width - left - right - paper.margin), T * pitch)
    down = quiet_axis(
        [T - 0.5, -0.5], showticklabels=True, tickmode="array", tickvals=list(range(T))
    )
    down |= {"ticktext": rows, "tickfont": {"size": label}, "ticklabelstandoff": round(0.4 * size)}
    across = number_axis(look, [0, 1], look.word("figure_distance"))
    across |= {"tickmode": "array", "tickvals": [0, 0.5, 1], "tickangle": 0}
    axes = paper.axes(box, across, down)
    bars = {"color": look["accent"], "line": {"width": 0}}
    paper.add(
        trace(
            "bar",
            orientation="h",
            y=list(range(T)),
            x=distance_T.tolist(),
            width=0.66,
            marker=bars,
            **axes,
        )
    )
    for at, text in enumerate(told):
        y = box.top + (at + 0.5) * pitch
        paper.text(box.right + 0.8 * size, y, text, label / size, yanchor="middle")
    paper.text(
        left - 0.4 * size, paper.top + 0.4 * size, look.word("masks_after"), 0.8, "quiet", "right"
    )
    paper.text(
        box.right + 0.8 * size, paper.top + 0.4 * size, look.word("figure_best"), 0.8, "quiet"
    )
    paper.grow(box.right + right, box.bottom + 3.2 * size)
    return paper.figure()


def _breaks(answer: Answer, look: Look) -> str:
    """What is broken, in the words of the room."""
    parts = [
        f"{look.word(f'masks_{name}')}: {look.word(f'masks_{name}_{value}')}"
        for name, value in answer["breaks"].items()
        if value not in ("intact", "infinite")
    ]
    return " · ".join(parts) or look.word("figure_intact")


def _site(answer: Answer, look: Look) -> str:
    return look.word(f"figure_site_{answer['site']}")


def _sheet(answer: Answer, values_QK: np.ndarray, look: Look, **more: Any) -> Sheet:
    site = answer["site"]
    read = answer.values if answer["view"] == "passes" else answer["batch"][answer["shown"]]
    queries, keys = axis_tokens(site, read["source"], read["fed"])
    rows = "source" if site == "encoder" else "fed"
    columns = "target" if site == "decoder" else "source"
    return Sheet(
        values_RC=values_QK,
        rows=marked(labels_of(queries, look, site != "encoder"), queries.kinds, look),
        columns=marked(labels_of(keys, look, site == "decoder"), keys.kinds, look),
        row_title=look.word(f"axis_rows_{rows}"),
        column_title=look.word(f"axis_columns_{columns}"),
        **more,
    )


def _legend(paper: Paper, look: Look) -> None:
    size = paper.type
    top = paper.height - 1.9 * size if look.size == "slide" else paper.height + 0.4 * size
    paper.swatch(paper.margin, top, look.word("masked"))
    text = look.word("figure_marks")
    left = paper.margin + 3 * size + width_of(look.word("masked"), 0.8 * size)
    paper.text(left, top - 0.15 * size, isolated(text), 0.8, "quiet")


_FIGURES = {
    "masks": masks_figure,
    "scores": scores_figure,
    "broken": broken_figure,
    "passes": passes_figure,
}
