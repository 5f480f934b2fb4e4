"""What is chosen in the room Inside a head."""

from dataclasses import dataclass

from viz_app.values.view import Option, View, whole, wholes, word


@dataclass(frozen=True)
class InsideView(View):
    """One cell of a head, number by number, or the way of one token through the model."""

    view: str | None = word("cell", "way", default="cell")
    query: int | None = whole(option=Option(counts_from=1))
    key: int | None = whole(option=Option(counts_from=1))
    # How the numbers are spelled, and whether the scores of the picture are divided by sqrt(E).
    digits: str | None = word("short", "all", default="short")
    scale: str | None = word("with", "without", default="with")
    side: str | None = word("source", "target", option=Option())  # of the way
    position: int | None = whole()
    unfolded: tuple[int, ...] | None = wholes(256)  # the stages of the way that are open
