"""What an answer of the room Inside a head says of the model, whatever was studied."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict, cast


class Architecture(TypedDict):
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


_KNOWN = (
    *("similarity", "attention", "positions", "norm_place", "final_norm", "activation"),
    *("attention_bias", "output_projection"),
)


def architecture(facts: Mapping[str, Any]) -> Architecture:
    """Those facts of a model."""
    made = {
        "divides": "d_model" if facts.get("divisor") == "model" else "d_k",
        "D": facts["width"],
        "F": facts.get("feed_forward_width"),
        "scaled_embedding": facts["scaled_embedding"],
        "embedding_norm": bool(facts.get("embedding_norm")),
        "output_bias": facts["output_projection"] and facts["output_bias"],
    }
    return cast(Architecture, {name: facts.get(name) for name in _KNOWN} | made)


def said(study: Any, *unsaid: str) -> dict[str, Any]:
    """What a study has, by name."""
    return {name: value for name, value in vars(study).items() if name not in unsaid}
