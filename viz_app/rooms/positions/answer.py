"""What the room Positions is answered: tables, sums, the effect of order, rotations."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.errors import RecipeError, SourceTooLong
from model_core.values.recipe import Recipe
from model_core.values.trace import COLUMNS, ROWS, SIDES, Side, Tokens, largest
from viz_app.rooms.places import own, placed, require
from viz_app.rooms.positions.view import PositionsView
from viz_app.rooms.room import Answer, cut_notice
from viz_app.rooms.tables import Axis, TableOf
from viz_app.rooms.view import check_whole
from viz_app.rooms.words_of_tokens import movable, swapped_words, tokens_in

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.models.own import OwnModel
    from model_core.models.protocol import Model
    from model_core.studies.full_pass import SentencePass
    from model_core.studies.order import Effect

CANDIDATES = 5
TURNED_PAIR = (7, 2)  # query and key that the rotation opens with
MOST_CURVES = 6
_COMPARED = {
    "similarity_PP": "similarity",
    "product_PP": "products",
    "distance_PP": "distances",
}


def answer(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Answer:
    """The answer of one study of the room; RecipeError where there is no such place."""
    study = "order" if view.study == "outcome" else view.study or "table"
    if study in tracer.anatomy.refused:
        reason = tracer.anatomy.refused[study]
        raise RecipeError(f"The study {study!r} is not for this model.", f"lacks_{reason}")
    made, values, tables = _STUDIES[view.study or "table"](tracer, recipe, view)

    def check() -> None:
        if view.study == "table" and not values["shape"][1]:
            raise RecipeError(
                "This model has no positions, so there is no table. Choose another kind.",
                "no_table",
            )

    return Answer(made, {"study": view.study} | values, tables, check)


Tables = dict[str, tuple[TableOf, ...]]
Made = tuple[PositionsView, dict[str, Any], Tables]


def _table(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Made:
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
    usual = {2 * pairs[len(pairs) * part // 100]: None for part in (0, 16, 31) if pairs}
    dimensions = view.dimensions or tuple(usual)
    dimensions = dimensions[:MOST_CURVES]
    for dimension in dimensions:
        require(dimension, D, "dimension", f"dimensions are 0 to {D - 1}")
    values = {
        "kind": table.kind,
        "own": table.own,
        "models_kind": models_kind,
        "halves": table.own and kind == "sinusoidal" and not len(table.wavelengths_D),
        "positions": table.positions,
        "dimensions": table.dimensions,
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
    place, dimension_axis = Axis("position", P, start=0), Axis("dimension", D, start=0)
    other = Axis("other_position", P, start=0)
    some = replace(dimension_axis, picked="dimensions")
    tables: Tables = {
        "positions": (TableOf("positions", (place, dimension_axis), {"value_PD": "table"}),),
        "curves": (TableOf("curves", (place, some), {"value_PD": "table"}),),
        "similarity": (TableOf("similarity", (place, other), _COMPARED),),
    }
    return replace(view, dimensions=dimensions), values, tables


def _lowest(similarity_PP: np.ndarray) -> float:
    """Where the scale of cosines begins: at a tenth below all, at -1 where some are negative."""
    low = float(similarity_PP.min(initial=1))
    return -1.0 if low < 0 else math.floor(10 * low) / 10 if low < 0.9 else 0.0


def _sum(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Made:
    """Embedding and position of the tokens of one side, and their sum."""
    from model_core.studies.positions import position_sum

    model: Any = tracer.model
    side = _side(model, view)
    if "order" in tracer.anatomy.refused:  # a model whose prompt its decoding knows
        decoding = tracer.evaluate(recipe)
        source, target_ids = decoding.source, list(decoding.target.ids[: len(decoding.steps)])
    else:
        source, target_ids = _sentence(model, recipe)
    study = position_sum(model, source, target_ids, side)
    names = ("embedding", "position", "sum")
    arrays = {name: getattr(study, f"{name}_TD") for name in names}
    T, D = study.sum_TD.shape
    values = {
        "side": side,
        "sides": _sides(model),
        "models_kind": model.facts["positions"],
        "embedding_norm": bool(model.facts.get("embedding_norm")),
        "scale": model.facts["width"] ** 0.5 if model.facts["scaled_embedding"] else 1.0,
        "tokens": study.tokens,
        "shape": [T, D],
        **arrays,
    }
    axes = (Axis.of("token", study.tokens), Axis("dimension", D, start=0))
    table = TableOf("sum", axes, {f"{name}_TD": name for name in names})
    return view, values, {"sum": (table,)}


def _order(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Made:
    """The weights of a head before and after the tokens change places, with positions and without.

    `text` is the sentence in its new order, or None where no text has these tokens. `at` is the
    target token whose successor is predicted; left open, the one after which the prediction changes
    most. Left open, two words change places.
    """
    from model_core.studies.order import effect

    model = own(tracer.model)
    source, target_ids = _sentence(model, recipe)
    words, first = swapped_words(source, recipe.source)
    order, rows = _changed(model, tokens_in(first, words), view)
    site: Any = view.site or "encoder"
    layer, head = placed(model, site, view.layer, view.head)
    at = view.at
    if at is not None:
        check_whole("at", at, 0, len(target_ids) - 1)
    answered = {}
    for name, positions in (("on", True), ("off", False)):
        study = effect(model, source, target_ids, order, rows, positions, cache=tracer.studied)
        if at is None:
            at = int(study.comparison.predictions.largest_T.argmax())
        difference_LHQK = study.put_back.weights_LHQK(site) - study.before.weights_LHQK(site)
        answered[name] = {
            "before": study.before.weights_LHQK(site)[layer, head],
            "after": study.after.weights_LHQK(site)[layer, head],
            "difference": difference_LHQK[layer, head],
        } | _summary(model, study, at)
    target = model.labels(target_ids)
    values = {
        "words": words,
        "movable": movable(words, source),
        "order": order,
        "rows": rows,
        "text": _text_of(model, [source.ids[place] for place in order], recipe.pads),
        "at": at,
        "site": site,
        "layer": layer,
        "head": head,
        "models_kind": model.config.positions,
        "source": source,
        "target": target,
        **answered,
    }
    axes = (
        Axis.of("query", source if ROWS[site] == "source" else target),
        Axis.of("key", source if COLUMNS[site] == "source" else target),
    )
    parts = ("before", "after", "difference")
    table = TableOf("order", axes, {f"{part}_QK": f"{{mode}}.{part}" for part in parts})
    moved = tuple(order), None if rows is None else tuple(rows)
    made = replace(view, site=site, layer=layer, head=head, order=moved[0], rows=moved[1])
    return made, values, {"order": (table,)}


def _text_of(model: "OwnModel", ids: list[int], pads: int) -> str | None:
    """A text that is read as just these tokens, if the sentence in its new order has one."""
    text = model.source_text(ids)
    return text if model.source(text, pads).ids == tuple(ids) else None


def _summary(model: "OwnModel", study: "Effect", at: int) -> dict[str, Any]:
    def candidates(run: "SentencePass") -> list[dict[str, Any]]:
        log_probabilities_V = run.log_probabilities_TV[at]
        best = largest(log_probabilities_V, CANDIDATES)
        probabilities = np.exp(log_probabilities_V[best]).tolist()
        labels = model.labels(best)
        columns = (best, labels.pieces, labels.texts, labels.kinds, probabilities)
        names = ("token", "piece", "text", "kind", "probability")
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    return {
        "candidates_before": candidates(study.before),
        "candidates_after": candidates(study.after),
        "predictions": study.comparison.predictions.largest_T.tolist(),
        "predictions_provably_same": study.predictions_cannot_change,
        "changes": [
            {
                "site": change.site,
                "layer": change.layer,
                "largest": change.largest,
                "cannot_differ": (change.site, change.layer) in study.cannot_change,
            }
            for change in study.comparison.weights
        ],
    }


def _outcome(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Made:
    """All four translations of an order, and the comparison in float64."""
    from model_core.studies.order import effect, translation

    model = own(tracer.model)
    source, target_ids = _sentence(model, recipe)
    words, first = swapped_words(source, recipe.source)
    order, rows = _changed(model, tokens_in(first, words), view)
    typed, cache, most = list(range(len(source))), tracer.studied, tracer.most_steps
    double = effect(model, source, target_ids, order, rows, False, True, cache)
    translations = {
        mode: [
            translation(model, source, tokens, places, mode == "on", cache, most)
            for tokens, places in ((typed, None), (order, moved))
        ]
        for mode, moved in (("on", rows), ("off", None))  # without positions none can move
    }
    is_cut = any(one.is_cut for both in translations.values() for one in both)
    values = {
        "order": order,
        "rows": rows,
        "translations": {mode: [one.text for one in both] for mode, both in translations.items()},
        **cut_notice(is_cut, most),
        "double_off": max(change.largest for change in double.comparison.weights),
        "double_off_prediction": float(double.comparison.predictions.largest_T.max()),
    }
    return view, values, {}


def _rotary(tracer: "Tracer", recipe: Recipe, view: PositionsView) -> Made:
    """Queries and keys of a head before and after they are turned; `query` and `key` are placed."""
    from model_core.studies.positions import rotation

    model = own(tracer.model)
    source, target_ids = _sentence(model, recipe)
    site: Any = "encoder" if view.site in (None, "cross") else view.site
    layer, head = placed(model, site, view.layer, view.head)
    last = (len(source) if ROWS[site] == "source" else len(target_ids)) - 1
    query, key = (
        min(usual, last) if place is None else place
        for place, usual in zip((view.query, view.key), TURNED_PAIR, strict=True)
    )
    check_whole("query", query, 0, last)
    check_whole("key", key, 0, last)
    study = rotation(model, source, target_ids, site, layer, head, query, key)
    (Q, E), P = study.q_QE.shape, study.placed_scores_PP.shape[0]
    if view.pair is not None:
        pairs = len(study.frequencies_E)
        require(view.pair, pairs, "pair", f"pairs are 0 to {pairs - 1}")
    vectors = ("q", "k", "turned_q", "turned_k")
    values = {
        "own": study.own,
        "models_kind": model.config.positions,
        "similarity": model.config.similarity,
        "site": site,
        "layer": layer,
        "head": head,
        "query": query,
        "key": key,
        "frequencies": study.frequencies_E.tolist(),
        "tokens": study.queries,
        "shape": [Q, E],
        "positions": P,
        **{name: getattr(study, f"{name}_QE") for name in vectors},
        "scores": study.scores_QQ,
        "turned_scores": study.turned_scores_QQ,
        "placed_scores": study.placed_scores_PP,
        "spread": study.spread,
        "distance_only": study.distance_only,
    }
    queries, keys = Axis.of("query", study.queries), Axis.of("key", study.queries)
    places = (Axis("query_position", P, start=0), Axis("key_position", P, start=0))
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
    return made, values, {"rotary": tables}


_STUDIES = {
    "table": _table,
    "sum": _sum,
    "order": _order,
    "outcome": _outcome,
    "rotary": _rotary,
}


def _sides(model: "Model") -> list[Side]:
    """The sides that have a stack, whose tokens are embedded."""
    return [side for side in SIDES if any(one.rows == side for one in model.anatomy.sites)]


def _side(model: "Model", view: PositionsView) -> Side:
    """The side that the view names, or the only one there is."""
    sides = _sides(model)
    return next((side for side in sides if side == view.side), sides[0])


def _sentence(model: "OwnModel", recipe: Recipe) -> tuple[Tokens, list[int]]:
    """The source, and the target tokens fed in, the start token first."""
    config = model.config
    source = model.source(recipe.source, recipe.pads)
    SourceTooLong.check(len(source), config.max_positions)
    ids = [config.start_id, *recipe.target_ids]
    for token in recipe.target_ids:
        if token >= config.target_vocabulary:
            raise RecipeError(
                f"There is no token {token}; this model has {config.target_vocabulary}.",
                "token",
                token=token,
                limit=config.target_vocabulary,
            )
    if len(ids) > 1 and ids[-1] == config.end_id:  # the end is never fed in
        ids.pop()
    if len(ids) > config.max_positions:
        raise RecipeError(
            f"The target has {len(ids)} tokens; this model reads {config.max_positions}. "
            "Take some back.",
            "target",
            n=len(ids),
            limit=config.max_positions,
        )
    return source, ids


def _changed(
    model: "OwnModel", swapped: list[int], view: PositionsView
) -> tuple[list[int], list[int] | None]:
    """Which token stands at each place, and which position each place has; None: its own.

    Where positions alone are moved the tokens stay; where nothing is chosen two words have
    `swapped` their places.
    """
    S = len(swapped)
    if view.order is None and view.rows is not None:
        order = list(range(S))
    else:
        order = list(swapped if view.order is None else view.order)
    if len(order) != S:
        raise RecipeError(f"order must list the {S} tokens of the sentence.", "place")
    for place in order:
        check_whole("order", place, 0, S - 1)
    if sorted(order) != list(range(S)):
        raise RecipeError("order must name every token exactly once.")
    if view.rows is None:
        return order, None
    if len(view.rows) != S:
        raise RecipeError(f"rows must give each of the {S} places a position.", "place")
    last = model.config.max_positions - 1
    for row in view.rows:
        check_whole("rows", row, 0, last)
    rows = list(view.rows)
    return order, None if rows == list(range(S)) else rows  # every place has its own
