"""What is chosen in the room Beam."""

from dataclasses import dataclass

from viz_app.values.view import Option, View, whole, word


def _hundredths(written: str) -> int:
    return round(100 * float(written))


@dataclass(frozen=True)
class BeamView(View):
    """A search, how far it is shown, and the hypothesis whose attention is seen."""

    width: int | None = whole(16, least=1, option=Option(flag=None))  # the strategy's, else 5
    # Of the length penalty, in hundredths; the model's own, 60 for ours.
    alpha: int | None = whole(
        10_000,
        least=-10_000,
        option=Option(
            help="of beam: the length penalty (default: the model's own, 0.6 for ours)",
            reads=_hundredths,
        ),
    )
    begin: str | None = word("start", "forced", default="start")  # after what is forced
    step: int | None = whole(option=Option(counts_from=1))  # the last one that is drawn; all
    node: int | None = whole(option=Option(counts_from=1))  # its place in the tree; the best
    shown: str | None = word("tree", "table", default="tree")
    part: str | None = word("all", default="all", inner=("node",))  # of the answer
