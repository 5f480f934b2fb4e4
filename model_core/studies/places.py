"""Which layer, head and token a study is asked for; a RecipeError names what there is instead."""

from model_core.errors import RecipeError


def require(index: int, count: int, what: str) -> None:
    """Raise where there is no such layer, head, sentence or token; `index` counts from 0."""
    if not 0 <= index < count:
        raise RecipeError(f"There is no {what} {index + 1}; there are 1 to {count}.", "place")
