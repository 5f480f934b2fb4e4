"""What is chosen in the room Translate."""

from dataclasses import dataclass
from typing import Annotated, Literal

from model_core.values.checked import Within
from viz_app.values.view import Inner, Option, Place, View

Rows = Literal["fed", "predicted"]
Drawing = Literal["heat", "lines", "table"]
Reading = Literal["weights", "norms", "rollout", "mean", "mean_all", "hidden"]
By = Literal["words", "pieces"]
MOST_DRAWS = 100


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
            "is predicted (default: fed, and of words predicted); pictures of tokens name both"
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
    # What a row and a column is: a word, as values/words.py has them, or a token. Left open it is
    # what the page shows in pictures, see `is_by_words`, and a token in the numbers that programs
    # read. Where rows are steps, a word is those that write its pieces, or those that read them
    # (`rows` fed). Places and steps, here and in links, are those of tokens either way.
    by: Annotated[
        By | None,
        Option(
            help="what rows and columns are: words, or pieces, which are tokens (default: in "
            "pictures what the page shows, in csv, json and npz pieces)"
        ),
    ] = None

    # How many translations the page asks for at once, drawn by the recipe's strategy.
    draws: Annotated[int | None, Within(1, MOST_DRAWS), Inner()] = None

    # Whether the page asks how the pieces of the source came about.
    assembly: Annotated[bool, Inner()] = False

    def is_by_words(self, is_done: bool) -> bool:
        """Whether a picture is between words; `is_done`: of a translation that is at its end.

        Left open it is as on the page: steps write tokens, tokens are spelled, and the norms are
        those of their values.
        """
        if self.by is not None:
            return self.by == "words"
        return is_done and not (self.stepping or self.spelled or self.reading == "norms")
