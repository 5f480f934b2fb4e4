"""What is chosen in the room Positions."""

from dataclasses import dataclass
from typing import Annotated, Literal

from viz_app.values.view import Inner, Option, Pair, Place, Places, View


@dataclass(frozen=True)
class PositionsView(View):
    """A table of positions, a sum, another order of the tokens, or a rotation."""

    study: Annotated[
        Literal["table", "sum", "order", "rotary", "outcome"] | None, Inner("outcome")
    ] = "table"
    # of the table
    kind: Annotated[
        Literal["own", "sinusoidal", "learned", "rotary", "relative", "none"] | None, Option()
    ] = "own"
    # Of the table and of the sum: what is marked.
    row: Annotated[Place, Option(help="of a table: the row that is marked, from 0")] = None
    column: Annotated[Place, Option(help="likewise the column")] = None
    other: Place = None  # the position that `row` is compared with
    columns: Literal["waves", "all"] | None = "waves"  # which dimensions are drawn
    # Which positions are drawn on the page; a file has all of them by default.
    span: Annotated[Literal["sentence", "all"] | None, Option(default="all", flag=None)] = (
        "sentence"
    )
    dimensions: Annotated[Places, Option(help="of the curves, from 0")] = None
    # Of the sum too.
    side: Annotated[Literal["source", "target"] | None, Option()] = "source"
    # of the order
    order: Annotated[Places, Option(counts_from=1, help="which token stands at each place")] = None
    rows: Annotated[Places, Option(("places",), help="which position each place has, from 0")] = (
        None
    )
    mode: Annotated[
        Literal["on", "off"] | None,
        Option(("positions_off",), means="off", help="order without positions"),
    ] = "on"
    # After which target token the prediction is shown.
    at: Annotated[Place, Option(("step",), counts_from=1)] = None
    picked: Pair = None  # the marked cell, and of which map
    part: Literal["before", "after", "difference"] | None = None
    # of the rotation
    query: Annotated[Place, Option(counts_from=1)] = None
    key: Annotated[Place, Option(counts_from=1)] = None
    pair: Annotated[Place, Option(help="of rotary: the dial that is marked, from 0")] = None
