"""What is chosen in the room Beam."""

from dataclasses import dataclass

from viz_app.values.view import View, whole, word


@dataclass(frozen=True)
class BeamView(View):
    """A search, how far it is shown, and the hypothesis whose attention is seen."""

    width: int | None = whole(16, least=1)  # the strategy's, else 5
    # Of the length penalty, in hundredths; the model's own, 60 for ours.
    alpha: int | None = whole(10_000, least=-10_000)
    begin: str | None = word("start", "forced", default="start")  # after what is forced
    step: int | None = whole()  # the last one that is drawn; all
    node: int | None = whole()  # its place in the tree; the best hypothesis
    shown: str | None = word("tree", "table", default="tree")
    part: str | None = word("all", default="all", inner=("node",))  # of the answer
