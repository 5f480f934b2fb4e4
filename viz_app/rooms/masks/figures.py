"""The room Masks: a batch under its masks, what a broken one does, one pass beside many steps."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from model_core.values.edits import read_edits
from viz_app.figures.labels import axis_titles, isolated, named, title_of, widest, width_of
from viz_app.figures.look import Look, escaped
from viz_app.figures.maps import Sheet
from viz_app.figures.panels import Panel, draw_panels, ends_of
from viz_app.figures.paper import Box, Paper, number_axis, row_axis, wrapped
from viz_app.rooms.room import Answer

_OPEN = 0.32  # where on the colour scale a cell stands that may be attended to


def masks_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """Pad mask, causal mask and both together; + and × stand where a break changed them."""
    paper = _paper(
        answer, look, look.word("figure_masks", site=look.word(f"site_{answer['site']}_long"))
    )
    panels: list[Panel] = []
    for name in ("pad", "causal", "combined"):
        allowed_QK = answer["masks"][name]
        if allowed_QK is None:
            continue
        own_QK = answer["own"][name]
        changed = [] if own_QK is None else np.argwhere(allowed_QK != own_QK).tolist()
        marks = tuple((q, k, "+" if allowed_QK[q, k] else "×") for q, k in changed)
        sheet = _sheet(answer, np.full(allowed_QK.shape, _OPEN), look, hidden_RC=~allowed_QK)
        sheet = Sheet(**vars(sheet) | {"marks": marks})
        sign = look.word(f"masks_sign_{name}") if panels else ""
        panels.append(Panel(sheet, look.word(f"masks_map_{name}"), sign=sign))
    draw_panels(paper, panels, kept=2.5 * paper.type - paper.margin)
    _legend(paper, look)
    return paper.figure()


def scores_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """One head: scores before the mask, after it, and the weights."""
    paper, layer, head = _of_a_head(answer, look, "figure_scores")
    scores_QK, weights_QK = answer["scores"][layer, head], answer["weights"][layer, head]
    hidden_QK = ~answer["masks"]["combined"]
    low, high = ends_of(scores_QK)
    ends: dict[str, Any] = {"low": low, "high": high, "signed": True, "numbers": ".1f"}
    filled, after = answer["hidden_score"], look.word("masks_map_masked")
    if filled is not None:
        after = f"{after} ({filled:g})".replace("-", "\u2212")
    before = _sheet(answer, scores_QK, look, **ends)
    masked = _sheet(answer, scores_QK, look, hidden_RC=hidden_QK, **ends)
    empty_QK = hidden_QK & (weights_QK == 0)
    weights = _sheet(answer, weights_QK, look, hidden_RC=empty_QK, numbers=".2f", least=0.005)
    panels = [
        Panel(before, look.word("masks_map_scores"), look.word("figure_score")),
        Panel(masked, after, sign=look.word("masks_sign_masked")),
        Panel(
            weights,
            look.word("masks_map_weights"),
            look.word("figure_weight"),
            look.word("masks_sign_weights"),
        ),
    ]
    draw_panels(paper, panels)
    return paper.figure()


def passes_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """One head: the weights of one pass, of the steps, and their difference."""
    paper, layer, head = _of_a_head(answer, look, "figure_passes")
    once_QK, stepped_QK = (answer[name][layer, head] for name in ("once", "stepped"))
    apart_QK = once_QK - stepped_QK
    low, high = ends_of(apart_QK)
    once_allowed_QK, allowed_QK = answer["once_allowed"], answer["allowed"]
    once = _sheet(answer, once_QK, look, hidden_RC=~once_allowed_QK)
    stepped = _sheet(answer, stepped_QK, look, hidden_RC=~allowed_QK)
    hidden_QK = ~(once_allowed_QK | allowed_QK)
    ends: dict[str, Any] = {"low": low, "high": high, "signed": True}
    apart = _sheet(answer, apart_QK, look, hidden_RC=hidden_QK, **ends)
    many = look.word("masks_map_stepped", n=len(once_QK), m=len(once_QK))
    difference, minus = look.word("masks_map_difference"), look.word("masks_sign_stepped")
    panels = [
        Panel(once, look.word("masks_map_once")),
        Panel(stepped, many, look.word("figure_weight"), minus),
        Panel(apart, difference, difference, look.word("masks_sign_difference")),
    ]
    draw_panels(paper, panels)
    return paper.figure()


def broken_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """How far each prediction of the shown sentence moved, and what is most probable then."""
    paper = _paper(answer, look, look.word("figure_broken", change=_breaks(answer, look)))
    change = answer["changes"][answer["shown"]]
    size = paper.type
    distance_T = np.array(change["distance"])
    is_target = answer["predicting"] == "target"
    read = answer["batch"][answer["shown"]]["fed" if is_target else "source"]
    rows = named(read, look, is_target)[: len(distance_T)]
    best = [named(change[name], look) for name in ("intact", "broken")]
    told = [
        f"{was} {p:.2f}" + (f" → {now} {q:.2f}" if (was, f"{p:.2f}") != (now, f"{q:.2f}") else "")
        for was, now, p, q in zip(
            *best, change["intact_probability"], change["broken_probability"], strict=True
        )
    ]
    T = len(rows)
    top = paper.top + 3 * size
    room = (paper.height or 1e9) - top - paper.margin - 3.2 * size
    pitch = max(1.2 * look.least_type_size, min(2 * size, room / T))
    label = max(look.least_type_size, min(size, 0.8 * pitch))
    left = paper.margin + widest(rows, label) + size
    told_room = max(widest(told, label), 7 * size)
    best_head = wrapped(look.word("figure_best"), look.sized(0.8), told_room)
    right = told_room + 1.5 * size
    box = Box(left, top, max(6 * size, paper.width - left - right - paper.margin), T * pitch)
    across = number_axis(look, [0, 1], look.word("figure_distance"))
    across |= {"tickmode": "array", "tickvals": [0, 0.5, 1], "tickangle": 0}
    axes = paper.axes(box, across, row_axis(look, rows, label))
    paper.bars(distance_T.tolist(), look["ink"], axes)
    for at, text in enumerate(told):
        y = box.top + (at + 0.5) * pitch
        paper.text(box.right + 0.8 * size, y, text, label / size, yanchor="middle")
    head = {"yanchor": "bottom"}
    after = look.word("masks_after" if is_target else "masks_at")
    paper.text(left - 0.4 * size, top - 0.4 * size, after, 0.8, "quiet", "right", **head)
    paper.text(box.right + 0.8 * size, top - 0.4 * size, best_head, 0.8, "quiet", **head)
    paper.grow(box.right + right, box.bottom + 3.2 * size)
    return paper.figure()


def _breaks(answer: Answer, look: Look) -> str:
    """What is broken, in the words of edits."""
    parts = []
    for edit in read_edits(answer["breaks"]):
        value = look.word(f"causal_{edit.causal}") if edit.causal else ""
        parts.append(look.word(f"edit_{edit.kind}", value=value))
    return " · ".join(parts) or look.word("figure_intact")


def _paper(answer: Answer, look: Look, title: str) -> Paper:
    """The paper of a picture; under its title, the edits and which sentence it shows."""
    batch, shown = answer["batch"], answer["shown"]
    number = look.word("figure_sentence", n=shown + 1, m=len(batch))
    of, edits = escaped(answer["model"]), batch[shown]["recipe"].get("edits", [])
    if edits:
        of += f", {look.word('edits')} {', '.join(edits)}"
    told = f"{of}: {number} “{escaped(batch[shown]['text'])}”"
    return Paper(look, title, told)


def _of_a_head(answer: Answer, look: Look, key: str) -> tuple[Paper, int, int]:
    """The paper of a picture of one head, and its layer and head from 0."""
    layer, head = answer.view.layer or 0, answer.view.head or 0
    title = title_of(answer["site"], layer + 1, head + 1, look, key)
    return _paper(answer, look, title), layer, head


def _sheet(answer: Answer, values_QK: np.ndarray, look: Look, **more: Any) -> Sheet:
    site = answer["site"]
    read = answer.values if answer["view"] == "passes" else answer["batch"][answer["shown"]]
    rows, columns = (
        named(read["fed"], look, True) if side == "target" else named(read["source"], look)
        for side in (answer["rows"], answer["columns"])
    )
    return Sheet(values_QK, rows, columns, *axis_titles(site, look), **more)


def _legend(paper: Paper, look: Look) -> None:
    size = paper.type
    top = paper.height - 1.9 * size if look.size == "slide" else paper.height + 0.4 * size
    paper.swatch(paper.margin, top, look.word("masked"))
    text = look.word("figure_marks")
    left = paper.margin + 3 * size + width_of(look.word("masked"), look.sized(0.8))
    paper.text(left, top - 0.15 * size, isolated(text), 0.8, "quiet")


FIGURES = {
    "masks": masks_figure,
    "scores": scores_figure,
    "broken": broken_figure,
    "passes": passes_figure,
}
