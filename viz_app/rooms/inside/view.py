"""What is chosen in the room Inside a head."""

from dataclasses import dataclass
from typing import Annotated, Literal

from model_core.values.checked import Items
from viz_app.values.view import Option, Place, Places, View


@dataclass(frozen=True)
class InsideView(View):
    """One cell of a head, number by number, the way of one token through the model, or how far all
    products of a head spread."""

    view: Literal["cell", "way", "spread"] | None = "cell"
    query: Annotated[Place, Option(counts_from=1)] = None
    key: Annotated[Place, Option(counts_from=1)] = None
    # How the numbers are spelled, and whether the scores of the picture are divided by sqrt(E).
    digits: Literal["short", "all"] | None = "short"
    scale: Literal["with", "without"] | None = "with"
    side: Annotated[Literal["source", "target"] | None, Option()] = None  # of the way
    position: Place = None
    unfolded: Annotated[Places, Items(256)] = None  # the stages of the way that are open
