"""What is chosen in the room Translate."""

from dataclasses import dataclass

from viz_app.values.view import View, flag, whole, word

READINGS = ("weights", "norms", "rollout", "mean", "mean_all", "hidden")


@dataclass(frozen=True)
class TranslateView(View):
    """One head of one attention; the whole translation, or its steps so far."""

    at: int | None = whole()  # the step whose row is outlined
    stepping: bool = flag()  # whether the rows after it are still to come
    rows: str | None = word("fed", "predicted", default="fed")  # the token that names each row
    view: str | None = word("heat", "lines", "table", default="heat")
    reading: str | None = word(*READINGS, default="weights")  # the numbers in the large map
