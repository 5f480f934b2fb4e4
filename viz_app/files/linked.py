"""What a link shows: its recipe carried out, the picture of it, and what a stage opens on.

The choices that a link leaves open are those that the page opens with.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model_core.errors import CheckpointMissing
from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding
from viz_app.files.picture import Picture, picture_of
from viz_app.lessons.lesson import Lesson, own_lessons
from viz_app.lessons.places import bare_place, placed
from viz_app.lessons.playing import model_for, played
from viz_app.links.link import read_link
from viz_app.menu.catalogue import entry_of, models_of
from viz_app.rooms import HOME, room_named
from viz_app.rooms.room import Seen
from viz_app.text import WORDS

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from model_core.models.protocol import Model

_OF_STAGE = (
    *("site", "layer", "head", "at", "stepping", "rows", "view", "reading", "by", "spelled"),
    *("order", "locks", "cells"),
)


@dataclass(frozen=True, eq=False)
class Linked:
    """A link that was opened."""

    recipe: Recipe
    decoding: Decoding
    picture: Picture  # what it shows
    stage: dict[str, Any]  # what the stage opens on, as in stage/run/view.js
    lesson: str | None = None  # the one that is on, and its step
    note: str | None = None  # where not all could be as the link says


def open_link(library: "Library", link: str, lessons: Iterable[Lesson] = ()) -> Linked:
    """What a link shows with the models there are; RecipeError where it is damaged or does not fit.

    `link` is a whole address or what follows its #. One that names a lesson and no model is that
    of the lesson's step, with the first model that it may run on; it may be one of `lessons` too.
    """
    if (place := bare_place(link)) is not None:
        link = step_link(library, place, lessons=lessons)
    named = read_link(link)[0].model
    try:
        models = [entry_of(library.tracer(named).model)]  # whose weights answer
    except CheckpointMissing:  # which is said when the link is read, with the names of the others
        models = [one for one in models_of(library.root).own if one["name"] != named]
    recipe, seen = read_link(link, models)
    (model,) = models
    run = library.run(recipe, None if seen["to_end"] else 0)
    seen, picture = picture_seen(run.model, run.decoding, seen)
    note = None
    if seen["stale"]:
        note = WORDS["en"]["error_link_weights"].format(
            theirs=seen["weights"], ours=model["fingerprint"]
        )
    stage = {name: seen[name] for name in _OF_STAGE if name in seen}
    return Linked(run.recipe, run.decoding, picture, stage, seen.get("lesson"), note)


def picture_seen(
    model: "Model", decoding: Decoding, seen: dict[str, Any]
) -> tuple[dict[str, Any], Picture]:
    """The view of a link, with what it leaves open as the page opens, and its picture."""
    if "at" in seen and decoding.steps:  # an encoder alone has none
        seen = seen | {"at": min(seen["at"], len(decoding.steps) - 1)}
    seen = {name: model.opens_on[name] for name in ("site", "rows")} | seen
    said = seen["choices"] | {"spelled": seen["spelled"]}
    room = room_named(seen["room"]) or HOME
    return seen, picture_of(*room.picture_of(Seen(model, decoding, seen, said)))


def step_link(
    library: "Library", place: str, model: str | None = None, lessons: Iterable[Lesson] = ()
) -> str:
    """The link to a step of a lesson, "leak.3"; LessonError where there is none for the model.

    It is one of the program, or of `lessons`.
    """
    lesson, step = placed((*own_lessons(), *lessons), place)
    names = library.names()
    known = model_for(lesson, model, names, only=step)
    with library.calls():
        (shown,) = played(lesson, library.tracer(known), names, only=step)["steps"]
    return f"{shown['link']}&lesson={lesson.name}.{step}"
