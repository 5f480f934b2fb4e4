"""What is chosen in the room Translate."""

from dataclasses import dataclass
from typing import Annotated, Literal

from viz_app.values.view import Option, Place, View

Rows = Literal["fed", "predicted"]
Drawing = Literal["heat", "lines", "table"]
Reading = Literal["weights", "norms", "rollout", "mean", "mean_all", "hidden"]
By = Literal["words", "pieces"]


@dataclass(frozen=True)
class TranslateView(View):
    """One head of one attention; the whole translation, or its steps so far."""

    # The step whose row is outlined, and whether the rows after it are still to come.
    at: Annotated[
        Place,
        Option(
            ("step",),
            counts_from=1,
            help="the row that is outlined, and whose candidates are drawn",
        ),
    ] = None
    stepping: Annotated[bool, Option(help="without the rows after --step")] = False
    rows: Annotated[
        Rows | None,
        Option(
            help="what a step's row is called: the token or word that is fed in, or the one that "
            "is predicted (default: fed, and of words what the page opens with); pictures of "
            "tokens name both"
        ),
    ] = None
    view: Drawing | None = "heat"
    # The numbers in the large map.
    reading: Annotated[
        Reading | None,
        Option(
            help="the numbers of the map of a head: its weights, these times the norms of the "
            "values, rollout, the mean of the heads or of all layers, or each source word hidden "
            "in turn"
        ),
    ] = "weights"
    # What a row and a column is: a word, as values/words.py has them, or a token. Left open it is a
    # word in pictures, as the page opens, and a token in the numbers that programs read. Where rows
    # are steps, a word is those that read its pieces (`rows` fed) or write them (predicted). Places
    # and steps, here and in links, are those of tokens either way.
    by: Annotated[
        By | None,
        Option(
            help="what rows and columns are (default: words in pictures, pieces, which are tokens, "
            "in csv, json and npz)"
        ),
    ] = None
