"""Which layer, head and token a study is asked for; a RecipeError names what there is instead."""

from model_core.errors import RecipeError


def require(index: int, count: int, what: str, first: int = 1) -> None:
    """Raise where there is no such layer, head, step or token; `index` is from 0, told from 1."""
    if not 0 <= index < count:
        message = f"There is no {what} {index + first}; there are {first} to {count + first - 1}."
        raise RecipeError(message, "place")
