"""A lesson where nothing computes: whether it can be played there, and what its steps show."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model_core.values.recipe import Recipe
from viz_app.lessons.lesson import Lesson, laid_over, link_of
from viz_app.lessons.needed import lacking
from viz_app.lessons.playing import menu_of, played
from viz_app.links.link import read_link
from viz_app.rooms import HOME, room_named
from viz_app.rooms.beforehand import Answered, answered
from viz_app.rooms.room import Seen

if TYPE_CHECKING:
    from model_core.decoding.library import Library

LESSON = "lesson"  # what stands where a room does, of an answer that is a lesson
# What a reader can do where nothing computes.
_POSSIBLE = ("answered", "at", "lock", "room")
_OF_SERVER = ("to_end", "stale")  # what of a view says how its run is computed


@dataclass(frozen=True, eq=False)
class Recorded:
    """A lesson with its model, and all that its steps open beside the run."""

    recipe: Recipe  # without its tokens, unless the lesson says which
    played: dict[str, Any]  # as the page gets it; each step has its "view" too
    menu: dict[str, Any]  # the list that has it alone
    answers: tuple[Answered, ...]  # of rooms

    @property
    def own(self) -> Answered:
        """The lesson itself, as the page asks for it."""
        said = {"name": self.played["name"], "model": self.recipe.model}
        return Answered(LESSON, said, self.played)


def stays(lesson: Lesson, model: str) -> bool:
    """Whether every step shows the same run, and what it waits for changes none of it."""
    of = lesson.models[model]
    names = {**dict.fromkeys(lesson.let, 0), **of, "model": model, "sentence": of["text"]}
    whole = Recipe(model, str(of["text"]))
    for step in lesson.steps:
        said = laid_over(lesson.link, step.show)
        recipe, view = read_link(link_of(model, of, said, names))
        if recipe != whole or not view["to_end"] or not _is_possible(step.until):
            return False
    return True


def recorded(
    lesson: Lesson, library: "Library", model: str, only: int | None = None
) -> Recorded | None:
    """The lesson, where it `stays` with the model and there is all that it shows and needs.

    `only` is one of its steps, from 1: then the lesson is that alone, whatever it leads to.
    """
    names = library.names()
    if only is None and not stays(lesson, model):
        return None
    if lacking(lesson, model, {model, *names}, only):
        return None
    with library.calls():
        made = played(lesson, library.tracer(model), names, only=only)
    recipe, first = read_link(made["steps"][0]["link"])
    whole, decoding = library.extend(recipe, None if first["to_end"] else 0)
    tracer = library.tracer(recipe.model, recipe.edits)
    steps, found = [], dict[tuple[str, str], Answered]()
    for step in made["steps"]:
        view = read_link(step["link"])[1]
        kept = {name: said for name, said in view.items() if name not in _OF_SERVER}
        steps.append(step | {"view": kept})
        room: Any = room_named(view["room"])
        page = {"site": tracer.model.opens_on["site"]} | view
        said = room.shows(Seen(tracer.model, decoding, page, view["choices"]))
        if room is HOME and view.get("reading") in (None, "weights"):
            continue  # it shows the run itself
        answers = answered(library, whole, [(room.name, said)])
        if not answers:
            return None
        found |= {one.question: one for one in answers}
    menu = menu_of((lesson,), names, only)
    return Recorded(recipe, made | {"steps": steps}, menu, tuple(found.values()))


def _is_possible(until: dict[str, Any]) -> bool:
    if until["kind"] == "all":
        return all(map(_is_possible, until["of"]))
    return until["kind"] in _POSSIBLE
