"""What the room Inside a head is answered."""

from typing import TYPE_CHECKING, Any

from model_core.errors import RecipeError

if TYPE_CHECKING:
    from model_core.tracer import Library


def answer(library: "Library", request: dict[str, Any]) -> dict[str, Any]:
    """The room's payload."""
    raise RecipeError("This room is not open yet.")
