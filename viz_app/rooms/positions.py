"""What the room Positions is answered: tables, sums, the effect of order, rotations.

A request is {"room", "study", "recipe", ...}; the function of each study lists the rest. Numbers
that must add up on the screen travel as float32.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.config import shown
from model_core.errors import RecipeError, SourceTooLong
from model_core.recipe import Recipe
from model_core.trace import SITES, Tokens, largest
from viz_app.limits import check_whole, notice_of
from viz_app.payload import labels_json, singles_base64

if TYPE_CHECKING:
    from model_core.study_order import Effect, Run
    from model_core.tracer import Checkpoint, Library, Tracer

CANDIDATES = 5
_KINDS = ("own", "sinusoidal", "learned", "rotary", "none")
_SIDES = ("source", "target")


def answer(library: "Library", request: dict[str, Any]) -> dict[str, Any]:
    """The payload of one study of the room; RecipeError where the request makes no sense."""
    study = _one_of("study", request.get("study"), tuple(_STUDIES))
    recipe = Recipe.from_json(request.get("recipe"))
    tracer = library.tracer(recipe.model)
    with library.calls():
        return {"study": study, **_STUDIES[study](tracer, recipe, request)}


def _table(tracer: "Tracer", recipe: Recipe, request: dict[str, Any]) -> dict[str, Any]:
    """`kind`: own, sinusoidal, learned, rotary or none; `side` matters to a learned table only."""
    from model_core.study_positions import position_table

    kind = _one_of("kind", request.get("kind", "own"), _KINDS)
    side = _one_of("side", request.get("side", "source"), _SIDES)
    checkpoint = tracer.checkpoint
    own = checkpoint.config.positions
    table = position_table(checkpoint, own if kind == "own" else kind, side)
    return {
        "kind": table.kind,
        "own": table.own,
        "models_kind": own,
        "positions": table.positions,
        "dimensions": table.dimensions,
        "shape": list(table.table_PD.shape),
        "table": singles_base64(table.table_PD),
        "wavelengths": table.wavelengths_D.tolist(),
        "similarity": singles_base64(table.similarity_PP),
    }


def _sum(tracer: "Tracer", recipe: Recipe, request: dict[str, Any]) -> dict[str, Any]:
    """`side`: source or target, whose tokens are shown."""
    from model_core.study_positions import position_sum

    side = _one_of("side", request.get("side", "source"), _SIDES)
    checkpoint = tracer.checkpoint
    source, target_ids = _sentence(checkpoint, recipe)
    study = position_sum(checkpoint, source, target_ids, side)
    return {
        "side": side,
        "models_kind": checkpoint.config.positions,
        "scale": checkpoint.config.width**0.5 if checkpoint.config.scale_embedding else 1.0,
        "tokens": labels_json(study.tokens),
        "shape": list(study.sum_TD.shape),
        "embedding": singles_base64(study.embedding_TD),
        "position": singles_base64(study.position_TD),
        "sum": singles_base64(study.sum_TD),
    }


def _order(tracer: "Tracer", recipe: Recipe, request: dict[str, Any]) -> dict[str, Any]:
    """`order`, `rows`: see `_changed`; `site`, `layer`, `head`: whose weights.

    `text` of the answer is the sentence in its new order, or null where no text has these tokens.
    `at` is the target token whose successor is predicted; null takes the one after which the
    prediction changes most.
    """
    from model_core.study_order import effect

    checkpoint = tracer.checkpoint
    source, target_ids = _sentence(checkpoint, recipe)
    order, rows = _changed(checkpoint, source, request)
    site, layer, head = _head(checkpoint, request, SITES)
    at = request.get("at")
    if at is not None:
        at = _whole("at", at, 0, len(target_ids) - 1)
    answered = {}
    for name, positions in (("on", True), ("off", False)):
        study = effect(
            checkpoint, source, target_ids, order, rows, positions, recent=tracer.studied
        )
        if at is None:
            at = int(study.predictions_T.argmax())
        weights = {
            when: singles_base64(run.weights_LHQK(site)[layer, head])
            for when, run in (("before", study.before), ("after", study.after))
        }
        difference_LHQK = study.put_back.weights_LHQK(site) - study.before.weights_LHQK(site)
        weights["difference"] = singles_base64(difference_LHQK[layer, head])
        answered[name] = weights | _summary(checkpoint, study, at)
    labels = checkpoint.target_tokenizer.tokens(target_ids)
    return {
        "order": order,
        "rows": rows,
        "text": _text_of(checkpoint, [source.ids[place] for place in order], recipe.pads),
        "at": at,
        "site": site,
        "layer": layer,
        "head": head,
        "models_kind": checkpoint.config.positions,
        "source": labels_json(source),
        "target": labels_json(labels),
        **answered,
    }


def _text_of(checkpoint: "Checkpoint", ids: list[int], pads: int) -> str | None:
    """A text that is read as just these tokens, if the sentence in its new order has one."""
    config, tokenizer = checkpoint.config, checkpoint.source_tokenizer
    text = tokenizer.decode([i for i in ids if i not in (config.pad_id, config.end_id)])
    return text if tokenizer.encode(text, pads).ids == tuple(ids) else None


def _summary(checkpoint: "Checkpoint", study: "Effect", at: int) -> dict[str, Any]:
    def candidates(run: "Run") -> list[dict[str, Any]]:
        log_probabilities_V = run.log_probabilities_TV[at]
        best = largest(log_probabilities_V, CANDIDATES)
        labels = checkpoint.target_tokenizer.tokens(best)
        return [
            {
                "token": token,
                "piece": labels.pieces[i],
                "text": labels.texts[i],
                "kind": labels.kinds[i],
                "probability": float(np.exp(log_probabilities_V[token])),
            }
            for i, token in enumerate(best)
        ]

    return {
        "candidates_before": candidates(study.before),
        "candidates_after": candidates(study.after),
        "predictions": study.predictions_T.tolist(),
        "predictions_provably_same": study.predictions_provably_same,
        "changes": [
            {
                "site": change.site,
                "layer": change.layer,
                "largest": change.largest,
                "provably_none": change.provably_none,
            }
            for change in study.changes
        ],
    }


def _outcome(tracer: "Tracer", recipe: Recipe, request: dict[str, Any]) -> dict[str, Any]:
    """`order`, `rows`: as in `_order`. All four translations, and the comparison in float64."""
    from model_core.study_order import effect, translation

    checkpoint = tracer.checkpoint
    source, target_ids = _sentence(checkpoint, recipe)
    order, rows = _changed(checkpoint, source, request)
    typed, recent, most = list(range(len(source))), tracer.studied, tracer.most_steps
    double = effect(checkpoint, source, target_ids, order, rows, False, True, recent)
    translations = {
        mode: [
            translation(checkpoint, source, tokens, places, mode == "on", recent, most)
            for tokens, places in ((typed, None), (order, moved))
        ]
        for mode, moved in (("on", rows), ("off", None))  # without positions none can move
    }
    is_cut = any(one.is_cut for both in translations.values() for one in both)
    return {
        "order": order,
        "rows": rows,
        "translations": {mode: [one.text for one in both] for mode, both in translations.items()},
        **notice_of(check_whole, is_cut, most),
        "double_off": max(change.largest for change in double.changes),
        "double_off_prediction": float(double.predictions_T.max()),
    }


def _rotary(tracer: "Tracer", recipe: Recipe, request: dict[str, Any]) -> dict[str, Any]:
    """`site` (encoder or decoder), `layer`, `head`; `query` and `key`: which tokens are placed."""
    from model_core.study_positions import rotation

    checkpoint = tracer.checkpoint
    source, target_ids = _sentence(checkpoint, recipe)
    site, layer, head = _head(checkpoint, request, ("encoder", "decoder"))
    length = len(source) if site == "encoder" else len(target_ids)
    query = _whole("query", request.get("query", 0), 0, length - 1)
    key = _whole("key", request.get("key", 0), 0, length - 1)
    study = rotation(checkpoint, source, target_ids, site, layer, head, query, key)
    names = ("q_QE", "k_QE", "turned_q_QE", "turned_k_QE")
    scores = ("scores_QQ", "turned_scores_QQ", "placed_scores_PP")
    return {
        "own": study.own,
        "models_kind": checkpoint.config.positions,
        "similarity": checkpoint.config.similarity,
        "site": site,
        "layer": layer,
        "head": head,
        "query": query,
        "key": key,
        "frequencies": study.frequencies_E.tolist(),
        "tokens": labels_json(study.queries),
        "shape": list(study.q_QE.shape),
        "positions": study.placed_scores_PP.shape[0],
        **{name.rsplit("_", 1)[0]: singles_base64(getattr(study, name)) for name in names + scores},
        "spread": study.spread,
        "distance_only": study.distance_only,
    }


_STUDIES = {
    "table": _table,
    "sum": _sum,
    "order": _order,
    "outcome": _outcome,
    "rotary": _rotary,
}


def _sentence(checkpoint: "Checkpoint", recipe: Recipe) -> tuple[Tokens, list[int]]:
    """The source, and the target tokens fed in, the start token first."""
    config = checkpoint.config
    source = checkpoint.source_tokenizer.encode(recipe.source, recipe.pads)
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
    checkpoint: "Checkpoint", source: Tokens, request: dict[str, Any]
) -> tuple[list[int], list[int] | None]:
    """`order`: which token stands at each place; `rows`: which position each place has, or null."""
    S = len(source)
    order = request.get("order")
    if order is None:
        order = list(range(S))
    if not isinstance(order, list) or len(order) != S:
        raise RecipeError(f"order must list the {S} tokens of the sentence.", "place")
    order = [_whole("order", place, 0, S - 1) for place in order]
    if sorted(order) != list(range(S)):
        raise RecipeError("order must name every token exactly once.")
    rows = request.get("rows")
    if rows is None:
        return order, None
    if not isinstance(rows, list) or len(rows) != S:
        raise RecipeError(f"rows must give each of the {S} places a position.", "place")
    last = checkpoint.config.max_positions - 1
    return order, [_whole("rows", row, 0, last) for row in rows]


def _head(
    checkpoint: "Checkpoint", request: dict[str, Any], sites: tuple[str, ...]
) -> tuple[Any, int, int]:
    config = checkpoint.config
    site = _one_of("site", request.get("site", "encoder"), sites)
    part = "encoder" if site == "encoder" else "decoder"
    layer = _whole("layer", request.get("layer", 0), 0, getattr(config, f"{part}_layers") - 1)
    head = _whole("head", request.get("head", 0), 0, getattr(config, f"{part}_heads") - 1)
    return site, layer, head


def _one_of(name: str, value: Any, known: tuple[str, ...]) -> Any:
    if not isinstance(value, str) or value not in known:
        raise RecipeError(f"{name} is {shown(value)}; choose one of {', '.join(known)}.")
    return value


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise RecipeError(
            f"{name} is {shown(value)}; it must be a whole number from {low} to {high}.", "place"
        )
    return value
