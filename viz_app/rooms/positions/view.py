"""What is chosen in the room Positions."""

from dataclasses import dataclass

from viz_app.values.view import View, whole, wholes, word

MOST_PLACES = 1024


@dataclass(frozen=True)
class PositionsView(View):
    """A table of positions, a sum, another order of the tokens, or a rotation."""

    study: str | None = word("table", "sum", "order", "rotary", default="table", inner=("outcome",))
    # of the table
    kind: str | None = word(
        "own", "sinusoidal", "learned", "rotary", "relative", "none", default="own"
    )
    row: int | None = whole()  # of the table and of the sum: what is marked
    column: int | None = whole()
    other: int | None = whole()  # the position that `row` is compared with
    columns: str | None = word("waves", "all", default="waves")  # which dimensions are drawn
    dimensions: tuple[int, ...] | None = wholes()  # whose curves are drawn
    side: str | None = word("source", "target", default="source")  # of the sum too
    # of the order
    order: tuple[int, ...] | None = wholes(MOST_PLACES)  # which token stands at each place
    rows: tuple[int, ...] | None = wholes(MOST_PLACES)  # which position each place has
    mode: str | None = word("on", "off", default="on")  # with positions, or without
    at: int | None = whole()  # after which target token the prediction is shown
    picked: tuple[int, ...] | None = wholes(2, exactly=True)  # the marked cell, and of which map
    part: str | None = word("before", "after", "difference")
    # of the rotation
    query: int | None = whole()
    key: int | None = whole()
    pair: int | None = whole()  # the pair of dimensions that is marked
