"""What is chosen in the room Positions."""

from dataclasses import dataclass

from viz_app.values.view import Option, View, whole, wholes, word

MOST_PLACES = 1024


@dataclass(frozen=True)
class PositionsView(View):
    """A table of positions, a sum, another order of the tokens, or a rotation."""

    study: str | None = word("table", "sum", "order", "rotary", default="table", inner=("outcome",))
    # of the table
    kind: str | None = word(
        *("own", "sinusoidal", "learned", "rotary", "relative", "none"),
        default="own",
        option=Option(),
    )
    # Of the table and of the sum: what is marked.
    row: int | None = whole(option=Option(help="of a table: the row that is marked, from 0"))
    column: int | None = whole(option=Option(help="likewise the column"))
    other: int | None = whole()  # the position that `row` is compared with
    columns: str | None = word("waves", "all", default="waves")  # which dimensions are drawn
    dimensions: tuple[int, ...] | None = wholes(option=Option(help="of the curves, from 0"))
    side: str | None = word("source", "target", default="source", option=Option())  # of the sum too
    # of the order
    order: tuple[int, ...] | None = wholes(
        MOST_PLACES, option=Option(counts_from=1, help="which token stands at each place")
    )
    rows: tuple[int, ...] | None = wholes(
        MOST_PLACES, option=Option(("places",), help="which position each place has, from 0")
    )
    mode: str | None = word(
        *("on", "off"),
        default="on",
        option=Option(("positions_off",), means="off", help="order without positions"),
    )
    # After which target token the prediction is shown.
    at: int | None = whole(option=Option(("step",), counts_from=1))
    picked: tuple[int, ...] | None = wholes(2, exactly=True)  # the marked cell, and of which map
    part: str | None = word("before", "after", "difference")
    # of the rotation
    query: int | None = whole(option=Option(counts_from=1))
    key: int | None = whole(option=Option(counts_from=1))
    pair: int | None = whole(option=Option(help="of rotary: the dial that is marked, from 0"))
