"""What the room Masks is answered: a batch under its masks, or one target read in two ways.

Of the recipe the model counts and, where its source is the first sentence, the tokens it chose and
its strategy.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from model_core.studies.checks import check_place
from model_core.values.edits import OF_PADS
from model_core.values.recipe import Recipe, RecipeJson
from model_core.values.trace import Side, Site, Tokens
from model_core.values.verdict import Verdict
from viz_app.rooms.axes import axes_of
from viz_app.rooms.examples import EXAMPLES
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.masks.view import MasksView
from viz_app.rooms.room import Answer, cut_notice
from viz_app.rooms.translate.summary import MOST_AT_ONCE
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Floats, Mask, Noticed, TokensJson, sentence_json

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model
    from model_core.studies.batch import TranslatedBatch
    from model_core.studies.compare import PredictionChange
    from model_core.studies.masks import MaskedAttention

_LONG = 100  # words
_MOST_RUN, _KEPT_PADS = 6, 3  # pads in a row that are all drawn; those of a longer run that are
_Heads = tuple[np.ndarray, ...]  # (H, Q, K) by layer


class _One(TypedDict):
    """The head whose numbers are sent where all heads' numbers are too many."""

    layer: int
    head: int


class _Sentence(TypedDict):
    text: str
    recipe: RecipeJson
    source: TokensJson
    fed: TokensJson
    predicted: Tokens


class _OfBatch(Noticed):
    """What both pictures of the room say."""

    view: str | None
    model: str
    shown: int
    site: Site
    rows: Side
    columns: Side
    causal: bool
    reads_whole: bool
    batch: list[_Sentence]


class _Lines(TypedDict):
    """The rows and columns that maps show where a long run of pads is only counted at its end."""

    rows: int
    columns: int


class _OfMaps(TypedDict):
    layers: int
    heads: int
    hard: bool  # the largest score takes all
    folded: _Lines


class _OfHeads(_OfBatch, _OfMaps):
    one: _One | None  # None where the numbers of all heads are there


class _Masks(TypedDict):
    """(Q, K) each; None where there is none."""

    pad: Mask
    causal: Mask | None
    combined: Mask


class _Leaks(TypedDict):
    """Means over the rows that are not pads, (L, H)."""

    on_pads: list[list[float]]
    on_future: list[list[float]]


class _Elsewhere(TypedDict):
    site: Site
    on_pads: float


class _Verdicts(TypedDict):
    """Whether pads and the future get exactly 0, as with a score of minus infinity."""

    pads: Verdict | None
    future: Verdict | None
    fill: Verdict


class _Change(TypedDict):
    """Of one sentence, by the positions of the side that is predicted."""

    distance: list[float]
    intact: Tokens
    broken: Tokens
    intact_probability: list[float]
    broken_probability: list[float]


class MasksAnswer(_OfHeads):
    """One sentence under the masks."""

    breaks: list[str]  # edits
    masks: _Masks
    own: _Masks  # the model's
    hidden_score: float | None
    leaks: _Leaks
    empty: list[int]
    uniform: list[int]
    elsewhere: list[_Elsewhere]  # the other sites that leak
    verdicts: _Verdicts
    changes: list[_Change]  # one a sentence; empty where the model predicts nothing
    predicting: Side
    scores: Floats
    weights: Floats


class _Probabilities(TypedDict):
    once: list[float]
    stepped: list[float]


class _Apart(TypedDict):
    """The largest differences anywhere."""

    scores: float
    weights: float
    log_probabilities: float


class PassesAnswer(_OfHeads):
    """One target, without pads, read in one pass and in steps; the masks are never broken here."""

    source: TokensJson
    fed: TokensJson
    predicted: Tokens
    allowed: Mask
    once_allowed: Mask
    ended: bool
    usual_step: int  # that the reading by steps is shown at, from 0
    probabilities: _Probabilities
    apart: _Apart
    verdict: Verdict
    once: Floats  # weights (L, H, Q, K)
    stepped: Floats


def answer(tracer: "Tracer", recipe: Recipe, view: MasksView) -> Answer[MasksAnswer | PassesAnswer]:
    """The room's answer; left open, the batch is the first one, the sentence the recipe's."""
    return _answered(tracer, recipe, view, None)


def to_page(
    tracer: "Tracer", recipe: Recipe, view: MasksView
) -> Answer[MasksAnswer | PassesAnswer]:
    """The same for the page; where all heads are too much to send, the numbers of one of them."""
    return _answered(tracer, recipe, view, MOST_AT_ONCE)


def _answered(
    tracer: "Tracer", recipe: Recipe, view: MasksView, most: int | None
) -> Answer[MasksAnswer | PassesAnswer]:
    """The answer, with at most `most` bytes of the heads' numbers; None: all of them."""
    # Imports torch: a second or more.
    from model_core.studies.batch import SPARE_PADS, translate_batch

    sentences = view.sentences
    if sentences is None:
        sentences = tracer.studied.of(
            ("first batch", recipe.source), lambda: first_batch(recipe.source, tracer.model)
        )
    batch = tracer.studied.of(
        ("batch", recipe, sentences),
        lambda: translate_batch(tracer, sentences, recipe, SPARE_PADS),
    )
    # Where pads are let in, the source's do the harm: the causal mask hides those of the target.
    lets_pads_in = view.view == "masks" and any(edit.kind in OF_PADS for edit in view.breaks)
    usual: Any = ("cross", "decoder") if lets_pads_in else ("decoder",)
    usual = next(filter(tracer.anatomy.has, usual), tracer.anatomy.sites[0].site)
    site = tracer.anatomy.site(view.site or usual)
    shown = view.shown or 0
    check_place(shown, len(sentences), "sentence")
    view = replace(view, site=site.site, sentences=sentences, shown=shown)
    layer, head = placed(tracer.model, site.site, view.layer, view.head)
    view = replace(view, layer=layer, head=head)
    of_batch: _OfBatch = {
        "view": view.view,
        "model": recipe.model,
        "shown": shown,
        "site": site.site,
        "rows": site.rows,
        "columns": site.columns,
        "causal": site.causal,
        "reads_whole": tracer.anatomy.reads_whole,
        **cut_notice(batch.is_cut, tracer.most_steps),
        "batch": [
            {
                "text": text,
                "recipe": done.to_json(),
                "source": sentence_json(source),
                "fed": sentence_json(fed),
                "predicted": after,
            }
            for text, done, source, fed, after in zip(
                sentences, batch.recipes, batch.sources, batch.fed, batch.predicted, strict=True
            )
        ],
    }
    make = _masks if view.view == "masks" else _passes
    return make(tracer, batch, view, of_batch, most)


def _sent(
    one: _Heads, other: _Heads, view: MasksView, most: int | None
) -> tuple[np.ndarray, np.ndarray, _One | None]:
    """Two arrays of all heads, or of one and which that is."""
    if most is None or sum(array.nbytes for array in (*one, *other)) <= most:
        return np.stack(one), np.stack(other), None
    layer, head = view.layer or 0, view.head or 0
    return one[layer][head], other[layer][head], {"layer": layer, "head": head}


def _masks(
    tracer: "Tracer",
    batch: "TranslatedBatch",
    view: MasksView,
    of_batch: _OfBatch,
    most: int | None,
) -> Answer[MasksAnswer]:
    """One sentence under the masks."""
    from model_core.studies.masks import study_masks

    shown: Any = view.shown
    site: Any = view.site
    study = study_masks(tracer.model, batch, shown, site, view.breaks, tracer.studied)
    broken = study.broken
    real_Q = np.array([kind != "pad" for kind in broken.queries.kinds])
    L, H = len(broken.weights), len(broken.weights[0])
    axes = axes_of(site, broken.queries, broken.keys)
    changes = [_change(change, tracer.model) for change in study.changes]
    tables: Tables = {
        "masks": (
            TableOf(
                "masks",
                axes,
                {f"{name}_QK": f"masks.{name}" for name in ("pad", "causal", "combined")},
            ),
        ),
        "scores": (
            TableOf(
                "scores",
                axes,
                {"allowed_QK": "masks.combined", "scores_QK": "scores", "weights_QK": "weights"},
                (("layer", L), ("head", H)),
            ),
        ),
    }
    side, change = tracer.anatomy.predicting, f"changes.{shown}"
    if changes:
        read = batch.side(side)[shown][: len(changes[shown]["distance"])]
        tables["broken"] = (
            TableOf(
                "broken",
                (Axis.of("after" if side == "target" else "at", read, begins=side == "target"),),
                {
                    "distance_T": f"{change}.distance",
                    "own_best": f"{change}.intact.texts",
                    "own_probability_T": f"{change}.intact_probability",
                    "broken_best": f"{change}.broken.texts",
                    "broken_probability_T": f"{change}.broken_probability",
                },
            ),
        )
    scores, weights, one_head = _sent(broken.scores, broken.weights, view, most)
    values: MasksAnswer = {
        **of_batch,
        **_of_heads(tracer.model, broken.weights, broken.queries, broken.keys),
        "breaks": list(map(str, view.breaks)),
        "masks": _mask_of(broken),
        "own": _mask_of(study.intact),
        "hidden_score": None if math.isinf(broken.hidden_score) else broken.hidden_score,
        "leaks": {
            "on_pads": _mean_on_pads(broken).tolist(),
            "on_future": broken.on_future_LHQ[..., real_Q].mean(axis=-1).tolist(),
        },
        "empty": np.flatnonzero(broken.empty_Q).tolist(),
        "uniform": np.flatnonzero(broken.uniform_Q).tolist(),
        "elsewhere": [
            {"site": one.site, "on_pads": float(_mean_on_pads(one).mean())}
            for one in study.others
            if one.of_pads == "differs"
        ],
        "verdicts": {
            "pads": broken.of_pads,
            "future": broken.of_future,
            "fill": study.of_fill,
        },
        "changes": changes,
        "predicting": side,
        "scores": scores,
        "weights": weights,
        "one": one_head,
    }
    return Answer(view, values, tables)


def _passes(
    tracer: "Tracer",
    batch: "TranslatedBatch",
    view: MasksView,
    of_batch: _OfBatch,
    most: int | None,
) -> Answer[PassesAnswer]:
    """One target, read in one pass and in steps."""
    from model_core.studies.steps import study_passes

    shown: Any = view.shown
    site: Any = view.site
    decoding = tracer.evaluate(batch.recipes[shown])
    passes = study_passes(tracer.model, decoding, site)
    L, H = len(passes.once), len(passes.once[0])
    one = tracer.anatomy.site(site)
    sides = {"source": passes.source, "target": passes.fed}
    queries, keys = sides[one.rows], sides[one.columns]
    table = TableOf(
        "passes",
        axes_of(site, queries, keys),
        {"allowed_QK": "allowed", "once_QK": "once", "stepped_QK": "stepped"},
        (("layer", L), ("head", H)),
    )
    once, stepped, one_head = _sent(passes.once, passes.stepped, view, most)
    usual_step = max(0, (len(passes.fed) - 1) // 2)
    step = usual_step if view.step is None else min(view.step, len(passes.fed) - 1)
    values: PassesAnswer = {
        **of_batch,
        **_of_heads(tracer.model, passes.once, queries, keys),
        "source": sentence_json(passes.source),
        "fed": sentence_json(passes.fed),
        "predicted": passes.predicted,
        "allowed": passes.allowed_QK,
        "once_allowed": passes.once_allowed_QK,
        "ended": decoding.finished == "end",
        "usual_step": usual_step,
        "probabilities": {
            "once": passes.once_probability_T.tolist(),
            "stepped": passes.stepped_probability_T.tolist(),
        },
        "apart": {
            "scores": passes.scores_apart,
            "weights": passes.weights_apart,
            "log_probabilities": passes.log_probabilities_apart,
        },
        "verdict": passes.verdict,
        "once": once,
        "stepped": stepped,
        "one": one_head,
    }
    return Answer(replace(view, step=step), values, {"passes": (table,)})


def first_batch(source: str, model: "Model") -> tuple[str, ...]:
    """The sentence and two examples that the model reads, the longest and the shortest.

    For languages without examples two beginnings of the sentence, where the model has a pad.
    """
    if model.languages not in EXAMPLES:
        return (
            (source, *_beginnings(source)) if model.anatomy.special.pad is not None else (source,)
        )
    most = model.anatomy.max_positions
    others = sorted(
        (
            text
            for text in EXAMPLES.get(model.languages, ())
            if text != source and len(model.source(text)) <= most
        ),
        key=len,  # of equal ones the first
    )
    return (source, others[-1], others[0]) if len(others) > 1 else (source, *others)


def _beginnings(text: str) -> tuple[str, ...]:
    """The first two thirds and the first third of a text's words, of its letters without spaces.

    Of a long text the third alone: each sentence is a row more in every pass.
    """
    words, joint = (text.split(), " ") if len(text.split()) > 2 else (list(text.strip()), "")
    parts = (1,) if len(words) > _LONG else (2, 1)
    lengths = sorted({len(words) * part // 3 for part in parts} - {0}, reverse=True)
    return tuple(joint.join(words[:length]) for length in lengths)


def _of_heads(model: "Model", weights: _Heads, queries: Tokens, keys: Tokens) -> _OfMaps:
    """What both pictures say of the heads and of the lines of their maps."""
    return {
        "layers": len(weights),
        "heads": len(weights[0]),
        "hard": model.facts.get("attention") == "hard",
        "folded": {"rows": _folded_to(queries), "columns": _folded_to(keys)},
    }


def _folded_to(tokens: Tokens) -> int:
    """How many of the tokens are shown where pads, which stand at the end, are many."""
    pads = tokens.kinds.count("pad")
    return len(tokens) - (pads - _KEPT_PADS if pads > _MOST_RUN else 0)


def _mask_of(attention: "MaskedAttention") -> _Masks:
    return {
        "pad": attention.pad_QK,
        "causal": attention.causal_QK,
        "combined": attention.allowed_QK,
    }


def _mean_on_pads(attention: "MaskedAttention") -> np.ndarray:
    """The mean part of attention that goes to pads, over the rows that are none, (L, H)."""
    real_Q = np.array([kind != "pad" for kind in attention.queries.kinds])
    mean_LH: np.ndarray = attention.on_pads_LHQ[..., real_Q].mean(axis=-1)
    return mean_LH


def _change(change: "PredictionChange", model: "Model") -> _Change:
    return {
        "distance": change.distance_T.tolist(),
        "intact": model.labels(change.best_before),
        "broken": model.labels(change.best_after),
        "intact_probability": change.probability_before_T.tolist(),
        "broken_probability": change.probability_after_T.tolist(),
    }
