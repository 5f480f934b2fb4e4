"""What is chosen in the room Translate."""

from dataclasses import dataclass

from viz_app.rooms.view import View, whole, word

READINGS = ("weights", "norms", "rollout", "mean", "mean_all", "hidden")


@dataclass(frozen=True)
class TranslateView(View):
    """One head of one attention, up to a step of the translation."""

    at: int | None = whole()  # the step; rows up to it are drawn, its row is outlined
    rows: str | None = word("fed", "predicted", default="fed")  # the token that names each row
    view: str | None = word("heat", "lines", "table", default="heat")
    reading: str | None = word(*READINGS, default="weights")  # the numbers in the large map
