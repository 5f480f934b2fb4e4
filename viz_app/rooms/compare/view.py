"""What is chosen in the room Compare."""

from dataclasses import dataclass

from model_core.values.recipe import Recipe
from viz_app.values.view import View, digits, run, whole, word


@dataclass(frozen=True)
class CompareView(View):
    """Another run, B, beside the one at hand, A; a head of each, and how they are aligned.

    Site, layer and head are those of A; B has the same site.
    """

    b: Recipe | None = run()
    weights: str | None = digits()  # of B's model when its tokens were chosen
    other_layer: int | None = whole()  # of B
    other_head: int | None = whole()
    align: str | None = word("position", "text")
