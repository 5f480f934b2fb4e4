"""What the room Translate shows of a decoding: a site's attention, and the candidates of a step.

The page gets the same numbers as `payload` writes them.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.studies.checks import check_place
from model_core.values.draw import draw
from model_core.values.recipe import Recipe, Strategy
from model_core.values.trace import AttentionTrace, DecodeStep, Decoding
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.room import Answer
from viz_app.rooms.translate.payload import CANDIDATES
from viz_app.rooms.translate.readings import read, reading_to_page
from viz_app.rooms.translate.sampling import step_numbers
from viz_app.rooms.translate.summary import head_rows
from viz_app.rooms.translate.view import TranslateView
from viz_app.values.tables import Axis, TableOf

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer


def to_page(tracer: "Tracer", recipe: Recipe, view: TranslateView) -> Answer:
    """What the page asks of a decoding that it has: a reading, the rows of a head, or a step."""
    if view.reading == "weights" and view.layer is None:
        return step_numbers(tracer, recipe, view)
    site = tracer.anatomy.site(view.site or tracer.anatomy.first_site.site)
    layer, head = placed(tracer.model, site.site, view.layer, view.head)
    if view.reading != "weights":
        return Answer(view, reading_to_page(tracer, recipe, str(view.reading), site.site, layer))
    return Answer(view, {"rows": head_rows(site, tracer.evaluate(recipe), layer, head)})


def answer(tracer: "Tracer", recipe: Recipe, view: TranslateView) -> Answer:
    """The attention of a site, cross-attention where none is named; RecipeError beyond its ends."""
    decoding = tracer.evaluate(recipe)
    steps = len(decoding.steps)
    if view.at is not None:
        check_place(view.at, steps, "step")
    site: Any = view.site or tracer.anatomy.first_site.site
    is_stepped = tracer.anatomy.is_stepped(site)
    layer, head = placed(tracer.model, site, view.layer, view.head)
    made = replace(view, site=site, layer=layer, head=head)
    traces = decoding.traces(site)
    weights_LHQK = np.stack([trace.weights_HQK for trace in traces])
    is_predicted = view.rows == "predicted" and is_stepped
    predicted = decoding.target[1:] if is_predicted else None
    values: dict[str, Any] = {
        "decoding": decoding,
        "traces": traces,
        "written": decoding.target[1:] if is_stepped else None,
        "allowed": np.broadcast_to(traces[0].mask_QK, weights_LHQK.shape),
        "scores": None if traces[0].is_bare else np.stack([t.scores_HQK for t in traces]),
        "weights": weights_LHQK,
        "reading": read(tracer, recipe, decoding, weights_LHQK, made),
    }
    if steps:
        at = steps - 1 if view.at is None else view.at
        values |= _of_step(tracer, recipe.strategy, decoding, at)
    L, H = weights_LHQK.shape[:2]
    axes = (query_axis(traces[0], predicted), Axis.of("key", traces[0].keys))
    names = ("allowed", "scores", "weights")
    arrays = {f"{n}_QK": n for n in names}
    of_heads = {f"{n}_LHQK": n for n in names}
    if values["reading"] is not None:
        arrays |= {"allowed_QK": "reading.allowed_QK"} | values["reading"].arrays
        of_heads |= values["reading"].of_heads
    large = (TableOf(site, axes, arrays, (("layer", L), ("head", H))),)
    every = TableOf(site, (Axis("layer", L), Axis("head", H), *axes), of_heads)
    tables = {site: large, "lines": large, "heads": (every,)}
    if steps:
        of_candidates = {name: f"of_candidates.{name}" for name in values["of_candidates"]}
        rank = Axis.of("rank", values["candidates"])
        tables["candidates"] = (TableOf("candidates", (rank,), of_candidates),)
    return Answer(made, values, tables)


def _of_step(tracer: "Tracer", strategy: Strategy, decoding: Decoding, at: int) -> dict[str, Any]:
    """What may follow at a step, and what was chosen there."""
    step = decoding.steps[at]
    ids = step.best(CANDIDATES)
    log_probabilities_N = step.log_probabilities_V[ids]
    chosen = decoding.chosen[at].token if at < len(decoding.chosen) else None
    listed = ids if chosen is None or chosen in ids else [*ids[:-1], chosen]
    shares = _shares(tracer, strategy, step)
    return {
        "step": at,
        "candidates": tracer.labels(ids),
        "chosen": chosen,
        # What the picture shows: the token that was taken is always among them.
        "listed": (
            tracer.labels(listed),
            step.log_probabilities_V[listed].tolist(),
            [step.rank(token) for token in listed],
        ),
        "sampled": shares and (strategy, [shares(token) for token in listed]),
        "of_candidates": {
            "token_id": np.array(ids),
            "log_probability": log_probabilities_N,
            "probability": np.exp(log_probabilities_N.astype(np.float64)),  # as the page does
            **({"share": np.array([shares(token) for token in ids])} if shares else {}),
            "chosen": np.array([token == chosen for token in ids]),
        },
    }


def _shares(
    tracer: "Tracer", strategy: Strategy, step: DecodeStep
) -> Callable[[int], float] | None:
    """The probability that a token is drawn with at a step; None where nothing is drawn."""
    if strategy.kind != "sample":
        return None
    drawn = draw(step, strategy, tracer.anatomy.special.never)
    return lambda token: drawn.part(token)[1]


def query_axis(trace: AttentionTrace, predicted: Any = None) -> Axis:
    """The rows of a trace, named by the tokens fed in or by those predicted from them."""
    if predicted is None:
        return Axis.of("query", trace.queries)
    count = len(trace.queries)
    texts, pieces = ((*names, "…")[:count] for names in (predicted.texts, predicted.pieces))
    return Axis("query", count, texts, pieces=pieces)
