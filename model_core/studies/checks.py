"""Which layer, head and token a study is asked for; a RecipeError names what there is instead."""

from model_core.errors import RecipeError
from model_core.values.anatomy import SiteAnatomy
from model_core.values.trace import STACKS


def check_place(index: int, count: int, what: str, of: str = "", first: int = 1) -> None:
    """Raise where there is no such layer, head, step or token; `index` counts from 0."""
    if not 0 <= index < count:
        place = f"{what} {index + first}" + f" of the {of}" * bool(of)
        message = f"There is no {place}; there are {first} to {count + first - 1}."
        raise RecipeError(message, "place")


def check_head(found: SiteAnatomy, layer: int, head: int) -> None:
    """Raise where a site has no such layer, or no such head; both count from 0."""
    check_place(layer, found.layers, "layer", of=STACKS[found.rows])
    check_place(head, found.heads, "head")
