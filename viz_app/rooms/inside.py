"""What the room Inside a head is answered: one row of one head, or the way of one token.

A request is {"room", "recipe", "view": "cell", "site", "layer", "head", "query"} or {"room",
"recipe", "view": "way", "side", "position"}; everything counts from 0. All numbers travel as
float32, because they must add up on the screen.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.config import ModelConfig, shown
from model_core.errors import RecipeError
from model_core.recipe import Recipe
from model_core.trace import Decoding, largest
from viz_app.payload import CANDIDATES, Labels, labels_json, singles_base64

if TYPE_CHECKING:
    from model_core.study_head import HeadStudy, NormStudy, SubLayer, Way
    from model_core.tracer import Library


def answer(library: "Library", request: dict[str, Any]) -> dict[str, Any]:
    """The room's payload; RecipeError where the request makes no sense."""
    from model_core.study_head import study_head, study_way  # imports torch

    recipe = Recipe.from_json(request.get("recipe"))
    view = request.get("view")
    if view == "cell":
        site, (layer, head, query) = _word(request, "site"), _wholes(request, "layer head query")
    elif view == "way":
        side, (position,) = _word(request, "side"), _wholes(request, "position")
    else:
        raise RecipeError(f"view is {shown(view)}; it must be cell or way.")
    recipe, decoding = library.extend(recipe, 0)
    tracer = library.tracer(recipe.model)
    checkpoint, recent = tracer.checkpoint, tracer.studied
    with library.calls():
        if view == "cell":
            return _cell(study_head(checkpoint, decoding, site, layer, head, query, recent))
        way = study_way(checkpoint, decoding, side, position, recent)
        return _way(way, checkpoint.target_tokenizer, decoding)


def _word(request: dict[str, Any], name: str) -> str:
    value = request.get(name)
    if not isinstance(value, str) or len(value) > 20:
        raise RecipeError(f"{name} is {shown(value)}; it must be a word.")
    return value


def _wholes(request: dict[str, Any], names: str) -> list[int]:
    for name in names.split():
        value = request.get(name)
        if type(value) is not int or not -1 <= value < 10**6:
            raise RecipeError(f"{name} is {shown(value)}; it must be a whole number from 0.")
    return [request[name] for name in names.split()]


def _cell(study: "HeadStudy") -> dict[str, Any]:
    names = (
        *("q_E", "k_KE", "factor_KE", "other_KE", "products_KE", "sums_K", "scores_K"),
        *("exponentials_K", "weights_K", "v_KE", "weighted_KE", "context_E"),
        *("shares_HD", "output_bias_D"),
    )
    return {
        "view": "cell",
        **_architecture(study.config),
        "site": study.site,
        "layer": study.layer,
        "head": study.head,
        "query": study.query,
        "queries": labels_json(study.queries),
        "keys": labels_json(study.keys),
        "divisor": study.divisor,
        "total": float(study.exponentials_K.sum()),
        "allowed_K": study.allowed_K.tolist(),
        **{name: singles_base64(getattr(study, name)) for name in names},
        "sublayer": _sublayer(study.sublayer),
        "norm": _norm(study.norm),
    }


def _way(way: "Way", labels: Labels, decoding: Decoding) -> dict[str, Any]:
    return {
        "view": "way",
        **_architecture(way.config),
        "side": way.side,
        "position": way.position,
        "tokens": labels_json(way.tokens),
        "embedding_D": singles_base64(way.embedding_D),
        "position_D": None if way.position_D is None else singles_base64(way.position_D),
        "sum_D": singles_base64(way.sum_D),
        "sublayers": [_sublayer(sublayer) for sublayer in way.sublayers],
        "output_D": singles_base64(way.output_D),
        "prediction": _prediction(way, labels, decoding),
    }


def _prediction(way: "Way", labels: Labels, decoding: Decoding) -> dict[str, Any] | None:
    """The best candidates under the full softmax, and what its divisor is."""
    if way.logits_V is None or way.log_probabilities_V is None:
        return None
    order = largest(way.log_probabilities_V, CANDIDATES)
    candidates = labels.tokens(order)
    chosen = decoding.chosen[way.position : way.position + 1]
    return {
        "candidates": labels_json(candidates),
        "logits": [float(way.logits_V[token]) for token in order],
        "probabilities": [float(np.exp(way.log_probabilities_V[token])) for token in order],
        # log of the sum over all V of e^logit: the same whichever token it is read off
        "log_sum": float(way.logits_V[order[0]] - way.log_probabilities_V[order[0]]),
        "V": len(way.logits_V),
        "chosen": chosen[0].token if chosen else None,
    }


def _architecture(config: ModelConfig) -> dict[str, Any]:
    return {
        "D": config.width,
        "F": config.feed_forward_width,
        "similarity": config.similarity,
        "attention": config.attention,
        "positions": config.positions,
        "norm_place": config.norm_place,
        "final_norm": config.final_norm,
        "scaled_embedding": config.scale_embedding,
        "output_projection": config.output_projection,
        "output_bias": config.output_projection and config.output_bias,
    }


def _sublayer(sublayer: "SubLayer") -> dict[str, Any]:
    names = ("entered_D", "read_D", "made_D", "sum_D", "passed_D")
    return {
        "name": sublayer.name,
        **{name: singles_base64(getattr(sublayer, name)) for name in names},
    }


def _norm(norm: "NormStudy") -> dict[str, Any]:
    names = ("entered_D", "gain_D", "bias_D", "left_D")
    return {
        "kind": norm.kind,
        "eps": norm.eps,
        "mean": norm.mean,
        "spread": norm.spread,
        **{name: singles_base64(getattr(norm, name)) for name in names},
    }
