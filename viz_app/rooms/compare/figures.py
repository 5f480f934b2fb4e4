"""The picture of the room Compare: one head of two runs, and their difference."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from model_core.values.trace import Tokens
from viz_app.figures.labels import axis_titles, isolated, named
from viz_app.figures.look import Look, escaped
from viz_app.figures.maps import Sheet
from viz_app.figures.panels import Panel, draw_panels, ends_of
from viz_app.figures.paper import Paper, wrapped
from viz_app.rooms.compare.aligned import joined
from viz_app.rooms.room import Answer


def compare_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """A, B and A - B on axes that all share; what has no counterpart is left out of each."""
    title = look.word("figure_compare", site=look.word(f"figure_site_{answer['site']}"))
    paper = Paper(look, title, _told(answer, look))
    difference_RC = answer["difference"]
    titles = [
        look.word("figure_compare_map", run=run, layer=at["layer"] + 1, head=at["head"] + 1)
        for run, at in zip("AB", answer["places"], strict=True)
    ]
    hidden = answer["hidden"]
    digits = {"numbers": ".2f", "least": 0.095}
    a, b = (_sheet(answer, look, answer[run], hidden[run], **digits) for run in "ab")
    both = hidden["a"] & hidden["b"]
    low, high = ends_of(difference_RC)
    ends: dict[str, Any] = {"low": low, "high": high, "signed": True, **digits}
    apart = _sheet(answer, look, difference_RC, both, **ends)
    minus = look.word("compare_difference")
    panels = [
        Panel(a, titles[0]),
        Panel(b, titles[1], look.word("figure_weight")),
        Panel(apart, minus, minus),
    ]
    draw_panels(paper, panels)
    return paper.figure()


def _told(answer: Answer, look: Look) -> str:
    """What A and B are, as Plotly reads it."""
    said = []
    for run, values in zip("AB", answer["runs"], strict=True):
        recipe = values["recipe"]
        edits = f" [{', '.join(recipe['edits'])}]" if recipe.get("edits") else ""
        texts = [escaped(isolated(text)) for text in (recipe["source"], values["text"])]
        said.append(f"{run}: {escaped(recipe['model'])}{edits}: {' → '.join(texts)}")
    distances = [far for far in answer["row_distance"] if far is not None]
    if distances:
        said.append(look.word("figure_compare_apart", mean=_percent(np.mean(distances))))
    room = look.paper_width - 2.2 * look.type_size
    return "<br>".join(wrapped(line, 0.95 * look.type_size, room) for line in said)


def _sheet(
    answer: Answer, look: Look, values_RC: np.ndarray, hidden_RC: np.ndarray, **more: Any
) -> Sheet:
    """One map; its labels are those of both runs."""
    absent_RC = np.isnan(values_RC)
    return Sheet(
        values_RC,
        _labels(answer, look, "row"),
        _labels(answer, look, "column"),
        *axis_titles(answer["site"], look, answer["stepped"]),
        hidden_RC=hidden_RC & ~absent_RC,
        absent_RC=absent_RC if absent_RC.any() else None,
        **more,
    )


def _labels(answer: Answer, look: Look, axis: str) -> list[str]:
    """The labels of an axis: those of A's tokens and of B's, both where they are others.

    A row that is a step has what it reads, quietly, and what it writes.
    """
    side = answer[f"{axis}s"]
    tokens: list[Tokens] = [one[side] for one in answer["runs"]]
    names = [named(one, look, side == "target") for one in tokens]
    pairs = answer[f"{axis}_pairs"]
    read = joined(pairs, names)
    if axis == "column" or not answer["stepped"]:
        return read
    written = joined(pairs, [[*one[1:], "…"] for one in names])
    quiet = look["quiet"]
    return [
        f'<span style="color:{quiet}">{before} →</span> {after}'
        for before, after in zip(read, written, strict=True)
    ]


def _percent(share: float) -> str:
    """A share of 1 as the page says it; a small one has a decimal."""
    return f"{100 * share:.{int(0 < share < 0.0995)}f}%"


FIGURES = {"compare": compare_figure}
