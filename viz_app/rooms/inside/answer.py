"""What the room Inside a head is answered: one row of one head, the way of one token, the spread of
all products of a head, or both norms on a batch."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import numpy as np

from model_core.studies.checks import check_place
from model_core.values.recipe import Recipe
from model_core.values.trace import COLUMNS, ROWS, Decoding, Side, Site, Tokens, largest
from model_core.values.verdict import Verdict
from viz_app.rooms.heads_shown import best_cells, placed
from viz_app.rooms.inside.view import InsideView
from viz_app.rooms.masks.answer import first_batch
from viz_app.rooms.room import Answer, cut_notice
from viz_app.rooms.translate.payload import CANDIDATES
from viz_app.text import ALL_WORDS
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Flags, Floats, Noticed

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model
    from model_core.studies.head import HeadStudy, NormStudy
    from model_core.studies.norms import Averaged, NormsStudy
    from model_core.studies.path import SubLayer, TokenPath
    from model_core.studies.spread import Softened, Spread, SpreadStudy

LENS = 3  # tokens that a stage of a way says
FEATURES = 48  # of the numbers that both norms are shown on


class _Architecture(TypedDict):
    """What a formula depends on; None for what is not known of a model."""

    similarity: str | None
    attention: str | None
    positions: str | None
    norm_place: str | None
    final_norm: bool | None
    activation: str | None
    attention_bias: bool | None
    output_projection: bool | None
    divides: Literal["d_model", "d_k"]  # by the root of this
    D: int
    F: int | None
    scaled_embedding: bool
    embedding_norm: bool
    output_bias: bool


class _Head(TypedDict):
    """What `HeadStudy` says."""

    site: Site
    layer: int
    head: int
    key_head: int
    key_heads: int
    query: int
    queries: Tokens
    keys: Tokens
    read_KD: Floats
    q_E: Floats
    k_KE: Floats
    v_KE: Floats
    factor_KE: Floats
    other_KE: Floats
    products_KE: Floats
    sums_K: Floats
    divisor: float
    scores_K: Floats
    bias_K: Floats | None
    logits_K: Floats
    allowed_K: Flags
    exponentials_K: Floats
    weights_K: Floats
    unscaled_scores_K: Floats | None
    unscaled_weights_K: Floats | None
    dropped_K: Floats
    zeroed_K: Flags
    weighted_KE: Floats
    summed_E: Floats
    context_E: Floats
    replaced_H: Flags
    shares_HD: Floats
    output_bias_D: Floats
    output_D: Floats
    sublayer: "SubLayer"
    norm: "NormStudy"
    verdicts: dict[str, Verdict]


class CellAnswer(_Architecture, _Head):
    """One row of one head."""

    view: Literal["cell"]
    hidden_score: float | None  # None: minus infinity
    total: float  # of the exponentials


class _Spread(TypedDict):
    """What `SpreadStudy` says."""

    site: Site
    layer: int
    head: int
    query: int
    queries: Tokens
    keys: Tokens
    d_k: int
    is_divided: bool
    divisor: float
    products_QK: Floats
    scores_QK: Floats
    edges_B: Floats
    step: float
    before: "Spread"
    after: "Spread"
    allowed_K: Flags
    plain: "Softened"
    divided: "Softened"


class SpreadAnswer(_Architecture, _Spread):
    """How far all products of a head spread."""

    view: Literal["spread"]
    pairs: int


class _Layered(TypedDict):
    count: int
    mean_N: Floats
    deviation_N: Floats
    left_NF: Floats


class _Batched(TypedDict):
    """What a batch made of the first F features."""

    count: int
    mean_F: Floats
    deviation_F: Floats
    left_NF: Floats


class NormsAnswer(_Architecture, Noticed):
    """What enters one norm, of the sentence and a short one, and what both norms make of it.

    Of the features of a token only the first are there; a mean over features is over all of them.
    """

    view: Literal["norms"]
    site: Site
    layer: int
    tokens: tuple[Tokens, ...]
    is_pad_N: Flags
    entered_NF: Floats
    layered: _Layered
    whole: _Batched
    padded: _Batched
    alone: _Batched
    single: float


class _Lens(TypedDict):
    """The best tokens if the model stopped after each of `stages_of`, the best first."""

    tokens: Tokens
    token_SR: Floats
    logit_SR: Floats
    probability_SR: Floats


class _Prediction(TypedDict):
    """The best candidates under the full softmax, and what its divisor is."""

    candidates: Tokens
    logits: list[float]
    probabilities: list[float]
    log_sum: float
    V: int
    chosen: int | None


class _Way(TypedDict):
    """What `TokenPath` says."""

    side: Side
    position: int
    tokens: Tokens
    embedding_D: Floats
    segment_D: Floats | None
    position_D: Floats | None
    sum_D: Floats
    adds_up: Verdict
    sublayers: "tuple[SubLayer, ...]"
    output_D: Floats


class WayAnswer(_Architecture, _Way):
    """The way of one token through the model."""

    view: Literal["way"]
    alone: bool  # it is an encoder
    lens: _Lens | None
    prediction: _Prediction | None


Studied = CellAnswer | SpreadAnswer | NormsAnswer | WayAnswer


def answer(tracer: "Tracer", recipe: Recipe, view: InsideView) -> Answer[Studied]:
    """One row of one head, one way, the spread of a head's products with one of its rows, or the
    norms of a layer.

    Left open, the cell is the one that has most weight among words, and the way that of its query.
    """
    from model_core.studies.head import study_head  # imports torch
    from model_core.studies.path import study_path
    from model_core.studies.spread import study_spread

    decoding = tracer.evaluate(recipe)
    cache, model = tracer.studied, tracer.model
    site: Any = view.site or tracer.anatomy.first_site.site
    if view.view == "way":
        side: Any = view.side or tracer.anatomy.site(site).rows
        position: Any = view.position
        if position is None:
            position = _cell_of(model, decoding, site, view)[2]
        way = study_path(model, decoding, side, position, cache)
        made = replace(view, side=side, position=position)
        return Answer(made, *_way(way, model, decoding))
    if view.view == "norms":
        layer, head = placed(model, site, view.layer, view.head)
        made = replace(view, site=site, layer=layer, head=head)
        return Answer(made, *_norms(tracer, recipe, site, layer))
    layer, head, query, key = _cell_of(model, decoding, site, view)
    if view.view == "spread":
        spread = study_spread(model, decoding, site, layer, head, query, cache)
        view = replace(view, site=site, layer=layer, head=head, query=query)
        return Answer(view, *_spread(spread))
    study = study_head(model, decoding, site, layer, head, query, cache)
    if key is None:
        key = int(study.weights_K.argmax())
    check_place(key, len(study.keys), "key")
    made = replace(view, site=site, layer=layer, head=head, query=query, key=key)
    return Answer(made, *_cell(study))


def _cell_of(
    model: "Model", decoding: Decoding, site: Any, view: InsideView
) -> tuple[int, int, int, int | None]:
    """Layer, head, query and key, the last as it was chosen where the query was."""
    layer, head = placed(model, site, view.layer, view.head)
    if view.query is not None:
        return layer, head, view.query, view.key
    query, key = best_cells(decoding.trace(site, layer))[head]
    return layer, head, query, key if view.key is None else view.key


def _cell(study: "HeadStudy") -> tuple[CellAnswer, Tables]:
    of_keys = (
        *("sums_K", "scores_K", "bias_K", "logits_K"),
        *("exponentials_K", "weights_K", "dropped_K"),
    )
    unscaled = ("unscaled_scores_K", "unscaled_weights_K")
    of_both = ("k_KE", "factor_KE", "other_KE", "products_KE", "v_KE", "weighted_KE")
    values: CellAnswer = {
        "view": "cell",
        **_architecture(study.facts),
        **cast(_Head, _said(study, "facts")),
        "total": float(study.exponentials_K.sum()),
        "hidden_score": None if math.isinf(study.hidden_score) else study.hidden_score,
    }
    by_key, by_dimension = _keys(study), Axis("dimension", len(study.q_E), start=0)
    H, D = study.shares_HD.shape
    by_width = Axis("dimension", D, start=0)
    passed = ("entered_D", "read_D", "made_D", "sum_D", "passed_D")
    normed = ("entered_D", "gain_D", "bias_D", "left_D")
    row = (
        TableOf("row", (by_key,), {name: name for name in ("allowed_K", *of_keys, *unscaled)}),
        TableOf("read", (by_key, by_width), {"read_KD": "read_KD"}),
        TableOf("dimensions", (by_key, by_dimension), {name: name for name in of_both}),
        TableOf(
            "query", (by_dimension,), {name: name for name in ("q_E", "summed_E", "context_E")}
        ),
    )
    output = (
        TableOf("heads", (Axis("head", H), by_width), {"share_HD": "shares_HD"}),
        TableOf(
            "sublayer",
            (by_width,),
            {"bias_D": "output_bias_D", "output_D": "output_D"}
            | {name: f"sublayer.{name}" for name in passed},
        ),
        TableOf("norm", (by_width,), {name: f"norm.{name}" for name in normed}),
    )
    return values, {"head": row, "output": output}


def _said(study: Any, *unsaid: str) -> dict[str, Any]:
    return {name: value for name, value in vars(study).items() if name not in unsaid}


def _spread(study: "SpreadStudy") -> tuple[SpreadAnswer, Tables]:
    values: SpreadAnswer = {
        "view": "spread",
        **_architecture(study.facts),
        **cast(_Spread, _said(study, "facts")),
        "pairs": int(np.isfinite(study.products_QK).sum()),
    }
    by_key = _keys(study)
    by_query = Axis.of("query", study.queries, begins=ROWS[study.site] == "target")
    counts = {"from_B": "edges_B", "before_B": "before.counts_B", "after_B": "after.counts_B"}
    weights = {"plain_K": "plain.weights_K", "divided_K": "divided.weights_K"}
    pairs = {"product_QK": "products_QK", "score_QK": "scores_QK"}
    tables = (
        TableOf("spread", (Axis("bar", len(study.edges_B)),), counts),
        TableOf("row", (by_key,), weights),
        TableOf("products", (by_query, by_key), pairs),
    )
    return values, {"spread": tables}


def _norms(tracer: "Tracer", recipe: Recipe, site: Site, layer: int) -> tuple[NormsAnswer, Tables]:
    from model_core.studies.batch import translate_batch
    from model_core.studies.norms import study_norms

    cache, source = tracer.studied, recipe.source
    sentences = cache.of(("first batch", source), lambda: first_batch(source, tracer.model))
    sentences = tuple(dict.fromkeys((source, sentences[-1])))
    batch = cache.of(
        ("norms", recipe, sentences), lambda: translate_batch(tracer, sentences, recipe)
    )
    study = study_norms(tracer.model, batch, site, layer, cache)
    F = min(FEATURES, study.entered_ND.shape[1])
    layered = study.layered
    values: NormsAnswer = {
        "view": "norms",
        **_architecture(study.facts),
        **cut_notice(batch.is_cut, tracer.most_steps),
        "site": site,
        "layer": layer,
        "tokens": study.tokens,
        "is_pad_N": study.is_pad_N,
        "entered_NF": study.entered_ND[:, :F],
        "layered": {
            "count": layered.count,
            "mean_N": layered.mean_N,
            "deviation_N": layered.deviation_N,
            "left_NF": layered.left_ND[:, :F],
        },
        "whole": _of_features(study.whole, F),
        "padded": _of_features(study.padded, F),
        "alone": _of_features(study.alone, F),
        "single": study.single,
    }
    return values, {"norms": _norm_tables(study, F)}


def _of_features(averaged: "Averaged", F: int) -> _Batched:
    return {
        "count": averaged.count,
        "mean_F": averaged.mean_N[:F],
        "deviation_F": averaged.deviation_N[:F],
        "left_NF": averaged.left_ND[:, :F],
    }


def _norm_tables(study: "NormsStudy", F: int) -> tuple[TableOf, ...]:
    rows = Axis.of("token", sum(study.tokens[1:], study.tokens[0]))
    columns = Axis("feature", F, start=0)
    return (
        TableOf(
            "norms",
            (rows, columns),
            {
                "entered_NF": "entered_NF",
                "layered_NF": "layered.left_NF",
                "batched_NF": "whole.left_NF",
            },
        ),
        TableOf(
            "layer", (rows,), {f"{one}_N": f"layered.{one}_N" for one in ("mean", "deviation")}
        ),
        TableOf(
            "batch", (columns,), {f"{one}_F": f"whole.{one}_F" for one in ("mean", "deviation")}
        ),
    )


def _keys(study: "HeadStudy | SpreadStudy") -> Axis:
    return Axis.of("key", study.keys, begins=COLUMNS[study.site] == "target")


def _way(way: "TokenPath", model: "Model", decoding: Decoding) -> tuple[WayAnswer, Tables]:
    unsaid = ("facts", "logits_V", "log_probabilities_V", "lens_SV", "lens_logits_SV")
    values: WayAnswer = {
        "view": "way",
        **_architecture(way.facts),
        **cast(_Way, _said(way, *unsaid)),
        "alone": model.anatomy.kind == "encoder",
        "lens": _lens(way, model),
        "prediction": _prediction(way, model, decoding),
    }
    stages = stages_of(values)
    by_stage = Axis.of("stage", [_named(key, said) for key, said, _ in stages])
    by_width = Axis("dimension", len(way.sum_D), start=0)
    paths = tuple(path for *_, path in stages)
    tables = [TableOf("way", (by_stage, by_width), {"value_SD": paths}), _hidden(stages, way)]
    if way.lens_SV is not None:
        of_lens = {name: f"lens.{name}" for name in ("token_SR", "logit_SR", "probability_SR")}
        tables.append(TableOf("stopped", (by_stage, Axis("rank", LENS)), of_lens))
    return values, {"way": tuple(tables)}


def _hidden(stages: list["Stage"], way: "TokenPath") -> TableOf:
    """The units of every feed-forward after the activation."""
    found = [stage for stage in stages if stage[0] == "inside_stage_feed_forward"]
    by_stage = Axis.of("stage", [_named(key, said) for key, said, _ in found])
    paths = tuple(path.replace("passed_D", "hidden_F") for *_, path in found)
    by_unit = Axis("unit", way.facts["feed_forward_width"], start=0)
    return TableOf("hidden", (by_stage, by_unit), {"hidden_SF": paths})


def _lens(way: "TokenPath", model: "Model") -> _Lens | None:
    if way.lens_SV is None or way.lens_logits_SV is None:
        return None
    best = [largest(row_V, LENS) for row_V in way.lens_SV]
    token_SR = np.array(best)
    return {
        "tokens": model.labels([token for row in best for token in row]),
        "token_SR": token_SR,
        "logit_SR": np.take_along_axis(way.lens_logits_SV, token_SR, axis=1),
        "probability_SR": np.exp(np.take_along_axis(way.lens_SV, token_SR, axis=1)),
    }


Stage = tuple[str, dict[str, str], str]


def stages_of(values: WayAnswer) -> list[Stage]:
    """The stages of a way: the key of each name with what stands in it, and its path in the answer.

    What stands in a name is a key too where it begins with "inside_".
    """
    stack = {"stack": "inside_encoder" if values["side"] == "source" else "inside_decoder"}
    stages: list[Stage] = [("inside_embedding", {}, "embedding_D")]
    if values["position_D"] is not None:
        stages.append(("figure_after_position", {}, "sum_D"))
    for at, sublayer in enumerate(values["sublayers"]):
        _, layer, kind = sublayer.name.split(".")
        said = stack | {"layer": layer}
        stages.append((f"inside_stage_{kind}", said, f"sublayers.{at}.passed_D"))
    if values["final_norm"]:
        stages.append(("inside_final_norm", stack, "output_D"))
    return stages


def _named(key: str, said: Mapping[str, str]) -> str:
    """The name of a stage in the data, which are in English."""
    words = ALL_WORDS["en"]
    text = words[key].format(**{name: words.get(value, value) for name, value in said.items()})
    return re.sub(r"\[\w+\|([^\]|]*)\]", r"\1", text)


def _prediction(way: "TokenPath", model: "Model", decoding: Decoding) -> _Prediction | None:
    if way.logits_V is None or way.log_probabilities_V is None:
        return None
    order = largest(way.log_probabilities_V, CANDIDATES)
    candidates = model.labels(order)
    fed = decoding.target.ids if way.side == "target" else ()
    chosen = fed[way.position + 1 : way.position + 2]
    return {
        "candidates": candidates,
        "logits": [float(way.logits_V[token]) for token in order],
        "probabilities": [float(np.exp(way.log_probabilities_V[token])) for token in order],
        # log of the sum over all V of e^logit: the same whichever token it is read off
        "log_sum": float(way.logits_V[order[0]] - way.log_probabilities_V[order[0]]),
        "V": len(way.logits_V),
        "chosen": chosen[0] if chosen else None,
    }


def _architecture(facts: Mapping[str, Any]) -> _Architecture:
    return {
        "similarity": facts.get("similarity"),
        "attention": facts.get("attention"),
        "positions": facts.get("positions"),
        "norm_place": facts.get("norm_place"),
        "final_norm": facts.get("final_norm"),
        "activation": facts.get("activation"),
        "attention_bias": facts.get("attention_bias"),
        "output_projection": facts.get("output_projection"),
        "divides": "d_model" if facts.get("divisor") == "model" else "d_k",
        "D": facts["width"],
        "F": facts.get("feed_forward_width"),
        "scaled_embedding": facts["scaled_embedding"],
        "embedding_norm": bool(facts.get("embedding_norm")),
        "output_bias": facts["output_projection"] and facts["output_bias"],
    }
