"""What the room Inside a head is answered: one row of one head, or the way of one token."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.values.config import ModelConfig
from model_core.values.recipe import Recipe
from model_core.values.trace import AttentionTrace, Decoding, largest
from viz_app.rooms.inside.view import InsideView
from viz_app.rooms.inside.words import EN
from viz_app.rooms.places import placed, require
from viz_app.rooms.room import Answer
from viz_app.rooms.tables import Axis, TableOf
from viz_app.rooms.translate.payload import CANDIDATES, Labels

if TYPE_CHECKING:
    from model_core.decoding.tracer import Checkpoint, Tracer
    from model_core.studies.head import HeadStudy, TokenPath

Tables = dict[str, tuple[TableOf, ...]]


def answer(tracer: "Tracer", recipe: Recipe, view: InsideView) -> Answer:
    """One row of one head, or one way.

    Left open, the cell is the one that has most weight among words, and the way that of its query.
    """
    from model_core.studies.head import study_head, study_path  # imports torch

    decoding = tracer.evaluate(recipe)
    checkpoint, cache = tracer.checkpoint, tracer.studied
    site: Any = view.site or "cross"
    if view.view == "way":
        side: Any = view.side or ("source" if site == "encoder" else "target")
        position: Any = view.position
        if position is None:
            position = _cell_of(checkpoint, decoding, site, view)[2]
        way = study_path(checkpoint, decoding, side, position, cache)
        values, tables = _way(way, checkpoint.target_tokenizer, decoding)
        return Answer(replace(view, side=side, position=position), values, tables)
    layer, head, query, key = _cell_of(checkpoint, decoding, site, view)
    study = study_head(checkpoint, decoding, site, layer, head, query, cache)
    if key is None:
        key = int(study.weights_K.argmax())
    require(key, len(study.keys), "key", f"there are keys 1 to {len(study.keys)}")
    made = replace(view, site=site, layer=layer, head=head, query=query, key=key)
    return Answer(made, *_cell(study))


def best_cell(trace: AttentionTrace, head: int) -> tuple[int, int]:
    """Query and key of the cell with the most weight among words, as look.js chooses it."""
    weights_QK = trace.weights_HQK[head]
    words_Q, words_K = (
        np.array([kind == "text" for kind in tokens.kinds])
        for tokens in (trace.queries, trace.keys)
    )
    allowed_QK = words_Q[:, None] & words_K & trace.mask_QK
    if trace.site != "cross":
        allowed_QK &= ~np.eye(len(words_Q), dtype=bool)
    if not allowed_QK.any():
        allowed_QK = np.ones_like(allowed_QK)
    best = np.where(allowed_QK, weights_QK, -1).argmax()
    query, key = np.unravel_index(best, weights_QK.shape)
    return int(query), int(key)


def _cell_of(
    checkpoint: "Checkpoint", decoding: Decoding, site: Any, view: InsideView
) -> tuple[int, int, int, int | None]:
    """Layer, head, query and key, the last as it was chosen where the query was."""
    layer, head = placed(checkpoint, site, view.layer, view.head)
    if view.query is not None:
        return layer, head, view.query, view.key
    query, key = best_cell(decoding.trace(site, layer), head)
    return layer, head, query, key if view.key is None else view.key


def _cell(study: "HeadStudy") -> tuple[dict[str, Any], Tables]:
    of_keys = ("sums_K", "scores_K", "exponentials_K", "weights_K")
    of_both = ("k_KE", "factor_KE", "other_KE", "products_KE", "v_KE", "weighted_KE")
    values = {
        "view": "cell",
        **_architecture(study.config),
        **{name: value for name, value in vars(study).items() if name != "config"},
        "total": float(study.exponentials_K.sum()),
    }
    by_key, by_dimension = Axis.of("key", study.keys), Axis("dimension", len(study.q_E), start=0)
    H, D = study.shares_HD.shape
    by_width = Axis("dimension", D, start=0)
    passed = ("entered_D", "read_D", "made_D", "sum_D", "passed_D")
    normed = ("entered_D", "gain_D", "bias_D", "left_D")
    row = (
        TableOf("row", (by_key,), {name: name for name in ("allowed_K", *of_keys)}),
        TableOf("dimensions", (by_key, by_dimension), {name: name for name in of_both}),
        TableOf("query", (by_dimension,), {name: name for name in ("q_E", "context_E")}),
    )
    output = (
        TableOf("heads", (Axis("head", H), by_width), {"share_HD": "shares_HD"}),
        TableOf(
            "sublayer",
            (by_width,),
            {"bias_D": "output_bias_D"} | {name: f"sublayer.{name}" for name in passed},
        ),
        TableOf("norm", (by_width,), {name: f"norm.{name}" for name in normed}),
    )
    return values, {"head": row, "output": output}


def _way(way: "TokenPath", labels: Labels, decoding: Decoding) -> tuple[dict[str, Any], Tables]:
    unsaid = ("config", "logits_V", "log_probabilities_V")
    values = {
        "view": "way",
        **_architecture(way.config),
        **{name: value for name, value in vars(way).items() if name not in unsaid},
        "prediction": _prediction(way, labels, decoding),
    }
    stages = stages_of(values)
    axes = (
        Axis.of("stage", [_named(key, said) for key, said, _ in stages]),
        Axis("dimension", len(way.sum_D), start=0),
    )
    table = TableOf("way", axes, {"value_SD": tuple(path for *_, path in stages)})
    return values, {"way": (table,)}


def stages_of(values: Mapping[str, Any]) -> list[tuple[str, dict[str, str], str]]:
    """The stages of a way: the key of each name with what stands in it, and its path in the answer.

    What stands in a name is a key too where it begins with "inside_".
    """
    stack = {"stack": "inside_encoder" if values["side"] == "source" else "inside_decoder"}
    stages: list[tuple[str, dict[str, str], str]] = [("inside_embedding", {}, "embedding_D")]
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
    text = EN[key].format(**{name: EN.get(value, value) for name, value in said.items()})
    return re.sub(r"\[\w+\|([^\]|]*)\]", r"\1", text)


def _prediction(way: "TokenPath", labels: Labels, decoding: Decoding) -> dict[str, Any] | None:
    """The best candidates under the full softmax, and what its divisor is."""
    if way.logits_V is None or way.log_probabilities_V is None:
        return None
    order = largest(way.log_probabilities_V, CANDIDATES)
    candidates = labels.tokens(order)
    chosen = decoding.chosen[way.position : way.position + 1]
    return {
        "candidates": candidates,
        "logits": [float(way.logits_V[token]) for token in order],
        "probabilities": [float(np.exp(way.log_probabilities_V[token])) for token in order],
        # log of the sum over all V of e^logit: the same whichever token it is read off
        "log_sum": float(way.logits_V[order[0]] - way.log_probabilities_V[order[0]]),
        "V": len(way.logits_V),
        "chosen": chosen[0].token if chosen else None,
    }


def _architecture(config: ModelConfig) -> dict[str, Any]:
    names = ("similarity", "attention", "positions", "norm_place", "final_norm")
    return {
        **{name: getattr(config, name) for name in (*names, "output_projection")},
        "D": config.width,
        "F": config.feed_forward_width,
        "scaled_embedding": config.scale_embedding,
        "output_bias": config.output_projection and config.output_bias,
    }
