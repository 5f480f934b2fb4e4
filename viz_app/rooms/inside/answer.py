"""What the room Inside a head is answered: one row of one head, or the spread of all its products;
the way of one token (way.py), or both norms on a batch (norms.py)."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import numpy as np

from model_core.studies.checks import check_place
from model_core.values.recipe import Recipe
from model_core.values.trace import COLUMNS, ROWS, Decoding, Site, Tokens
from model_core.values.verdict import Verdict
from viz_app.rooms.heads_shown import best_cells, placed
from viz_app.rooms.inside.facts import Architecture, architecture, said
from viz_app.rooms.inside.norms import NormsAnswer, norms
from viz_app.rooms.inside.view import InsideView
from viz_app.rooms.inside.way import Along, WayAnswer, along, walked
from viz_app.rooms.room import Answer
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Flags, Floats

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model
    from model_core.studies.head import HeadStudy, NormStudy
    from model_core.studies.path import SubLayer
    from model_core.studies.spread import Softened, Spread, SpreadStudy


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


class CellAnswer(Architecture, _Head):
    """One row of one head."""

    view: Literal["cell"]
    hidden_score: float | None  # None: minus infinity
    along: Along  # the way of its query
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


class SpreadAnswer(Architecture, _Spread):
    """How far all products of a head spread."""

    view: Literal["spread"]
    pairs: int


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
        side: Any = view.side or ROWS[site]
        position: Any = view.position
        if position is None:
            if side != ROWS[site]:  # that cell is of the other side
                sites = tracer.anatomy.sites
                site = next((one.site for one in sites if one.rows == side), site)
                view = replace(view, layer=None, head=None, query=None)
            position = _cell_of(model, decoding, site, view)[2]
        way = study_path(model, decoding, side, position, cache)
        made = replace(view, side=side, position=position)
        return Answer(made, *walked(way, model, decoding))
    if view.view == "norms":
        layer, head = placed(model, site, view.layer, view.head)
        made = replace(view, site=site, layer=layer, head=head)
        return Answer(made, *norms(tracer, recipe, site, layer))
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
    way = study_path(model, decoding, ROWS[site], query, cache)
    return Answer(made, *_cell(study, along(way, model)))


def _cell_of(
    model: "Model", decoding: Decoding, site: Any, view: InsideView
) -> tuple[int, int, int, int | None]:
    """Layer, head, query and key, the last as it was chosen where the query was."""
    layer, head = placed(model, site, view.layer, view.head)
    if view.query is not None:
        return layer, head, view.query, view.key
    query, key = best_cells(decoding.trace(site, layer))[head]
    return layer, head, query, key if view.key is None else view.key


def _cell(study: "HeadStudy", way: Along) -> tuple[CellAnswer, Tables]:
    of_keys = (
        *("sums_K", "scores_K", "bias_K", "logits_K"),
        *("exponentials_K", "weights_K", "dropped_K"),
    )
    unscaled = ("unscaled_scores_K", "unscaled_weights_K")
    of_both = ("k_KE", "factor_KE", "other_KE", "products_KE", "v_KE", "weighted_KE")
    values: CellAnswer = {
        "view": "cell",
        **architecture(study.facts),
        **cast(_Head, said(study, "facts")),
        "total": float(study.exponentials_K.sum()),
        "hidden_score": None if math.isinf(study.hidden_score) else study.hidden_score,
        "along": way,
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


def _spread(study: "SpreadStudy") -> tuple[SpreadAnswer, Tables]:
    values: SpreadAnswer = {
        "view": "spread",
        **architecture(study.facts),
        **cast(_Spread, said(study, "facts")),
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


def _keys(study: "HeadStudy | SpreadStudy") -> Axis:
    return Axis.of("key", study.keys, begins=COLUMNS[study.site] == "target")
