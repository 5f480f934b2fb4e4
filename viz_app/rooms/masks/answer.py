"""What the room Masks is answered: a batch under its masks, or one target read in two ways.

Of the recipe the model counts and, where its source is the first sentence, the tokens it chose and
its strategy. What the answers hold is described in `_masks` and `_passes`.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.studies.checks import check_place
from model_core.values.edits import OF_PADS
from model_core.values.recipe import Recipe
from viz_app.rooms.axes import axes_of
from viz_app.rooms.examples import EXAMPLES
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.masks.view import MasksView
from viz_app.rooms.room import Answer, cut_notice
from viz_app.rooms.translate.summary import MOST_AT_ONCE
from viz_app.values.tables import Axis, TableOf, Tables

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model
    from model_core.studies.batch import TranslatedBatch
    from model_core.studies.compare import PredictionChange
    from model_core.studies.masks import MaskedAttention

_LONG = 100  # words
_Heads = dict[str, tuple[np.ndarray, ...]]  # (H, Q, K) by layer


def answer(tracer: "Tracer", recipe: Recipe, view: MasksView) -> Answer:
    """The room's answer; left open, the batch is the first one, the sentence the recipe's."""
    made, of_heads = _answered(tracer, recipe, view)
    whole = {name: np.stack(layers) for name, layers in of_heads.items()}
    return replace(made, values=made.values | whole)


def to_page(tracer: "Tracer", recipe: Recipe, view: MasksView) -> Answer:
    """The same for the page; where all heads are too much to send, the numbers of one of them.

    `one` is that head, {layer, head}, or None where those of all heads are there.
    """
    made, of_heads = _answered(tracer, recipe, view)
    if sum(array.nbytes for layers in of_heads.values() for array in layers) <= MOST_AT_ONCE:
        shown, one = {name: np.stack(layers) for name, layers in of_heads.items()}, None
    else:
        layer, head = made.view.layer or 0, made.view.head or 0
        shown = {name: layers[layer][head] for name, layers in of_heads.items()}
        one = {"layer": layer, "head": head}
    return replace(made, values=made.values | shown | {"one": one})


def _answered(tracer: "Tracer", recipe: Recipe, view: MasksView) -> tuple[Answer, _Heads]:
    """The answer but for the numbers of the heads, and these."""
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
    make = _masks if view.view == "masks" else _passes
    body, of_heads, tables = make(tracer, batch, view)
    values = {
        "version": 1,
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
                "source": source,
                "fed": fed,
                "predicted": after,
            }
            for text, done, source, fed, after in zip(
                sentences, batch.recipes, batch.sources, batch.fed, batch.predicted, strict=True
            )
        ],
    }
    return Answer(view, values | body, tables), of_heads


def _masks(
    tracer: "Tracer", batch: "TranslatedBatch", view: MasksView
) -> tuple[dict[str, Any], _Heads, Tables]:
    """One sentence under the masks.

    `breaks` are the edits that break masks. `masks` and `own` (the model's own) hold pad,
    causal and combined (Q, K); causal is None where there is none. Of the heads there are
    `scores` and `weights`. `leaks` are means over the rows that are not pads, (L, H),
    `elsewhere` those on pads at the other sites that leak. `verdicts` say whether pads and the
    future get exactly 0, and whether weights are those of minus infinity. `changes` has one
    entry per sentence and in it one per position of the side `predicting`, and is empty where
    the model predicts nothing.
    """
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
    values = {
        "layers": L,
        "heads": H,
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
    }
    return values, {"scores": broken.scores, "weights": broken.weights}, tables


def _passes(
    tracer: "Tracer", batch: "TranslatedBatch", view: MasksView
) -> tuple[dict[str, Any], _Heads, Tables]:
    """One target, without pads, read in one pass and in steps; the masks are never broken here.

    `once` and `stepped` are weights (L, H, Q, K), each with its mask; `apart` are the largest
    differences anywhere, and `verdict` what may be said of them.
    """
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
    apart = ("scores", "weights", "log_probabilities")
    values = {
        "layers": L,
        "heads": H,
        **{name: getattr(passes, name) for name in ("source", "fed", "predicted")},
        "allowed": passes.allowed_QK,
        "once_allowed": passes.once_allowed_QK,
        "ended": decoding.finished == "end",
        "probabilities": {
            "once": passes.once_probability_T.tolist(),
            "stepped": passes.stepped_probability_T.tolist(),
        },
        "apart": {name: getattr(passes, f"{name}_apart") for name in apart},
        "verdict": passes.verdict,
    }
    return values, {"once": passes.once, "stepped": passes.stepped}, {"passes": (table,)}


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


def _mask_of(attention: "MaskedAttention") -> dict[str, np.ndarray | None]:
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


def _change(change: "PredictionChange", model: "Model") -> dict[str, Any]:
    return {
        "distance": change.distance_T.tolist(),
        "intact": model.labels(change.best_before),
        "broken": model.labels(change.best_after),
        "intact_probability": change.probability_before_T.tolist(),
        "broken_probability": change.probability_after_T.tolist(),
    }
