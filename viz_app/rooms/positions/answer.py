"""What the room Positions is answered: tables, sums, the effect of order, rotations."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from model_core.errors import RecipeError
from model_core.studies.checks import check_place
from model_core.values.recipe import Recipe
from model_core.values.trace import ROWS, SIDES, Side, Site, Tokens
from model_core.values.verdict import Verdict
from viz_app.rooms.axes import axes_of
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.positions.moved import (
    PositionOrder,
    PositionOutcome,
    order_answer,
    outcome_answer,
)
from viz_app.rooms.positions.view import PositionsView
from viz_app.rooms.room import Answer
from viz_app.text import named_error
from viz_app.values.phrases import say
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Floats

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.protocol import Model

TURNED_PAIR = (7, 2)  # query and key that the rotation opens with
MOST_CURVES = 6
_ROW = 3  # the row of a table that is read first
_COMPARED = {"similarity_PP": "similarity", "product_PP": "products", "distance_PP": "distances"}


class PositionTable(TypedDict):
    """The table of a kind of positions, (P, D)."""

    study: str
    kind: str
    own: bool  # the model's; otherwise what a model of its sizes would have
    halves: bool
    first: int
    steps: str
    positions: int  # of the whole table
    dimensions: int
    models_kind: str
    offsets: list[int]
    buckets: list[int]
    side: Side
    sides: list[Side]
    curves: list[int]
    shape: list[int]
    table: Floats
    wavelengths: list[float]
    pairs: list[int]
    similarity: Floats
    similarity_from: float
    products: Floats
    distances: Floats


class PositionSum(TypedDict):
    """Embedding and position of the tokens of one side, and their sum, (T, D) each."""

    study: str
    side: Side
    sides: list[Side]
    models_kind: str
    embedding_norm: bool
    scale: float
    adds_up: Verdict
    tokens: Tokens
    shape: list[int]
    embedding: Floats
    position: Floats
    sum: Floats


class Rotation(TypedDict):
    """Queries and keys of a head before and after they are turned, (Q, E) each."""

    study: str
    own: bool
    models_kind: str
    similarity: str
    dimensions: list[tuple[int, int]]
    site: Site
    layer: int
    head: int
    query: int
    key: int
    frequencies: list[float]
    tokens: Tokens
    shape: list[int]
    positions: int
    q: Floats
    k: Floats
    turned_q: Floats
    turned_k: Floats
    scores: Floats
    turned_scores: Floats
    placed_scores: Floats
    spread: float
    verdict: Verdict


Studied = PositionTable | PositionSum | PositionOrder | PositionOutcome | Rotation


def answer(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Answer[Studied]:
    """The answer of one study of the room; RecipeError where there is no such place."""
    return _STUDIES[view.study or "table"](tracer, recipe, view)


def _table(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Answer[PositionTable]:
    """The table of a kind; `side` matters to a learned one only."""
    from model_core.studies.positions import position_table

    model = tracer.model
    models_kind = model.facts["positions"]
    kind: Any = models_kind if view.kind == "own" else view.kind
    side = _side(model, view)
    table = position_table(model, kind, side)
    P, D = table.table_PD.shape
    # Curves to begin with: a quick wave, two slower ones, among the columns that are drawn.
    pairs = table.pairs or range(D // 2)
    step = 1 if table.halves else 2
    usual = {step * pairs[len(pairs) * part // 100]: None for part in (0, 16, 31) if pairs}
    if table.distances:
        usual = dict.fromkeys(range(min(D, MOST_CURVES)))  # heads
    dimensions = view.dimensions or tuple(usual)
    dimensions = dimensions[:MOST_CURVES]
    for dimension in dimensions if D else ():  # without a table the answer's check says so
        check_place(dimension, D, "dimension", first=0)
    values: PositionTable = {
        "study": "table",
        "kind": table.kind,
        "own": table.own,
        "halves": table.halves,
        "first": table.first,
        "steps": table.steps,
        "positions": table.positions,
        "dimensions": table.dimensions,
        "models_kind": models_kind,
        "offsets": list(table.distances),
        "buckets": list(table.buckets),
        "side": side,
        "sides": _sides(model) if kind in ("learned", "relative") and table.own else [],
        "curves": list(dimensions),
        "shape": [P, D],
        "table": table.table_PD,
        "wavelengths": table.wavelengths_D.tolist(),
        "pairs": list(table.pairs),
        "similarity": table.similarity_PP,
        "similarity_from": _lowest(table.similarity_PP),
        "products": table.products_PP,
        "distances": table.distances_PP,
    }
    position = say("positions_axis_position")
    place = Axis("position", P, start=0, title=position)
    dimension_axis = Axis("dimension", D, start=0, title=say("positions_axis_dimension"))
    if table.distances:
        distance = say("positions_axis_distance")
        place = Axis("distance", P, start=table.distances[0], title=distance)
        dimension_axis = Axis("head", D, title=say("positions_axis_head"))
    other = Axis("other_position", P, start=0, title=position)
    some = replace(dimension_axis, picked="dimensions")
    tables: Tables = {
        "positions": (TableOf("positions", (place, dimension_axis), {"value_PD": "table"}),),
        "curves": (TableOf("curves", (place, some), {"value_PD": "table"}),),
        "similarity": (TableOf("similarity", (place, other), _COMPARED),),
    }

    def check() -> None:
        if not D:
            raise named_error(RecipeError, "no_table")

    row = max(0, min(P - 1, _ROW if view.row is None else view.row))
    return Answer(replace(view, dimensions=dimensions, row=row), values, tables, check)


def _lowest(similarity_PP: np.ndarray) -> float:
    """Where the scale of cosines begins: at a tenth below all, at -1 where some are negative."""
    low = float(similarity_PP.min(initial=1))
    return -1.0 if low < 0 else math.floor(10 * low) / 10 if low < 0.9 else 0.0


def _sum(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Answer[PositionSum]:
    """What enters the first layer."""
    from model_core.studies.positions import position_sum

    model = tracer.model
    side = _side(model, view)
    decoding = tracer.evaluate(recipe)
    study = position_sum(model, decoding.source, decoding.fed.ids, side)
    names = ("embedding", "position", "sum")
    T, D = study.sum_TD.shape
    values: PositionSum = {
        "study": "sum",
        "side": side,
        "sides": _sides(model),
        "models_kind": model.facts["positions"],
        "embedding_norm": bool(model.facts.get("embedding_norm")),
        "scale": model.facts["width"] ** 0.5 if model.facts["scaled_embedding"] else 1.0,
        "adds_up": study.adds_up,
        "tokens": study.tokens,
        "shape": [T, D],
        "embedding": study.embedding_TD,
        "position": study.position_TD,
        "sum": study.sum_TD,
    }
    axes = (
        Axis.of("token", study.tokens, say(f"positions_tokens_{side}"), side == "target"),
        Axis("dimension", D, start=0, title=say("positions_axis_dimension")),
    )
    table = TableOf("sum", axes, {f"{name}_TD": name for name in names})
    return Answer(view, values, {"sum": (table,)})


def _rotary(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Answer[Rotation]:
    """One head turned; `query` and `key` are placed."""
    from model_core.studies.positions import rotation

    model = tracer.model
    decoding = tracer.evaluate(recipe)
    source, target_ids = decoding.source, decoding.fed.ids
    site: Any = model.anatomy.sites[0].site if view.site in (None, "cross") else view.site
    layer, head = placed(model, site, view.layer, view.head)
    last = (len(source) if ROWS[site] == "source" else len(target_ids)) - 1
    query, key = (
        min(usual, last) if place is None else place
        for place, usual in zip((view.query, view.key), TURNED_PAIR, strict=True)
    )
    study = rotation(model, source, target_ids, site, layer, head, query, key)
    (Q, E), P = study.q_QE.shape, study.placed_scores_PP.shape[0]
    if view.pair is not None:
        check_place(view.pair, len(study.frequencies_N), "pair", first=0)
    vectors = ("q", "k", "turned_q", "turned_k")
    values: Rotation = {
        "study": "rotary",
        "own": study.own,
        "models_kind": model.facts["positions"],
        "similarity": model.facts["similarity"],
        "dimensions": list(study.pairs),
        "site": site,
        "layer": layer,
        "head": head,
        "query": query,
        "key": key,
        "frequencies": study.frequencies_N.tolist(),
        "tokens": study.queries,
        "shape": [Q, E],
        "positions": P,
        "q": study.q_QE,
        "k": study.k_QE,
        "turned_q": study.turned_q_QE,
        "turned_k": study.turned_k_QE,
        "scores": study.scores_QQ,
        "turned_scores": study.turned_scores_QQ,
        "placed_scores": study.placed_scores_PP,
        "spread": study.spread,
        "verdict": study.verdict,
    }
    queries, keys = axes_of(site, study.queries, study.queries)
    places = (
        Axis("query_position", P, start=0, title=say("positions_axis_query")),
        Axis("key_position", P, start=0, title=say("positions_axis_key")),
    )
    scores = {f"{name}_QQ": name for name in ("scores", "turned_scores")}
    tables = (
        TableOf("scores", (queries, keys), scores),
        TableOf("placed", places, {"placed_scores_PP": "placed_scores"}),
        TableOf(
            "vectors",
            (queries, Axis("dimension", E, start=0)),
            {f"{name}_QE": name for name in vectors},
        ),
    )
    made = replace(view, site=site, layer=layer, head=head, query=query, key=key)
    return Answer(made, values, {"rotary": tables})


_STUDIES: dict[str, Callable[..., Answer[Studied]]] = {
    "table": _table,
    "sum": _sum,
    "order": order_answer,
    "outcome": outcome_answer,
    "rotary": _rotary,
}


def _sides(model: "Model") -> list[Side]:
    """The sides that have a stack, whose tokens are embedded."""
    return [side for side in SIDES if any(one.rows == side for one in model.anatomy.sites)]


def _side(model: "Model", view: PositionsView) -> Side:
    """The side that the view names, or the only one there is."""
    sides = _sides(model)
    return next((side for side in sides if side == view.side), sides[0])
