"""A wish for one file, as one plain value; whatever is wrong with it is told when it is made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model_core.errors import RecipeError
from model_core.values.config import shown
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES, Site
from viz_app.figures.look import LOOK, Look
from viz_app.files.engine import PICTURES, Format
from viz_app.files.picture import Picture
from viz_app.rooms.view import check_word
from viz_app.text import told

DATA = ("npz", "json", "csv")
TYPES = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "npz": "application/octet-stream",
    "json": "application/json",
    "csv": "text/csv",
    "html": "text/html",
    "gif": "image/gif",
    "zip": "application/zip",
}
MOST_SCALE = 4


def check_scale(scale: object) -> None:
    """Raise RecipeError where a PNG cannot be drawn at this scale."""
    number = isinstance(scale, int | float) and not isinstance(scale, bool)
    if not number or not 1 <= float(str(scale)) <= MOST_SCALE:
        raise told(RecipeError, "choice", name="scale", known=f"1 … {MOST_SCALE}")


@dataclass(frozen=True)
class Wish:
    """One file: what it shows, how it looks, and its format, which is the ending of its name."""

    recipe: Recipe
    picture: Picture
    ending: str = "png"
    look: Look = LOOK
    scale: float = 2  # of a PNG, 1 to 4
    sites: tuple[Site, ...] = SITES  # of a lesson pack
    layers: tuple[int, ...] = ()  # of a lesson pack; none: all
    heads: tuple[int, ...] = ()
    pictures: Format = "png"  # of a lesson pack
    stage: Mapping[str, Any] | None = None  # what a page opens on, where a link says it; view.js
    command: str = ""  # what made it, for the manifest of a lesson pack

    def __post_init__(self) -> None:
        check_word("format", self.ending, tuple(TYPES))
        check_word("pictures", self.pictures, PICTURES)
        check_scale(self.scale)
        for name in ("layers", "heads"):
            for place in getattr(self, name):
                if type(place) is not int or place < 1:
                    raise RecipeError(
                        f"{name} names {shown(place)}; they are whole numbers from 1 up.", "place"
                    )
