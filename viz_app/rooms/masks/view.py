"""What is chosen in the room Masks."""

from dataclasses import dataclass

from model_core.values.edits import OF_MASKS, Edit
from viz_app.values.view import Option, View, edits, flag, texts, whole, wholes, word


@dataclass(frozen=True)
class MasksView(View):
    """A batch, whose masks may be broken, or one target read in one pass and in steps.

    What breaks a mask is an edit, but not of the recipe: the room compares what two models make of
    the same targets, and another recipe would write others.
    """

    view: str | None = word("masks", "passes", default="masks")
    breaks: tuple[Edit, ...] = edits(
        *OF_MASKS,
        option=Option(
            flag="break",
            help="of the batch of masks: causal-mask:none, no-pad-mask, pads-rows or finite-mask",
        ),
    )
    # The batch, whose first sentence is that of the recipe, and which of them is shown: on the page
    # one with pads, to people the first.
    sentences: tuple[str, ...] | None = texts(
        16, option=Option(flag="sentence", help="one more of the batch of masks")
    )
    shown: int | None = whole(option=Option(counts_from=1, default=0))
    cell: tuple[int, ...] | None = wholes(
        2, exactly=True, option=Option(("query", "key"), counts_from=1)
    )
    step: int | None = whole(option=Option(counts_from=1))  # of the passes: how far the steps are
    unfolded: bool = flag()  # every pad of a long run is drawn
