"""What is chosen in the room Translate."""

from dataclasses import dataclass
from typing import Literal, get_args

from viz_app.values.view import Option, View, flag, whole, word

Rows = Literal["fed", "predicted"]
Drawing = Literal["heat", "lines", "table"]
Reading = Literal["weights", "norms", "rollout", "mean", "mean_all", "hidden"]


@dataclass(frozen=True)
class TranslateView(View):
    """One head of one attention; the whole translation, or its steps so far."""

    # The step whose row is outlined, and whether the rows after it are still to come.
    at: int | None = whole(
        option=Option(
            ("step",),
            counts_from=1,
            help="the row that is outlined, and whose candidates are drawn",
        )
    )
    stepping: bool = flag(option=Option(help="without the rows after --step"))
    rows: str | None = word(
        *get_args(Rows),
        default="fed",
        option=Option(
            help="the token that names a row of csv, json and npz; pictures name both",
        ),
    )
    view: str | None = word(*get_args(Drawing), default="heat")
    reading: str | None = word(  # the numbers in the large map
        *get_args(Reading),
        default="weights",
        option=Option(
            help="the numbers of the map of a head: its weights, these times the norms of the "
            "values, rollout, the mean of the heads or of all layers, or each source word hidden "
            "in turn"
        ),
    )
