"""A lesson where nothing computes: whether it can be played there, and what its steps show."""

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from model_core.decoding.run import Run
from model_core.values.recipe import Recipe
from viz_app.lessons.lesson import Lesson, LessonStep
from viz_app.lessons.linking import laid_over, link_of
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
    """A lesson on the page of one run that it shows, and what its steps open there besides."""

    recipe: Recipe  # without its tokens, unless the lesson says which
    played: dict[str, Any]  # as the page gets it; each step that shows this run has its "view" too
    menu: dict[str, Any]  # the list that has it alone
    answers: tuple[Answered, ...]  # of rooms

    @property
    def own(self) -> Answered:
        """The lesson itself, as the page asks for it."""
        said = {"name": self.played["name"], "model": self.played["model"]}
        return Answered(LESSON, said, self.played)

    @property
    def alone(self) -> "Recorded":
        """The same less all from the first step on that shows another run."""
        steps = list(takewhile(lambda step: "view" in step, self.played["steps"]))
        return replace(self, played=self.played | {"steps": steps})


def sentences_of(lesson: Lesson, model: str) -> tuple[str, ...]:
    """The sentences that its steps show, each as the model translates it by itself.

    None where one shows anything else: another model, edits, pads, a translation of its own.
    """
    of = lesson.models[model]
    names = {**dict.fromkeys(lesson.let, 0), **of, "model": model, "sentence": of["text"]}
    found = list[str]()
    for step in filter(_is_complete, lesson.steps):
        said = laid_over(lesson.link, step.show)
        recipe, _ = read_link(link_of(model, of, said, names))
        if replace(recipe, target=()) != Recipe(model, recipe.source):
            return ()
        found.append(recipe.source)
    return tuple(dict.fromkeys(found))


def recorded(
    lesson: Lesson, library: "Library", model: str, only: int | None = None
) -> tuple[Recorded, ...]:
    """The lesson with the page of each of its sentences, where there is all that it needs.

    What has the reader do what only a model can answer, and asks nothing, is left out. `only` is
    one of its steps, from 1: then the lesson is that alone, whatever it shows and leads to.
    """
    if only is None and not sentences_of(lesson, model):
        return ()
    if lacking(lesson, model, {model, *library.names()}, only):
        return ()
    with library.calls():
        made = played(lesson, library.tracer(model), library.names(), only=only)
    menu = menu_of((lesson,), library.names(), only)
    kept = {step.id for step in lesson.steps if only is not None or _is_complete(step)}
    steps = [step for step in made["steps"] if step["id"] in kept]
    links = [read_link(step["link"]) for step in steps]
    found = []
    for recipe in dict.fromkeys(_shown_by(one, only) for one, _ in links):
        run = library.run(recipe, 0 if recipe.target else None)
        views = [view for one, view in links if _shown_by(one, only) == recipe]
        begun = [one.target for one, _ in links if _shown_by(one, only) == recipe]
        if any(target != run.recipe.target[: len(target)] for target in begun):
            return ()
        seen = [
            step if _shown_by(of, only) != recipe else step | {"view": _kept(view)}
            for step, (of, view) in zip(steps, links, strict=True)
        ]
        answers = _opened(library, run, views)
        if answers is None:
            return ()
        found.append(Recorded(recipe, made | {"steps": seen}, menu, answers))
    return tuple(found)


def _shown_by(recipe: Recipe, only: int | None) -> Recipe:
    """The recipe that a step shows; of a whole lesson however far it has come."""
    return recipe if only is not None else replace(recipe, target=())


def _kept(view: dict[str, Any]) -> dict[str, Any]:
    return {name: said for name, said in view.items() if name not in _OF_SERVER}


def _opened(
    library: "Library", run: Run, views: list[dict[str, Any]]
) -> tuple[Answered, ...] | None:
    """What rooms answer to views of a run; None where one answers nothing."""
    found = dict[tuple[str, str], Answered]()
    for view in views:
        room: Any = room_named(view["room"])
        page = {"site": run.model.opens_on["site"]} | view
        said = room.shows(Seen(run.model, run.decoding, page, view["choices"]))
        if room is HOME and view.get("reading") in (None, "weights"):
            continue  # it shows the run itself
        answers = answered(library, run, [(room.name, said)])
        if not answers:
            return None
        found |= {one.question: one for one in answers}
    return tuple(found.values())


def _is_complete(step: LessonStep) -> bool:
    """Whether a step says something where nothing computes: it asks, or can be done there."""
    return step.ask is not None or _is_possible(step.until)


def _is_possible(until: dict[str, Any]) -> bool:
    if until["kind"] == "all":
        return all(map(_is_possible, until["of"]))
    return until["kind"] in _POSSIBLE
