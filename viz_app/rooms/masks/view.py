"""What is chosen in the room Masks."""

from dataclasses import dataclass

from model_core.values.edits import OF_MASKS, Edit
from viz_app.values.view import View, edits, flag, texts, whole, wholes, word


@dataclass(frozen=True)
class MasksView(View):
    """A batch, whose masks may be broken, or one target read in one pass and in steps.

    What breaks a mask is an edit, but not of the recipe: the room compares what two models make of
    the same targets, and another recipe would write others.
    """

    view: str | None = word("masks", "passes", default="masks")
    breaks: tuple[Edit, ...] = edits(*OF_MASKS)
    sentences: tuple[str, ...] | None = texts(16)  # the batch; the first is that of the recipe
    shown: int | None = whole()  # which of them
    cell: tuple[int, ...] | None = wholes(2, exactly=True)  # query and key
    step: int | None = whole()  # of the passes: how far the steps are
    unfolded: bool = flag()  # every pad of a long run is drawn
