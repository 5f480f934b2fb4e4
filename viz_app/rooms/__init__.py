"""The rooms of the page. A room is a folder, and one name here."""

from model_core.values.checked import Kind
from viz_app.rooms import beam, compare, heads, inside, masks, positions, training, translate
from viz_app.rooms.room import Room
from viz_app.rooms.translate.view import TranslateView as HomeView
from viz_app.values.view import Option

__all__ = ["HOME", "ROOMS", "HomeView", "options", "pictures", "room_named"]

ROOMS: tuple[Room, ...] = (
    translate.ROOM,
    masks.ROOM,
    positions.ROOM,
    inside.ROOM,
    beam.ROOM,
    heads.ROOM,
    compare.ROOM,
    training.ROOM,
)
HOME = translate.ROOM  # what it shows is the page's own: its view is said of the page itself


def room_named(name: object) -> Room | None:
    """The room of that name, or None."""
    return next((room for room in ROOMS if room.name == name), None)


def pictures() -> dict[str, Room]:
    """The pictures of all rooms, by name, and the room of each."""
    return {name: room for room in ROOMS for name in room.views}


def options() -> dict[str, Kind]:
    """What people can choose in any room, by name: of the first room that says what it is for."""
    every = [named for room in ROOMS for named in room.view.options().items()]
    message = [(name, one) for name, one in every if (option := one.note(Option)) and option.help]
    return dict(every) | dict(reversed(message))
