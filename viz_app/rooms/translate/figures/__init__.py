"""The pictures of one decoding: a head as a map or as lines, all heads, the candidates."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import plotly.graph_objects as go

from model_core.values.trace import SITES
from viz_app.figures.labels import labels_of
from viz_app.figures.look import Look
from viz_app.rooms.room import Answer
from viz_app.rooms.translate.figures.attention import Rows, attention_figure
from viz_app.rooms.translate.figures.candidates import Sampled, candidates_figure
from viz_app.rooms.translate.figures.heads import heads_figure
from viz_app.rooms.translate.figures.lines import lines_figure
from viz_app.rooms.translate.telling import telling_step


def _of_a_head(make: Callable[..., go.Figure], answer: Answer, look: Look, about: str) -> go.Figure:
    view = vars(answer.view)
    trace = answer["traces"][view["layer"]]
    return make(trace, view["head"] + 1, look, _rows(answer), about, answer["reading"])


def _of_map(answer: Answer, look: Look, about: str) -> go.Figure:
    """One head as a map; of a whole translation the row is outlined that the page opens on."""
    view: Any = answer.view
    decoding = answer["decoding"]
    if view.site == "cross" and view.at is None and decoding.finished and decoding.steps:
        at = telling_step(decoding, view.layer, view.head)
        answer = replace(answer, view=replace(view, at=at))
    return _of_a_head(attention_figure, answer, look, about)


def _of_all_heads(answer: Answer, look: Look, about: str) -> go.Figure:
    return heads_figure(answer["traces"], look, _rows(answer), about, answer["reading"])


def _rows(answer: Answer) -> Rows:
    view = vars(answer.view)
    at = view["at"]
    return Rows(answer["written"], None if at is None else at + 1, view["stepping"])


def _of_candidates(answer: Answer, look: Look, about: str) -> go.Figure:
    at, sampled = answer["step"], answer["sampled"] and Sampled(*answer["sampled"])
    after = labels_of(answer["decoding"].fed, look, True)[at]
    tokens, log_probabilities, ranks = answer["listed"]
    return candidates_figure(
        tokens, log_probabilities, ranks, answer["chosen"], at + 1, after, sampled, look, about
    )


FIGURES: dict[str, Callable[[Answer, Look, str], go.Figure]] = {
    **dict.fromkeys(SITES, _of_map),
    "lines": partial(_of_a_head, lines_figure),
    "heads": _of_all_heads,
    "candidates": _of_candidates,
}
