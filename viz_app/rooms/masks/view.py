"""What is chosen in the room Masks."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from model_core.values.checked import Items, Reads
from model_core.values.edits import OF_MASKS, Edits, read_edits
from viz_app.values.view import Option, Pair, Place, View


@dataclass(frozen=True)
class MasksView(View):
    """A batch, whose masks may be broken, or one target read in one pass and in steps.

    What breaks a mask is an edit, but not of the recipe: the room compares what two models make of
    the same targets, and another recipe would write others.
    """

    view: Literal["masks", "passes"] | None = "masks"
    breaks: Annotated[
        Edits,
        Reads(partial(read_edits, kinds=OF_MASKS)),
        Option(
            flag="break",
            help="of the batch of masks: causal-mask:none, no-pad-mask, pads-rows or finite-mask",
        ),
    ] = ()
    # The batch, whose first sentence is that of the recipe, and which of them is shown: the first.
    sentences: Annotated[
        tuple[str, ...] | None,
        Items(16),
        Option(flag="sentence", help="one more of the batch of masks"),
    ] = None
    shown: Annotated[Place, Option(counts_from=1, default=0)] = None
    cell: Annotated[Pair, Option(("query", "key"), counts_from=1)] = None
    # The two maps that are large, where those are not the last of an equation.
    left: Literal["pad", "causal", "combined"] | None = None
    right: Literal["scores", "masked", "weights", "stepped", "difference"] | None = None
    # Of the passes: how far the steps are.
    step: Annotated[Place, Option(counts_from=1)] = None
    unfolded: bool = False  # every pad of a long run is drawn

    @property
    def batch(self) -> tuple[str, ...]:
        return self.sentences or ()
