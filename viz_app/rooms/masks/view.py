"""What is chosen in the room Masks."""

from dataclasses import dataclass

from viz_app.values.view import View, flag, texts, whole, wholes, word

BREAKS = {
    "causal": ("intact", "none", "ahead", "behind"),
    "pads": ("intact", "none", "rows"),
    "fill": ("infinite", "finite"),
}


@dataclass(frozen=True)
class MasksView(View):
    """A batch, whose masks may be broken, or one target read in one pass and in steps."""

    view: str | None = word("masks", "passes", default="masks")
    causal: str | None = word(*BREAKS["causal"], default="intact")
    pads: str | None = word(*BREAKS["pads"], default="intact")
    fill: str | None = word(*BREAKS["fill"], default="infinite")
    sentences: tuple[str, ...] | None = texts(16)  # the batch; the first is that of the recipe
    shown: int | None = whole()  # which of them
    cell: tuple[int, ...] | None = wholes(2, exactly=True)  # query and key
    step: int | None = whole()  # of the passes: how far the steps are
    unfolded: bool = flag()  # every pad of a long run is drawn
