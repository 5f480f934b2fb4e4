"""What is chosen in the room Compare."""

from dataclasses import dataclass
from typing import Annotated, Literal

from model_core.values.checked import Form
from model_core.values.recipe import Recipe
from viz_app.values.view import Option, Place, View


@dataclass(frozen=True)
class CompareView(View):
    """Another run, B, beside the one at hand, A; a head of each, and how they are aligned.

    Site, layer and head are those of A; B has the same site.
    """

    b: Annotated[
        Recipe | None,
        Option(
            flag="with",
            help="another model, or the file of a recipe (default: what the page compares with)",
        ),
    ] = None
    # Of B's model when its tokens were chosen.
    weights: Annotated[
        str | None, Form("[0-9a-f]{8,64}", "the fingerprint of a model's weights")
    ] = None
    # Of B.
    other_layer: Annotated[Place, Option(counts_from=1, flag="with-layer")] = None
    other_head: Annotated[Place, Option(counts_from=1, flag="with-head")] = None
    align: Annotated[Literal["position", "text"] | None, Option()] = None
    # Which target tokens B reads: those that it writes itself, or A's.
    feed: Annotated[
        Literal["own", "a"] | None,
        Option(help="of compare: the target tokens that B reads, its own or those of A"),
    ] = None
    numbers: Annotated[
        Literal["weights", "scores", "norms", "vectors", "path"] | None,
        Option(
            help="of compare: weights, scores, weights times the length of the value, the vectors "
            "q, k and v, or how long those of a token are on their path through the model"
        ),
    ] = "weights"
    row: Place = None  # of the vectors and the path, where rows are no steps
    column: Place = None  # of the vectors; the darkest of the row where it is left open
