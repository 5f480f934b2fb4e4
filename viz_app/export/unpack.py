"""From what a room is answered back to tokens and arrays."""

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from model_core.trace import Tokens
from viz_app.export.tables import Axis

Answer = dict[str, Any]


def tokens_of(values: Mapping[str, Any]) -> Tokens:
    """The tokens of an answer."""
    count = len(values["ids"])
    spans = tuple(tuple(span) if span else None for span in values.get("spans", [None] * count))
    ids, pieces, texts, kinds = (
        tuple(values[name]) for name in ("ids", "pieces", "texts", "kinds")
    )
    return Tokens(ids, pieces, texts, kinds, spans)


def token_axis(name: str, tokens: Tokens) -> Axis:
    """The axis of a table along tokens."""
    return Axis.of(name, tokens.texts)


def floats_of(text: str, shape: tuple[int, ...]) -> np.ndarray:
    """The numbers in a base64 text of little-endian float32."""
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(shape)


def mask_of(rows: list[str] | None) -> np.ndarray | None:
    """A mask from its rows of 0s and 1s."""
    return None if rows is None else np.array([[cell == "1" for cell in row] for row in rows])
