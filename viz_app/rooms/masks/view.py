"""What is chosen in the room Masks."""

from dataclasses import dataclass

from viz_app.values.view import Option, View, flag, texts, whole, wholes, word

BREAKS = {
    "causal": ("intact", "none", "ahead", "behind"),
    "pads": ("intact", "none", "rows"),
    "fill": ("infinite", "finite"),
}


@dataclass(frozen=True)
class MasksView(View):
    """A batch, whose masks may be broken, or one target read in one pass and in steps."""

    view: str | None = word("masks", "passes", default="masks")
    causal: str | None = word(*BREAKS["causal"], default="intact", option=Option())
    pads: str | None = word(*BREAKS["pads"], default="intact", option=Option(flag="pad-mask"))
    fill: str | None = word(*BREAKS["fill"], default="infinite", option=Option())
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
