"""What the stage asks, read from JSON: what it is called in the log, and what it names."""

import json
from dataclasses import dataclass
from typing import Any

from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from viz_app.rooms import ROOMS, room_named
from viz_app.rooms.room import Room


@dataclass(frozen=True)
class Answer:
    """An answer in JSON, and how it ended: "ok", or the code of the error in it."""

    body: bytes
    code: str = "ok"


def encoded(answer: Any) -> bytes:
    """A value as compact JSON; ValueError where a number in it is none."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def kind_of(request: Any) -> str:
    """What a request is called in the log: words of ours only."""
    if not isinstance(request, dict):
        return "stage"
    if "export" in request:
        return "export"
    if "bring" in request or "brought" in request:
        return "bring"
    room = request.get("room")
    if room is not None:
        return "room" if room_named(room) is None else f"room {room}"
    if "next" in request:
        return "ahead"
    return "step" if request.get("extend") == 1 else "translate"


def room_of(request: dict[str, Any]) -> Room:
    """The room that a request names."""
    room = room_named(request["room"])
    if room is None:
        known = ", ".join(one.name for one in ROOMS)
        raise RecipeError(f"There is no such room; there are {known}.")
    return room


def checked(request: Any) -> tuple[Recipe, int | None, int | None, int]:
    """The recipe, how many tokens more, the token to take, and how many steps are there."""
    if not isinstance(request, dict):
        raise RecipeError("A request is a JSON object.")
    extend, force, have = request.get("extend", 0), request.get("force"), request.get("have", 0)
    counts = {0: 0, 1: 1, "end": None}
    if isinstance(extend, bool) or extend not in (0, 1, "end"):
        raise RecipeError(f'extend is {extend!r}; it must be 0, 1 or "end".')
    if force is not None and type(force) is not int:
        raise RecipeError(f"force is {force!r}; it must be a token's id or null.")
    if type(have) is not int or have < 0:
        raise RecipeError(f"have is {have!r}; it must be a whole number of steps.")
    return Recipe.from_json(request.get("recipe")), counts[extend], force, have
