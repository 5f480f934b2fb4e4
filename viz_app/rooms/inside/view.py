"""What is chosen in the room Inside a head."""

from dataclasses import dataclass
from typing import Annotated, Literal

from model_core.values.checked import Items
from viz_app.values.view import Option, Place, Places, View


@dataclass(frozen=True)
class InsideView(View):
    """One cell of a head, number by number, the way of one token through the model, how far all
    products of a head spread, or the norm after its attention beside another one."""

    view: Literal["cell", "way", "spread", "norms"] | None = "cell"
    query: Annotated[Place, Option(counts_from=1)] = None
    key: Annotated[Place, Option(counts_from=1)] = None
    # How the numbers are spelled, and whether the scores of the picture are divided by sqrt(E).
    digits: Literal["short", "all"] | None = "short"
    scale: Literal["with", "without"] | None = "with"
    side: Annotated[Literal["source", "target"] | None, Option()] = None  # of the way
    position: Place = None
    # Of the norms: a token of the batch and one of its features, and which numbers are drawn.
    row: Place = None
    feature: Place = None
    norm: Literal["before", "layer", "batch"] | None = "before"
    unfolded: Annotated[Places, Items(256)] = None  # the stages of the way that are open
