"""Which head a view shows: the chosen one, checked, or the one that a model opens with."""

from typing import TYPE_CHECKING

from model_core.errors import RecipeError

if TYPE_CHECKING:
    from model_core.decoding.tracer import Checkpoint


def placed(
    checkpoint: "Checkpoint", site: str, layer: int | None, head: int | None
) -> tuple[int, int]:
    """Layer and head of a site, from 0; RecipeError where the model has no such head.

    What was left open is as the page opens: the best alignment head of cross-attention, else the
    first head of the last layer.
    """
    part = "encoder" if site == "encoder" else "decoder"
    layers = getattr(checkpoint.config, f"{part}_layers")
    heads = getattr(checkpoint.config, f"{part}_heads")
    best = checkpoint.training.start_head(checkpoint.config)
    first, usual = (best.layer - 1, best.head - 1) if site == "cross" else (layers - 1, 0)
    layer = first if layer is None else layer
    if head is None:
        head = usual if layer == first else 0
    require(layer, layers, "layer", f"the {part} has layers 1 to {layers}")
    require(head, heads, "head", f"a layer of the {part} has heads 1 to {heads}")
    return layer, head


def require(place: int, count: int, name: str, known: str) -> None:
    """Raise RecipeError where a place counted from 0 is beyond what there is; it is told from 1."""
    if not 0 <= place < count:
        raise RecipeError(f"There is no {name} {place + 1}; {known}.", "place")
