"""A lesson and its step as they are named: "leak.3", and a link that says no more than that."""

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from model_core.errors import LessonError, RecipeError
from model_core.values.checked import shown
from viz_app.lessons.lesson import Lesson
from viz_app.lessons.playing import lesson_named, model_for
from viz_app.text import named_error

_STEP = re.compile("[1-9][0-9]?")


def placed(lessons: Iterable[Lesson], said: str) -> tuple[Lesson, int]:
    """The lesson and the step, from 1, that "leak.3" names; "leak" is its first.

    LessonError says which lessons there are, or how many steps.
    """
    name, point, step = said.partition(".")
    lesson = lesson_named(lessons, name)
    if not point:
        return lesson, 1
    if not _STEP.fullmatch(step) or int(step) > len(lesson.steps):
        values: dict[str, str | int] = {"name": name, "step": step[:10], "n": len(lesson.steps)}
        raise named_error(LessonError, "lesson_step", **values)
    return lesson, int(step)


def bare_place(link: Any) -> str | None:
    """The lesson and the step of a link that names no model: `#lesson=leak.1`, `?lesson=leak.1`.

    RecipeError where the link is no text.
    """
    if not isinstance(link, str):
        raise RecipeError(f"link is {shown(link)}; it must be the address of a page.")
    address, _, fragment = link.strip().partition("#")
    before, mark, query = address.partition("?")
    said = fragment or (query if mark and "=" not in before else address)
    fields = dict(parse_qsl(said))
    return None if "model" in fields else fields.get("lesson")


def whole_link(link: str, lessons: Callable[[], Iterable[Lesson]], models: Iterable[str]) -> str:
    """A link as it is; one that names a lesson and no model with the first that it may run on."""
    place = bare_place(link)
    if place is None:
        return link
    lesson, step = placed(lessons(), place)
    model = model_for(lesson, None, models)
    said = {"v": 3, "model": model, "text": str(lesson.models[model]["text"])}
    return urlencode(said | {"lesson": f"{lesson.name}.{step}"})
