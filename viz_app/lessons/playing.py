"""A lesson with a model: every link, target, answer and sentence of it, as the page gets them."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any
from zlib import crc32

from model_core.decoding.run import Run, run_of
from model_core.errors import CheckpointError, LessonError, RecipeError, VisualiserError
from model_core.values.recipe import Recipe
from viz_app.lessons.asking import answers_of
from viz_app.lessons.expressions import worth
from viz_app.lessons.lesson import COMPUTED, CONDITIONS, TARGETS, Lesson, LessonStep
from viz_app.lessons.linking import laid_over, link_of
from viz_app.lessons.needed import lacking, playable, shown
from viz_app.links.link import read_link
from viz_app.text import named_error

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

# What a lesson can get wrong; that a server is busy is no fault of it.
_WRONG: tuple[type[Exception], ...] = (
    *(LessonError, RecipeError, CheckpointError),
    *(ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError),
)
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_NAMES = ("say", "ask", "then", "numbers", "formula")


def menu_of(
    lessons: Iterable[Lesson], models: Iterable[str], only: int | None = None
) -> dict[str, Any]:
    """The lessons that can be played on one of these models, and the words they are listed by.

    `only` is one of their steps, from 1, where no other is played.
    """
    there = set(models)
    listed, words = [], {}
    for lesson in lessons:
        known = playable(lesson, there, only)
        if not known:
            continue
        said = {one: lesson.word(one) for one in ("title", "about")}
        listed.append({"name": lesson.name, **said, "minutes": lesson.minutes, "models": known})
        words[lesson.name] = _words(lesson, ("title", "about"))
    return {"lessons": listed, "words": _together(words.values())}


def lesson_named(lessons: Iterable[Lesson], name: Any) -> Lesson:
    """The lesson of that name; LessonError says which there are."""
    every = {one.name: one for one in lessons}
    if not isinstance(name, str) or name not in every:
        raise named_error(LessonError, "lesson", name=str(name)[:40], known=", ".join(every))
    return every[name]


def model_for(lesson: Lesson, model: Any, models: Iterable[str], only: int | None = None) -> str:
    """The model that a lesson runs on: the one that is named, or its first one of those there.

    After a step that shows another model it goes on with the one that showed it.
    `only` is one of its steps, from 1, which is played alone.
    """
    there = set(models)
    known = playable(lesson, there, only)
    wanted = None if model is None else str(model)
    if wanted not in known:
        wanted = next((one for one in known if wanted in (None, *shown(lesson, one))), wanted)
    if wanted in known:
        return wanted
    own = [name for name in lesson.models if name in there]
    if not own:
        needs = ", ".join(lesson.models)[:200]
        raise named_error(LessonError, "lesson_models", name=lesson.name, models=needs)
    if not known:
        lost = lacking(lesson, wanted if wanted in own else own[0], there, only)
        needs = ", ".join(sorted(lost))
        raise named_error(LessonError, "lesson_lacks", name=lesson.name, model=needs)
    said = {"name": lesson.name, "model": str(wanted)[:40], "known": ", ".join(known)}
    raise named_error(LessonError, "lesson_model", **said)


def played(
    lesson: Lesson,
    tracer: "Tracer",
    models: Iterable[str],
    base: str = "",
    check: Callable[["Tracer", Recipe], None] = lambda tracer, recipe: None,
    only: int | None = None,
) -> dict[str, Any]:
    """The lesson as the page gets it; `models` are those there are, `base` before each link.

    `check` raises where a recipe is over a limit, before it is carried out. `only` is one of its
    steps, from 1, and the others are left out. LessonError names the step whose answer cannot be
    computed with this model.
    """
    model = tracer.model.name
    playing = _Playing(lesson, tracer, model, check)
    steps = lesson.steps if only is None else lesson.steps[only - 1 : only]
    return {
        "name": lesson.name,
        "title": lesson.word("title"),
        "models": playable(lesson, models, only),
        "model": model,
        "steps": [playing.step(one, base) for one in steps],
        "words": _words(lesson, [key for words in lesson.words.values() for key in words]),
    }


class _Playing:
    """Computes the steps of one lesson with one model."""

    def __init__(self, lesson: Lesson, tracer: "Tracer", model: str, check: Any):
        self.lesson, self.tracer, self.model, self.check = lesson, tracer, model, check
        self.of = lesson.models[model]
        self.names: dict[str, Any] = {**self.of, "model": model, "sentence": self.of["text"]}
        self.runs: dict[Any, Run] = {}
        run = self.run(read_link(link_of(model, self.of, "", self.names))[0])
        for name, tree in lesson.let.items():
            self.names[name] = self.attempt(name, partial(worth, tree, answers_of(run), self.names))

    def attempt(self, name: str, make: Callable[[], Any]) -> Any:
        """What is made, a step or one of `let`; an error says its place."""
        try:
            return make()
        except _WRONG as error:
            line, file = self.lesson.lines.get(name), f"{self.lesson.name}.json"
            place = f"{'let' if name in self.lesson.let else 'step'} {name}"
            where = f"{file}{'' if line is None else f', line {line}'}, {place},"
            said = {"where": f"{file}{'' if line is None else f':{line}'} · {name}"}
            why = str(error) if isinstance(error, VisualiserError) else f"{error}. Correct it."
            what = f"{where} cannot be played on {self.model}: {why}"
            said |= {"model": self.model, "why": why}
            raise LessonError(what, "lesson_fails", **said) from error

    def run(self, recipe: Any) -> Run:
        if recipe not in self.runs:
            self.check(self.tracer.beside(recipe), recipe)
            self.runs[recipe] = run_of(self.tracer, recipe)
        return self.runs[recipe]

    def step(self, step: LessonStep, base: str) -> dict[str, Any]:
        made: dict[str, Any] = self.attempt(step.id, lambda: self._step(step, base))
        return made

    def _step(self, step: LessonStep, base: str) -> dict[str, Any]:
        said = laid_over(self.lesson.link, step.show)
        link = link_of(self.model, self.of, said, self.names)
        run = self.run(read_link(link)[0])

        def value(tree: Any) -> Any:
            return worth(tree, answers_of(run), self.names)

        asked = None if step.ask is None else self._asked(step, run, value)
        values = {name: _spelled_each(value(tree)) for name, tree in step.values.items()}
        which = "" if step.which is None else str(value(step.which))
        known = values | ({"answer": asked["shown"]} if asked else {})
        says = {name: self._said(step, name, which, known) for name in _NAMES}
        hints = [self._said(step, f"hint{n}", "", known) for n in (1, 2, 3)]
        return {
            "id": step.id,
            "link": base + link,
            "cover": list(step.cover),
            "point": _places(step.point, value),
            "proof": _places(step.proof, value),
            "ask": asked,
            "until": _pointed(step.until, value, CONDITIONS),
            "says": says | {"hints": [one for one in hints if one is not None]},
        }

    def _said(
        self, step: LessonStep, name: str, which: str, values: Mapping[str, str | list[str]]
    ) -> dict[str, Any] | None:
        for key in (f"{step.id}.{name}.{which}", f"{step.id}.{name}"):
            if self.lesson.has(key):
                return {"word": self.lesson.word(key), "values": dict(values)}
        return None

    def _asked(self, step: LessonStep, run: Run, value: Callable[[Any], Any]) -> dict[str, Any]:
        ask: Any = step.ask
        answer = value(ask.answer)
        # of a cell what it is read from: questions about one are about cross-attention
        plain = spelled(answers_of(run)["read"](answer["key"]) if ask.kind == "cell" else answer)
        of: list[dict[str, Any]] = []
        if ask.of:
            of = [
                {"value": one, "word": self.lesson.word(f"{step.id}.of.{one}")}
                for one in _in_turn(step.id, ask.of)
            ]
        elif ask.tokens is not None:
            of = [{"value": at, "text": text} for at, text in value(ask.tokens).items()]
            plain = next((one["text"] for one in of if one["value"] == answer), plain)
        if ask.kind == "token" and not isinstance(answer, str):
            raise LessonError(f"the answer {plain} is no token. Say one, such as written(3).")
        if of and answer not in [one["value"] for one in of]:
            raise LessonError(f"the answer {answer!r} is none of those that are offered.")
        return {
            "kind": ask.kind,
            "of": of,
            "within": ask.within,
            "answer": answer,
            "shown": plain,
        }


def _in_turn(step: str, of: tuple[str, ...]) -> tuple[str, ...]:
    """Choices as they are offered: of two, either is first, by the name of the step.

    Who writes a lesson tends to put the right one in the same place.
    """
    return of[::-1] if len(of) == 2 and crc32(step.encode()) % 2 else of


def _pointed(
    one: Mapping[str, Any], value: Callable[[Any], Any], kinds: Mapping[str, tuple[str, ...]]
) -> dict[str, Any]:
    """A target or a condition with its places computed."""
    made: dict[str, Any] = {"kind": one["kind"]}
    for name in kinds[one["kind"]]:
        said = one[name]
        if name == "of":
            made[name] = [_pointed(each, value, kinds) for each in said]
        elif name == "place":
            layer, head = str(value(said)).split(".")
            made |= {"layer": int(layer), "head": int(head)}
        else:
            made[name] = value(said) if name in COMPUTED else said
    return made


def _places(
    targets: Iterable[Mapping[str, Any]], value: Callable[[Any], Any]
) -> list[dict[str, Any]]:
    """Targets with their places computed; where a place is a list, one for each of it."""
    made = []
    for target in targets:
        place = _pointed(target, value, TARGETS)
        several = next((name for name, said in place.items() if isinstance(said, list)), None)
        made += [place] if several is None else [place | {several: one} for one in place[several]]
    return made


def _spelled_each(value: Any) -> str | list[str]:
    """A value as people write it; of several each, as languages part them differently."""
    return [spelled(one) for one in value] if isinstance(value, list | tuple) else spelled(value)


def spelled(value: Any) -> str:
    """A value as people write it: a number in about four digits, a text as it is."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e7:
        value = int(value)  # a root, say
    if not isinstance(value, float):
        return str(value).replace("-", "\u2212") if isinstance(value, int) else str(value)
    size = abs(value)
    if not isfinite(value):
        return str(value)
    mantissa, _, power = f"{value:.1e}".partition("e")
    if 0.001 <= size < 1e7:
        places = 0 if size >= 1e5 else 1 if size >= 100 else 2 if size >= 10 else 3
        text = f"{value:.{places}f}"
    elif 1e-7 <= size < 1e7:  # two digits, and the zeros before them
        text = f"{value:.{1 - int(power)}f}".rstrip("0")
    else:
        text = f"{mantissa.removesuffix('.0')} × 10{str(int(power)).translate(_RAISED)}"
    return text.replace("-", "\u2212")


def _words(lesson: Lesson, keys: Iterable[str]) -> dict[str, dict[str, str]]:
    """Some of its words by language and whole name."""
    every = dict.fromkeys(keys)
    return {
        language: {lesson.word(key): words[key] for key in every}
        for language, words in lesson.words.items()
    }


def _together(parts: Iterable[dict[str, dict[str, str]]]) -> dict[str, dict[str, str]]:
    made: dict[str, dict[str, str]] = {}
    for part in parts:
        for language, words in part.items():
            made.setdefault(language, {}).update(words)
    return made
