"""Which picture: its name, and the view of its room."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from model_core.errors import RecipeError
from viz_app.figures.look import LOOKS
from viz_app.rooms import ROOMS, options, pictures
from viz_app.rooms.room import Room
from viz_app.values.view import View, check_word
from viz_app.values.wire import PictureJson

Format = Literal["png", "svg", "pdf"]  # that are drawn
PICTURES: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True)
class Picture:
    """One picture of a room."""

    name: str
    view: View

    def __post_init__(self) -> None:
        """RecipeError where this picture cannot show what is chosen."""
        self.room.views[self.name].check(self.view)

    @property
    def room(self) -> Room:
        """Which room of the page shows it."""
        return pictures()[self.name]

    def to_json(self) -> PictureJson:
        """The picture as JSON."""
        return {"picture": self.name, "view": self.view.to_json()}


def named() -> dict[str, list[tuple[str, str, int]]]:
    """What of a view is in a file's name, by picture: field, word, and what it counts from."""
    return {name: room.view.words_of(room.views[name].named) for name, room in pictures().items()}


def picture_of(name: Any, view: Any) -> Picture:
    """The picture of that name, with a view as JSON; RecipeError where there is none."""
    known = pictures()
    check_word("picture", name, tuple(known))
    room = known[name]
    shown: dict[str, Any] = dict(room.views[name].view)
    return Picture(name, replace(room.view.from_json(view), **shown))


def picture(
    name: str = "cross",
    /,
    site: str | None = None,
    layer: int | None = None,
    head: int | None = None,
    **choices: Any,
) -> Picture:
    """The picture of that name, with the choices as a reader makes them: the options of its view.

    They are those of the command line; a view says which there are and from what they count. What
    a picture has no use for is ignored. Of a batch the first sentence is shown, which is that of
    the recipe.
    """
    check_word("view", name, tuple(pictures()))
    choices |= {"site": site, "layer": layer, "head": head}
    room = pictures()[name]
    fixed: dict[str, Any] = dict(room.views[name].view)
    return Picture(name, room.view.from_json(room.view.left_open() | chosen(name, choices) | fixed))


def chosen(name: str, choices: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a picture's view that a reader chose; RecipeError for a name there is not."""
    known = set(options())
    if unknown := sorted(set(choices) - known):
        raise RecipeError(
            f"A picture does not know {', '.join(one[:40] for one in unknown[:3])}. It knows "
            f"{', '.join(sorted(known))}; a file also {', '.join(LOOKS)}."
        )
    for other in ROOMS:  # what is no place at all is refused where it has no use too
        other.view.chosen(choices)
    room = pictures()[name]
    called = room.views[name].called
    return {called.get(one, one): value for one, value in room.view.chosen(choices).items()}
