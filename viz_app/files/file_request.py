"""A request for one file, as one plain value; what is wrong with it is said when it is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model_core.errors import RecipeError
from model_core.values.checked import shown
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES, Site
from viz_app.figures.look import LOOK, LOOKS, Look
from viz_app.files.picture import PICTURES, Format, Picture
from viz_app.files.tables import FORMATS
from viz_app.lessons.lesson import Lesson
from viz_app.links.link import PageView
from viz_app.values.view import check_word

TYPES = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    **{ending: type for ending, (type, _) in FORMATS.items()},
    "plotly": "application/vnd.plotly.v1+json",  # a figure, for programs that restyle it
    "html": "text/html",
    "gif": "image/gif",
    "zip": "application/zip",
}
OF_PACK = ("sites", "layers", "heads", "pictures")
_MOST_PLACES = 256


def parted(choices: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Choices by name, in three: how a file looks, what is in a lesson pack, what is shown."""
    of_pack = {name: choices[name] for name in OF_PACK if name in choices}
    looks = {name: choices[name] for name in LOOKS if name in choices}
    return looks, of_pack, {n: choices[n] for n in choices if n not in LOOKS + OF_PACK}


@dataclass(frozen=True)
class FileRequest:
    """One file: what it shows, how it looks, and its format, which is the ending of its name."""

    recipe: Recipe
    picture: Picture
    ending: str = "png"
    look: Look = LOOK
    sites: Sequence[Site] = ()  # of a lesson pack; none: the one that is shown
    layers: Sequence[int] = ()  # likewise, from 1
    heads: Sequence[int] = ()  # likewise; none: all of these layers
    pictures: Format = "png"  # of a lesson pack
    stage: Mapping[str, Any] | None = None  # what a page opens on, where a link says it; view.js
    lesson: str | None = None  # the one that is on and its step, "pads.3"
    lessons: Sequence[Lesson] = ()  # that it may be, beside those of the program
    command: str = ""  # what made it, for the manifest of a lesson pack

    def __post_init__(self) -> None:
        check_word("format", self.ending, tuple(TYPES))
        check_word("pictures", self.pictures, PICTURES)
        PageView(lesson=self.lesson)  # which says what no lesson can be called
        for name in ("sites", "layers", "heads"):
            places = getattr(self, name)
            if not isinstance(places, list | tuple) or len(places) > _MOST_PLACES:
                raise RecipeError(f"{name} must be a list of at most {_MOST_PLACES}.", "place")
            for place in places:
                if name == "sites":
                    check_word(name, place, SITES)
                elif type(place) is not int or place < 1:
                    raise RecipeError(
                        f"{name} names {shown(place)}; they are whole numbers from 1 up.", "place"
                    )
