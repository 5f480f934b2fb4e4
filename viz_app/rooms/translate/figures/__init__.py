"""The pictures of one decoding: a head as a map or as lines, all heads, the candidates."""

from typing import Any

import plotly.graph_objects as go

from viz_app.figures.labels import labels_of
from viz_app.figures.look import Look
from viz_app.rooms.room import Answer
from viz_app.rooms.translate.figures.attention import Rows, attention_figure
from viz_app.rooms.translate.figures.candidates import Sampled, candidates_figure
from viz_app.rooms.translate.figures.heads import heads_figure
from viz_app.rooms.translate.figures.lines import lines_figure


def figure(name: str, answer: Answer, look: Look, about: str) -> go.Figure:
    """A picture of the room by its name."""
    if name == "candidates":
        decoding, at = answer["decoding"], answer["step"]
        after = labels_of(decoding.fed, look, True)[at]
        tokens, log_probabilities, ranks = answer["listed"]
        sampled = answer["sampled"] and Sampled(*answer["sampled"])
        return candidates_figure(
            tokens, log_probabilities, ranks, answer["chosen"], at + 1, after, sampled, look, about
        )
    view: Any = answer.view
    at = view.at
    rows = Rows(answer["written"], None if at is None else at + 1)
    if name == "heads":
        return heads_figure(answer["traces"], look, rows, about, answer["reading"])
    make = lines_figure if name == "lines" else attention_figure
    trace = answer["traces"][view.layer]
    return make(trace, view.head + 1, look, rows, about, answer["reading"])
