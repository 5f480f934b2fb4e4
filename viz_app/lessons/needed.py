"""The models that a lesson needs: those that its steps show, and those that it asks about."""

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from model_core.checkpoints.snapshots import parted
from model_core.values.checked import kinds
from model_core.values.recipe import Recipe
from viz_app.lessons.asking import ANSWERS
from viz_app.lessons.lesson import Lesson, LessonStep
from viz_app.lessons.linking import laid_over, link_of
from viz_app.rooms import room_named

_LATER = "\0"  # what a variable says that only a run knows; no name of a model has it
_ASKING = {  # a model, or a room that may read another run
    name: found
    for name, found in ((name, inspect.signature(one)) for name, one in ANSWERS.items())
    if name == "room" or "model" in found.parameters
}


def playable(lesson: Lesson, models: Iterable[str], only: int | None = None) -> list[str]:
    """Its models with which it can be played where there are these; `only` is one of its steps."""
    there = set(models)
    known = [name for name in lesson.models if name in there]
    return [name for name in known if not lacking(lesson, name, there, only)]


def lacking(lesson: Lesson, model: str, models: Iterable[str], only: int | None = None) -> set[str]:
    """What of its needs is none of these models; a snapshot is there where its checkpoint is."""
    there = set(models)
    return {one for one in needed(lesson, model, only) if not there & {one, parted(one)[0]}}


def needed(lesson: Lesson, model: str, only: int | None = None) -> set[str]:
    """The models that a lesson asks for, played with one of its own, which is among them.

    `only` is one of its steps, from 1. A name that only a run knows is not known here.
    """
    names, steps = _names(lesson, model), lesson.steps
    if only is not None:
        steps = steps[only - 1 : only]
    trees = [*lesson.let.values(), *(tree for step in steps for tree in _trees(step))]
    asked = {one for tree in trees for one in _asked(tree, names)}
    beside = {one for step in steps for one in _known(*_linked(lesson, model, step, names))}
    return {model} | asked | beside


def shown(lesson: Lesson, model: str) -> set[str]:
    """The models whose runs its steps show, played with one of its own."""
    names = _names(lesson, model)
    return {
        one for step in lesson.steps for one in _known(next(_linked(lesson, model, step, names)))
    }


def _names(lesson: Lesson, model: str) -> dict[str, Any]:
    """The variables of a lesson, as far as they are known before it is played."""
    of = lesson.models[model]
    names: dict[str, Any] = {**of, "model": model, "sentence": of["text"]}
    for name, tree in lesson.let.items():
        names[name] = _value(tree, names)
    return names


def _value(tree: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(tree, ast.Constant):
        return tree.value
    return names[tree.id] if isinstance(tree, ast.Name) else _LATER


def _known(*said: Any) -> Iterator[str]:
    return (one for one in said if isinstance(one, str) and _LATER not in one)


def _linked(
    lesson: Lesson, model: str, step: LessonStep, names: Mapping[str, Any]
) -> Iterator[Any]:
    """The models that the link of a step names: its run's first, then the ones compared with it."""
    said = laid_over(lesson.link, step.show)
    fields = parse_qsl(link_of(model, lesson.models[model], said, names))
    yield dict(fields)["model"]
    for field, value in fields:
        name, _, one = field.partition(".")
        if (room := room_named(name)) and _is_run(room.view, one):
            yield dict(parse_qsl(value)).get("model")


def _trees(step: LessonStep) -> Iterator[ast.expr]:
    """All expressions of a step."""
    yield from step.values.values()
    if step.which is not None:
        yield step.which
    if step.ask is not None:
        yield step.ask.answer
        if step.ask.tokens is not None:
            yield step.ask.tokens
    for one in (*step.point, *step.proof, step.until, *step.until.get("of", ())):
        yield from (value for value in one.values() if isinstance(value, ast.expr))


def _asked(tree: ast.expr, names: Mapping[str, Any]) -> Iterator[str]:
    """The models that an expression asks about: where an answer takes one, or a room a run."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        if (called := _ASKING.get(call.func.id)) is None:
            continue
        named = {str(one.arg): one.value for one in call.keywords}
        given = called.bind(None, *call.args, **named).arguments
        models = [given["model"]] if "model" in given else []
        if call.func.id == "room" and (room := room_named(_value(given["name"], names))):
            views = given.get("view", {})
            models = [value for name, value in views.items() if _is_run(room.view, name)]
        yield from _known(*(_value(one, names) for one in models))


def _is_run(view: Any, field: str) -> bool:
    """Whether a field of a room's view holds another run."""
    kind = kinds(view).get(field)
    return kind is not None and kind.type is Recipe
