"""A lesson in a page that is saved: all of it, where the page has what its steps show."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from model_core.values.recipe import Recipe
from viz_app.files.standalone import InitialState
from viz_app.lessons.lesson import Lesson, own_lessons
from viz_app.lessons.playing import model_for
from viz_app.lessons.recording import Recorded, recorded

if TYPE_CHECKING:
    from model_core.decoding.library import Library


def lesson_on(place: str | None, lessons: Iterable[Lesson] = ()) -> tuple[Lesson, int] | None:
    """The lesson that is on, "one-head.2", and its step, from 1; None where there is no such one.

    It is one of `lessons`, or of the program.
    """
    name, _, step = (place or "").partition(".")
    found = next((one for one in (*lessons, *own_lessons()) if one.name == name), None)
    return None if found is None else (found, min(int(step or 1), len(found.steps)))


def taught(
    library: "Library",
    recipe: Recipe,
    opened: InitialState,
    on: tuple[Lesson, int] | None,
    brings: bool = False,
) -> InitialState:
    """What a page of the recipe is opened on, with the lesson that is on; None: none is.

    It has the steps up to the first that shows another run. A lesson that shows more than sentences
    is left out; and, unless the page `brings` what its steps show, one of which it lacks anything.
    """
    if on is None or recipe.model not in on[0].models:
        return opened
    lesson, step = on
    made = next((one.alone for one in recorded(lesson, library, recipe.model)), None)
    if made is None or not _is_of(made, library, recipe) or step > len(made.played["steps"]):
        return opened
    lacks = {one.question for one in made.answers} - {one.question for one in opened.answers}
    if lacks and not brings:
        return opened
    return _carrying(opened, made, f"{lesson.name}.{step}")


def teaching(
    library: "Library",
    recipe: Recipe,
    opened: InitialState,
    on: tuple[Lesson, int] | None,
    model: str | None = None,
) -> InitialState:
    """The same with the lesson as far as it keeps to this run, else with the step alone.

    `model` is the one that it is played with; None is its first.
    """
    opened = taught(library, recipe, opened, on, brings=True)
    if on is None or opened.lessons is not None:
        return opened
    lesson, step = on
    known = model_for(lesson, model, library.names(), only=step)
    for made in recorded(lesson, library, known, only=step):
        if _is_of(made, library, recipe):
            return _carrying(opened, made, f"{lesson.name}.1")
    return opened


def _carrying(opened: InitialState, made: Recorded, place: str) -> InitialState:
    there = {one.question for one in opened.answers}
    more = [one for one in made.answers if one.question not in there]
    answers = (*opened.answers, *more, made.own)
    view = {**opened.view, "lesson": place}
    return replace(opened, view=view, answers=answers, lessons=made.menu)


def _is_of(made: Recorded, library: "Library", recipe: Recipe) -> bool:
    """Whether a recipe shows the run of a lesson, however its tokens were chosen."""
    whole = made.recipe if made.recipe.target else library.extend(made.recipe, None)[0]
    return _shown(whole) == _shown(recipe)


def _shown(recipe: Recipe) -> tuple[Any, ...]:
    how = (recipe.model, recipe.source, recipe.pads, recipe.edits, recipe.settings)
    return (*how, recipe.target_ids)
