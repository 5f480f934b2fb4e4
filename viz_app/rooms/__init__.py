"""The rooms beside the translation: one file a room, each a pure function of its request."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from viz_app.rooms import inside, masks, positions

if TYPE_CHECKING:
    from model_core.tracer import Library

ROOMS: "dict[str, Callable[[Library, dict[str, Any]], dict[str, Any]]]" = {
    "masks": masks.answer,
    "positions": positions.answer,
    "inside": inside.answer,
}
