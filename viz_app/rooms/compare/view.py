"""What is chosen in the room Compare."""

from dataclasses import dataclass

from model_core.values.recipe import Recipe
from viz_app.values.view import Option, View, digits, run, whole, word


@dataclass(frozen=True)
class CompareView(View):
    """Another run, B, beside the one at hand, A; a head of each, and how they are aligned.

    Site, layer and head are those of A; B has the same site.
    """

    b: Recipe | None = run(
        option=Option(
            flag="with",
            help="another model, or the file of a recipe (default: what the page compares with)",
        )
    )
    weights: str | None = digits()  # of B's model when its tokens were chosen
    # Of B.
    other_layer: int | None = whole(option=Option(counts_from=1, flag="with-layer"))
    other_head: int | None = whole(option=Option(counts_from=1, flag="with-head"))
    align: str | None = word("position", "text", option=Option())
