"""What is chosen in the room Beam."""

from dataclasses import dataclass
from typing import Annotated, Literal

from model_core.values.checked import Within
from viz_app.values.view import Inner, Option, Place, View


def _hundredths(written: str) -> int:
    return round(100 * float(written))


@dataclass(frozen=True)
class BeamView(View):
    """A search, how far it is shown, and the hypothesis whose attention is seen."""

    # The strategy's, else 5.
    width: Annotated[int | None, Within(1, 16), Option(flag=None)] = None
    # Of the length penalty, in hundredths; the model's own, 60 for ours.
    alpha: Annotated[
        int | None,
        Within(-10_000, 10_000),
        Option(
            help="of beam: the length penalty (default: the model's own, 0.6 for ours)",
            reads=_hundredths,
        ),
    ] = None
    begin: Literal["start", "forced"] | None = "start"  # after what is forced
    # The last one that is drawn; all.
    step: Annotated[Place, Option(counts_from=1)] = None
    # Its place in the tree; the best.
    node: Annotated[Place, Option(counts_from=1)] = None
    shown: Literal["tree", "table"] | None = "tree"
    # The step whose pruned candidates are written out in the tree; the others are thin marks.
    pruned: Annotated[
        Place, Option(counts_from=1, help="of beam: the step whose pruned are named")
    ] = None
    # Of the answer.
    part: Annotated[Literal["all", "node"] | None, Inner("node")] = "all"

    @property
    def beam_width(self) -> int | None:
        return self.width
