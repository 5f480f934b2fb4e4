"""What the views of the Translate room hold: attention, and the candidates of a step."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from model_core.errors import RecipeError
from model_core.recipe import Recipe
from model_core.trace import SITES, AttentionTrace, Decoding, Site, Tokens
from viz_app.export.tables import Axis, Table
from viz_app.export.view import View
from viz_app.figures.attention import Rows, about_decoding, attention_figure
from viz_app.figures.candidates import candidates_figure
from viz_app.figures.heads import heads_figure
from viz_app.figures.labels import labels_of
from viz_app.figures.lines import lines_figure
from viz_app.figures.look import Look
from viz_app.payload import CANDIDATES

if TYPE_CHECKING:
    from model_core.tracer import Checkpoint

Make = Callable[[Look], go.Figure]
Filled = tuple[View, tuple[Table, ...], Make]


def placed(view: View, checkpoint: "Checkpoint") -> View:
    """The view with a layer and a head, checked against the model.

    What was left open is as the page opens: the best alignment head of cross-attention, else the
    first head of the last layer.
    """
    part = "encoder" if view.attention == "encoder" else "decoder"
    layers = getattr(checkpoint.config, f"{part}_layers")
    heads = getattr(checkpoint.config, f"{part}_heads")
    best = checkpoint.training.get("alignment_head") or {"layer": layers, "head": 1}
    opened = best if view.attention == "cross" else {"layer": layers, "head": 1}
    layer = opened["layer"] if view.layer is None else view.layer
    head = view.head
    if head is None:
        head = opened["head"] if layer == opened["layer"] else 1
    require(layer, layers, "layer", f"the {part} has layers 1 to {layers}")
    require(head, heads, "head", f"a layer of the {part} has heads 1 to {heads}")
    return replace(view, layer=layer, head=head)


def require(number: int, most: int, name: str, known: str) -> None:
    """Raise RecipeError where a number counted from 1 is beyond what there is."""
    if not 1 <= number <= most:
        raise RecipeError(f"There is no {name} {number}; {known}.", "place")


def translation(
    checkpoint: "Checkpoint", recipe: Recipe, decoding: Decoding, view: View
) -> tuple[View, tuple[Table, ...], Make]:
    """The view as it is shown, its tables, and what makes its figure."""
    steps = len(decoding.steps)
    if view.step is not None:
        require(view.step, steps, "step", f"this decoding has steps 1 to {steps}")
    text = checkpoint.target_tokenizer.decode(decoding.target.ids)

    def about(look: Look) -> str:
        return about_decoding(recipe.model, recipe.source, text, look)

    if view.view == "candidates":
        view = replace(view, step=view.step or steps)
        return (view, *_candidates(checkpoint, decoding, view.step or steps, about))
    view = placed(view, checkpoint)
    site = site_of(view)
    predicted = decoding.target[1:] if view.rows == "predicted" and site != "encoder" else None
    rows = Rows(predicted, view.step)
    if view.view == "heads":
        count = len(decoding.encoder if site == "encoder" else decoding.cross_keys)
        traces = [decoding.trace(site, layer) for layer in range(count)]
        tables = (attention_table(traces, predicted),)
        return view, tables, lambda look: heads_figure(traces, look, rows, about(look))
    layer, head = view.layer or 1, view.head or 1
    trace = decoding.trace(site, layer - 1)
    figure = lines_figure if view.view == "lines" else attention_figure
    tables = (head_table(trace, head, predicted),)
    return view, tables, lambda look: figure(trace, head, look, rows, about(look))


def site_of(view: View) -> Site:
    """Whose attention the view shows."""
    return next(site for site in SITES if site == view.attention)


def head_table(trace: AttentionTrace, head: int, predicted: Tokens | None = None) -> Table:
    """Scores before the mask, the mask and the weights of one head, counted from 1."""
    return Table(
        trace.site,
        (_query_axis(trace, predicted), Axis.of("key", trace.keys.texts)),
        {
            "allowed_QK": trace.mask_QK,
            "scores_QK": trace.scores_HQK[head - 1],
            "weights_QK": trace.weights_HQK[head - 1],
        },
    )


def attention_table(traces: Sequence[AttentionTrace], predicted: Tokens | None = None) -> Table:
    """The same of all heads of some layers, the first of them layer 1."""
    first = traces[0]
    weights_LHQK = np.stack([trace.weights_HQK for trace in traces])
    L, H = weights_LHQK.shape[:2]
    return Table(
        first.site,
        (
            Axis("layer", L),
            Axis("head", H),
            _query_axis(first, predicted),
            Axis.of("key", first.keys.texts),
        ),
        {
            "allowed_LHQK": np.broadcast_to(first.mask_QK, weights_LHQK.shape),
            "scores_LHQK": np.stack([trace.scores_HQK for trace in traces]),
            "weights_LHQK": weights_LHQK,
        },
    )


def _query_axis(trace: AttentionTrace, predicted: Tokens | None) -> Axis:
    if predicted is None:
        return Axis.of("query", trace.queries.texts)
    return Axis.of("query", [*predicted.texts, "…"][: len(trace.queries)])


def _candidates(
    checkpoint: "Checkpoint", decoding: Decoding, step: int, about: Callable[[Look], str]
) -> tuple[tuple[Table, ...], Make]:
    done = decoding.steps[step - 1]
    ids = done.best(CANDIDATES)
    tokens = checkpoint.target_tokenizer.tokens(ids)
    log_probabilities_N = done.log_probabilities_V[ids]
    chosen = decoding.chosen[step - 1].token if step <= len(decoding.chosen) else None
    table = Table(
        "candidates",
        (Axis.of("rank", tokens.texts),),
        {
            "token_id": np.array(ids),
            "log_probability": log_probabilities_N,
            "probability": np.exp(log_probabilities_N),
            "chosen": np.array([token == chosen for token in ids]),
        },
    )

    def make(look: Look) -> go.Figure:
        after = labels_of(decoding.target[: len(decoding.steps)], look, True)[step - 1]
        return candidates_figure(
            tokens, log_probabilities_N.tolist(), chosen, step, after, look, about(look)
        )

    return (table,), make
