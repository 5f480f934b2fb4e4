"""What the room Translate shows of a decoding: a site's attention, and the candidates of a step.

The page gets the same numbers as `payload` writes them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import numpy as np

from model_core.studies.checks import check_place
from model_core.values.draw import draw
from model_core.values.recipe import Recipe, Strategy
from model_core.values.trace import AttentionTrace, DecodeStep, Decoding, Site, Tokens
from model_core.values.words import ByWords, by_words
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.room import Answer
from viz_app.rooms.translate.highlight import highlight_step
from viz_app.rooms.translate.payload import CANDIDATES
from viz_app.rooms.translate.readings import (
    Averages,
    Changes,
    Norms,
    ReadingMap,
    read,
    reading_to_page,
)
from viz_app.rooms.translate.sampling import Draws, StepNumbers, drawn_texts, step_numbers
from viz_app.rooms.translate.summary import head_rows
from viz_app.rooms.translate.view import TranslateView
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Floats

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.studies.assembly import TokenizedPart


class _Between(TypedDict):
    """Attention between tokens or between words, (L, H, Q, K)."""

    allowed: np.ndarray
    weights: np.ndarray
    reading: ReadingMap | None


class _OfStep(TypedDict, total=False):
    """What may follow at a step, and what was chosen there."""

    step: int
    candidates: Tokens
    chosen: int | None
    # What the picture shows, with log-probabilities and ranks: the token that was taken is always
    # among them.
    listed: tuple[Tokens, list[float], list[int]]
    sampled: tuple[Strategy, list[float]] | None  # the probabilities that these are drawn with
    of_candidates: dict[str, np.ndarray]


class _OfWords(TypedDict, total=False):
    of_words: _Between


class Attended(_Between, _OfStep, _OfWords):
    """The attention of a site, and the candidates of a step where there are steps."""

    decoding: Decoding
    traces: Sequence[AttentionTrace]
    written: Tokens | None  # where rows are steps
    is_written: bool  # what names a word's row
    scores: np.ndarray | None


class HeadRows(TypedDict):
    """All rows of one head."""

    rows: Floats


class SourceAssembly(TypedDict):
    """How the pieces of the source came about, as `Assembly` has it."""

    kind: Literal["merges", "characters", "other"]
    learnt: int
    parts: "tuple[TokenizedPart, ...]"


ToPage = SourceAssembly | Draws | StepNumbers | Norms | Changes | Averages | HeadRows


def to_page(tracer: "Tracer", recipe: Recipe, view: TranslateView) -> Answer[ToPage]:
    """What the page asks beside a decoding: a reading, rows of a head, a step, draws, pieces."""
    if view.assembly:
        return assembled(tracer, recipe, view)
    if view.draws is not None:
        return drawn_texts(tracer, recipe, view)
    if view.reading == "weights" and view.layer is None:
        return step_numbers(tracer, recipe, view)
    site = tracer.anatomy.site(view.site or tracer.anatomy.first_site.site)
    layer, head = placed(tracer.model, site.site, view.layer, view.head)
    if view.reading != "weights":
        return Answer(view, reading_to_page(tracer, recipe, str(view.reading), site.site, layer))
    return Answer(view, {"rows": head_rows(site, tracer.evaluate(recipe), layer, head)})


def assembled(tracer: "Tracer", recipe: Recipe, view: TranslateView) -> Answer[SourceAssembly]:
    """How the pieces of the source came about, for models whose tokenizer can be looked into."""
    from model_core.studies.assembly import source_assembly  # imports torch

    made = vars(source_assembly(tracer.model, recipe.source))
    return Answer(view, cast(SourceAssembly, made))


def answer(tracer: "Tracer", recipe: Recipe, view: TranslateView) -> Answer[Attended]:
    """The attention of a site, cross-attention where none is named; RecipeError beyond its ends."""
    decoding = tracer.evaluate(recipe)
    steps = len(decoding.steps)
    if view.at is not None:
        check_place(view.at, steps, "step")
    site: Any = view.site or tracer.anatomy.first_site.site
    is_stepped = tracer.anatomy.is_stepped(site)
    layer, head = placed(tracer.model, site, view.layer, view.head)
    at = view.at if view.at is not None else _opened_at(decoding, site, layer, head)
    made = replace(view, site=site, layer=layer, head=head, at=at)
    traces = decoding.traces(site)
    weights_LHQK = np.stack([trace.weights_HQK for trace in traces])
    values: Attended = {
        "decoding": decoding,
        "traces": traces,
        "written": decoding.target[1:] if is_stepped else None,
        "is_written": view.rows != "fed",
        "allowed": np.broadcast_to(
            np.stack([trace.mask_QK for trace in traces])[:, None], weights_LHQK.shape
        ),
        "scores": None if traces[0].is_bare else np.stack([t.scores_HQK for t in traces]),
        "weights": weights_LHQK,
        "reading": read(tracer, recipe, decoding, weights_LHQK, made),
    }
    if at is not None:
        values |= _of_step(tracer, recipe.strategy, decoding, at)
    tables = _of_heads(made, values)
    if steps:
        of_candidates = {name: f"of_candidates.{name}" for name in values["of_candidates"]}
        rank = Axis.of("rank", values["candidates"])
        tables["candidates"] = (TableOf("candidates", (rank,), of_candidates),)
    return Answer(made, values, tables)


def _opened_at(decoding: Decoding, site: Site, layer: int, head: int) -> int | None:
    """The step that a page opens on where none is named; None where nothing is written in steps."""
    if site == "cross" and decoding.finished and decoding.steps:
        return highlight_step(decoding, layer, head)
    return len(decoding.steps) - 1 if decoding.steps else None


def _of_heads(view: TranslateView, values: Attended) -> Tables:
    """The tables of one head and of all, between tokens or between words."""
    site: Any = view.site
    trace = values["traces"][0]
    place, names = "", ["allowed", "scores", "weights"]
    if view.by == "words":
        by = words_in(values)
        place, names = "of_words.", ["allowed", "weights"]
        values["of_words"] = in_words(by, values)
        axes = Axis.of("query", by.queries), Axis.of("key", by.keys)
    else:
        is_predicted = view.rows == "predicted" and values["written"] is not None
        rows = query_axis(trace, values["written"] if is_predicted else None)
        axes = rows, Axis.of("key", trace.keys)
    arrays = {f"{name}_QK": f"{place}{name}" for name in names}
    of_heads = {f"{name}_LHQK": f"{place}{name}" for name in names}
    read = values["of_words"]["reading"] if place else values["reading"]
    if read is not None:
        arrays |= {"allowed_QK": f"{place}reading.allowed_QK"} | read.arrays(place)
        of_heads |= read.of_heads(place)
    L, H = values["weights"].shape[:2]
    large = (TableOf(site, axes, arrays, (("layer", L), ("head", H))),)
    every = TableOf(site, (Axis("layer", L), Axis("head", H), *axes), of_heads)
    return {site: large, "lines": large, "pair": large, "heads": (every,)}


def words_asked(decoding: Decoding, site: Site, by: Any, rows: Any = None) -> ByWords | None:
    """The words of a site where numbers are asked for by words; None where they are by tokens.

    RecipeError where `by` or `rows` is none of the words there are.
    """
    view = TranslateView(by=by, rows=rows)
    return by_words(decoding, site, view.rows != "fed") if view.by == "words" else None


def words_in(values: Attended, upto: int | None = None) -> ByWords:
    """The words of an answer's attention, up to a step; changes are of the words written."""
    read = values["reading"]
    written = values["is_written"] or (read is not None and read.kind.is_change)
    return by_words(values["decoding"], values["traces"][0].site, written, upto)


def in_words(by: ByWords, values: Attended) -> _Between:
    """What an answer holds of the attention, between words; scores are of tokens alone."""
    read = values["reading"]
    return {
        "allowed": by.mask(values["allowed"]),
        "weights": by.weights(values["weights"]),
        "reading": read and read.in_words(by),
    }


def _of_step(tracer: "Tracer", strategy: Strategy, decoding: Decoding, at: int) -> _OfStep:
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
        "listed": (
            tracer.labels(listed),
            step.log_probabilities_V[listed].tolist(),
            [step.rank(token) for token in listed],
        ),
        "sampled": None if shares is None else (strategy, [shares(token) for token in listed]),
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
