"""A wish for one file, as one plain value; whatever is wrong with it is told when it is made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model_core.errors import RecipeError
from model_core.values.config import shown
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES, Site
from viz_app.figures.look import LOOK, Look
from viz_app.files.formats import PICTURES, TYPES, Picture, check_scale
from viz_app.files.picture import Picture as Shown
from viz_app.rooms.view import check_word


@dataclass(frozen=True)
class Wish:
    """One file: what it shows, how it looks, and its format, which is the ending of its name."""

    recipe: Recipe
    picture: Shown
    ending: str = "png"
    look: Look = LOOK
    scale: float = 2  # of a PNG, 1 to 4
    sites: tuple[Site, ...] = SITES  # of a lesson pack
    layers: tuple[int, ...] = ()  # of a lesson pack; none: all
    heads: tuple[int, ...] = ()
    pictures: Picture = "png"  # of a lesson pack
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
