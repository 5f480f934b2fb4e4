"""Requests in JSON and their replies: what one is called in the log, and how an error is worded."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict

from model_core.errors import Bug, RecipeError, ToldError, VisualiserError
from model_core.values.checked import shown
from model_core.values.recipe import MAX_TARGET, Recipe
from viz_app.rooms import ROOMS, room_named
from viz_app.rooms.room import Room
from viz_app.server.logs import log_failure
from viz_app.values.wire import Json

# How far a translation is carried: no token, one, the first or all of them.
Extent = int | Literal["opening", "end"]
# 400 is said for the others: the request is at fault.
_STATUS = {"bug": 500, "busy": 503, "connections": 503, "replicas": 503, "pictures_busy": 503}
_STATUS |= {"limit_request": 413, "origin": 403, "host": 403, "seconds": 408, "model": 404}


@dataclass(frozen=True)
class Reply:
    """What is sent back, in JSON, and how it ended: "ok", or the code of the error in it.

    `after`: how many seconds later to ask again, where that may help.
    """

    body: bytes
    code: str = "ok"
    status: int = 200
    after: int | None = None
    type: str = "application/json"


class Refusal(TypedDict):
    """What comes in place of an answer; `detail` is the message."""

    error: ToldError
    detail: str


def refusal(error: VisualiserError) -> Reply:
    """The reply with an error."""
    status = _STATUS.get(error.code, 400)
    after = int(error.values.get("seconds", 1)) if status == 503 else None
    values: Refusal = {"error": error.to_json(), "detail": str(error)}
    return Reply(to_json_bytes(values), error.code, status, after)


def to_json_bytes(value: Any) -> bytes:
    """A value as compact JSON; ValueError where a number in it is none."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode(errors="backslashreplace")  # half of a character, as JSON writes it


def data_in(body: bytes) -> bytes:
    """The values that a request of gradio's own client lists, as JSON."""
    try:
        return to_json_bytes(json.loads(body)["data"])
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise RecipeError("The body of the request has no list of values as its data.") from error


def as_data(reply: Reply) -> Reply:
    """The reply as gradio's own client reads it; an error stays as it is."""
    is_error = reply.code != "ok" or reply.status != 200
    return reply if is_error else replace(reply, body=b'{"data":[' + reply.body + b"]}")


@dataclass(frozen=True)
class RequestKind:
    """A kind of request, known by a field that only it has at the top."""

    field: str
    called: str  # in the log
    is_shared: bool = False  # visitors who ask the same get one answer
    is_file: bool = False  # a file has a limit and a place in line of its own
    waits: bool = True  # for a turn; what does not is neither logged nor forwarded
    is_ahead: bool = False  # no visitor waits for its answer


# In this order: the first whose field is there is meant.
KINDS = (
    RequestKind("status", "status", waits=False),  # what a request for a model would wait for
    RequestKind("local", "local", waits=False),  # how much the visitor's browser answered itself
    RequestKind("export", "export", is_file=True),  # see files/making.py
    RequestKind("training", "training"),  # see trainings/runs.py
    RequestKind("room", "room", is_shared=True),  # by name, and its view
    RequestKind("next", "ahead", is_ahead=True),  # see ahead.py
    RequestKind("lesson", "lesson", is_shared=True),  # {"name", "model"}, see lessons/playing.py
    RequestKind("lessons", "lesson", is_shared=True),  # true: which there are
    RequestKind("bring", "bring"),  # a path: offer the model there
    RequestKind("brought", "bring"),  # true: which were
    RequestKind("link", "translate", is_shared=True),  # what follows the # of an address
    RequestKind("recipe", "translate", is_shared=True),  # a decoding, see `checked`
)


def kind_of(request: Any) -> RequestKind:
    """The kind of a request; what has no field of any is read as a decoding."""
    fields = request if isinstance(request, dict) else ()
    return next((one for one in KINDS if one.field in fields), KINDS[-1])


def name_of(request: Any) -> str:
    """What a request is called in the log: never the client's own words."""
    if not isinstance(request, dict):
        return "stage"
    called = kind_of(request).called
    if called == "room":
        return "room" if room_named(request["room"]) is None else f"room {request['room']}"
    return "step" if called == "translate" and request.get("extend") == 1 else called


def model_of(recipe: Any) -> Any:
    """The model that a recipe names, if it names one."""
    return recipe.get("model") if isinstance(recipe, dict) else None


def may_open_others(request: Json) -> bool:
    """Whether its answer may need another model than its recipe's."""
    room = room_named(request.get("room"))
    return room is not None and room.beside is not Room.beside


def may_change(request: Json) -> bool:
    """Whether the same request may have another answer later."""
    room = room_named(request.get("room"))
    return room is not None and room.may_change


def room_of(request: Json) -> Room:
    """The room that a request names."""
    room = room_named(request["room"])
    if room is None:
        known = ", ".join(one.name for one in ROOMS)
        raise RecipeError(f"There is no such room; there are {known}.")
    return room


def checked(request: Any) -> tuple[Recipe, Extent, int | None, int]:
    """The recipe, how far it goes on, the token to take, and how many steps are there."""
    if not isinstance(request, dict):
        raise RecipeError("A request is a JSON object.")
    extend, force, have = request.get("extend", 0), request.get("force"), request.get("have", 0)
    is_count = type(extend) is int and 0 <= extend <= MAX_TARGET
    if not is_count and extend not in ("opening", "end"):
        raise RecipeError(
            f'extend is {shown(extend)}; it must be a number of tokens, "opening" or "end".'
        )
    if force is not None and type(force) is not int:
        raise RecipeError(f"force is {shown(force)}; it must be a token's id or null.")
    if type(have) is not int or have < 0:
        raise RecipeError(f"have is {shown(have)}; it must be a whole number of steps.")
    return Recipe.from_json(request.get("recipe")), extend, force, have


def reply_or_error(
    make: Callable[[], Any], check_bytes: Callable[[int], None] | None = None
) -> Reply:
    """What is made, as a reply; its error where one is raised, and what is a bug as one."""
    try:
        body = to_json_bytes(make())
        if check_bytes is not None:
            check_bytes(len(body))
        return Reply(body)
    except Exception as error:
        known = error if isinstance(error, VisualiserError) else Bug()
        if known is not error:
            log_failure(error)
        return refusal(known)
