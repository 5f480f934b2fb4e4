"""A lesson as it lies in a file, read and checked before any model is opened.

    {"version": 1, "minutes": 5,
     "models": {"en-fr": {"text": "The old cat sleeps.", "head": "2.4"}},
     "link": "site=cross&cross={head}",
     "let": {"row": "row('chat')"},
     "steps": [{"id": "darkest", "show": "at={row}", "cover": ["row"], "point": [{"row": "row"}],
                "ask": {"kind": "choice", "tokens": "source_tokens()",
                        "answer": "darkest('cross', head, row)"},
                "values": {"token": "written(row)"}, "until": {"kind": "answered"}}]}

What stands beside `text` are variables, of each model, as are `model` and `sentence`; `let` are
more, computed from the run. A step's `show` is laid over the lesson's link. A target whose place is
a list, as of columns, is one for each of it. Words are in the file of the same name, or under
"words" by language: title, about, and of each step STEP.say, .ask, .of.NAME, .hint1 to .hint3,
.then, .numbers, .formula. Of the value of `which`, left out the answer among words, .say.VALUE and
.then.VALUE come before .say and .then. What is wrong raises a LessonError with the file, the line,
the step and the remedy.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from model_core.errors import LessonError, VisualiserError
from model_core.values.checked import kinds as fields_of
from model_core.values.recipe import Strategy
from model_core.values.trace import SITES
from viz_app.lessons.asking import ANSWERS, WRITTEN
from viz_app.lessons.checking import WORD, Checking
from viz_app.lessons.expressions import read, variables
from viz_app.lessons.linking import laid_over, link_of
from viz_app.links.link import PageView, read_link
from viz_app.rooms import HOME, ROOMS, room_named
from viz_app.text import LANGUAGES, PLACE, Words, read_words

FOLDER = Path(__file__).resolve().parent
PANELS = ("project", "product", "softmax", "values", "output")  # of the room Inside a head
# Of a room what a question is about, and no more.
_PIECES = (
    *("lengths", "lens", "query", "products", "score", "weights", "carried"),
    *("measured", "distances", "alike", "heads"),
    *("learnt", "loss", "exact", "copied", "entropy", "rate", "breaks"),
)
_WHOLE = ("row", "cell", "map", "candidates", "text", "sentence", "banner", "report")
COVERS = (*_WHOLE, *PANELS, *_PIECES)
PARTS = (
    *(*COVERS, "chain", "last", "last_two", "tree", "about", "source", "cosine"),
    *("pad_map", "causal_map", "weights_map", "chosen_key", "vectors"),
)
# What each kind of target and of condition says: expressions, and names as they are.
TARGETS = {
    "row": ("query",),
    "column": ("key",),
    "cell": ("query", "key"),
    "candidate": ("token",),
    "head": ("site", "place"),
    "stage": ("step",),
    "control": ("name",),
    "part": ("name",),
}
CONDITIONS = {
    "answered": (),
    "at": ("step",),
    "kept": ("query", "key"),
    "lock": ("site", "place"),
    "view": ("room", "field", "value"),
    "edit": ("edit",),
    "edits-empty": (),
    "room": ("room",),
    "source-changed": (),
    "target": ("step", "token"),
    "strategy": ("strategy",),
    "all": ("of",),
}
COMPUTED = ("query", "key", "token", "step", "place", "edit")
_KINDS = ("number", "choice", "cell", "token")
_STEP = ("id", "show", "cover", "point", "proof", "ask", "until", "values", "which")
_NAME = re.compile("[a-z][a-z0-9-]{0,39}")
_HALF = re.compile(  # a character beyond 16 bits is written as two
    r"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F].."
)
# What Python says of JSON that is none, for readers of other languages.
_JSON = {
    "Expecting value": "json_value",
    "Expecting property name": "json_name",
    "Expecting ':'": "json_colon",
    "Expecting ','": "json_comma",
    "Unterminated string": "json_string",
    "Invalid control character": "json_control",
    "Invalid \\": "json_escape",
    "Extra data": "json_more",
    "Illegal trailing comma": "json_last",
}
_ENDINGS = (".json", ".txt")
_MOST_BYTES, _MOST_STEPS = 200_000, 20
Trees = dict[str, ast.expr]


@dataclass(frozen=True)
class Ask:
    """A question: its kind, what is offered, and the expression of its answer."""

    kind: str
    answer: ast.expr
    of: tuple[str, ...] = ()  # names of words
    tokens: ast.expr | None = None
    within: float | None = None


@dataclass(frozen=True)
class LessonStep:
    """One step; expressions are read already. `proof` is where to look once it is done."""

    id: str
    show: str
    cover: tuple[str, ...]
    point: tuple[dict[str, Any], ...]
    proof: tuple[dict[str, Any], ...]
    ask: Ask | None
    until: dict[str, Any]
    values: Trees
    which: ast.expr | None


@dataclass(frozen=True)
class Lesson:
    """A lesson; `models` are its variables by the model's name, `words` by language and key,
    `lines` where its file has each step and each of `let`."""

    name: str
    minutes: int
    models: Mapping[str, dict[str, Any]]
    link: str
    let: Trees
    steps: tuple[LessonStep, ...]
    words: Words
    lines: Mapping[str, int | None]

    def word(self, key: str) -> str:
        """The whole name of one of its words."""
        return f"lessons.{self.name.replace('-', '_')}.{key}"

    def has(self, key: str) -> bool:
        """Whether it has such a word."""
        return any(key in words for words in self.words.values())


@cache
def own_lessons() -> tuple[Lesson, ...]:
    """The lessons that come with the program, in their order."""
    found = {path.stem: path for path in FOLDER.glob("*.json")}
    order = [*_ORDER, *sorted(set(found) - set(_ORDER))]
    return tuple(read_lesson(found[name]) for name in order if name in found)


_ORDER = (
    *("first-look", "shift", "choosing", "query-key-value", "one-head", "roots"),
    *("split", "order", "pads", "leak", "forming", "leak-learnt", "learning", "norm", "which-head"),
)


def lessons_in(folder: Path) -> tuple[Lesson, ...]:
    """The lessons of a folder, by their names; LessonError for the first that cannot be read."""
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise LessonError(f"{folder} has no lesson: none of its files ends in .json.")
    return tuple(map(read_lesson, paths))


def more_lessons(folder: Path) -> tuple[Lesson, ...]:
    """The lessons of a folder, whose names must differ from the program's own."""
    found = lessons_in(folder)
    taken = {one.name for one in own_lessons()}
    if twice := [one.name for one in found if one.name in taken]:
        raise LessonError(f"There is a lesson {twice[0]} already. Rename the file.")
    return found


def lesson_files(folder: Path) -> dict[str, bytes]:
    """The files of the lessons of a folder and of their words, by name."""
    paths = (path.with_suffix(ending) for path in folder.glob("*.json") for ending in _ENDINGS)
    return {path.name: path.read_bytes() for path in sorted(paths) if path.is_file()}


def read_lesson(path: Path) -> Lesson:
    """The lesson of a file, whose name it has."""
    try:
        is_short = path.stat().st_size <= _MOST_BYTES
        text = path.read_text(encoding="utf-8") if is_short else " " * (_MOST_BYTES + 1)
    except OSError as error:
        raise LessonError(f"{path.name}: it cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise LessonError(f"{path.name}: it is not UTF-8. Save it as UTF-8.") from error
    return _Reading(path.name, text, ANSWERS, path.with_suffix(".txt")).lesson()


def read_written(name: Any, text: Any) -> Lesson:
    """The lesson of a file that lies with the reader; it asks only of the run of each step."""
    if not isinstance(name, str) or not isinstance(text, str):
        raise LessonError("A lesson that is written has a name and the text of its file.")
    there = {one: ANSWERS[one] for one in WRITTEN}
    return _Reading(f"{name[:40]}.json", text, there, None).lesson()


class _Reading(Checking):
    """Reads one file; everything that is wrong is reported with its place."""

    def __init__(
        self, file: str, text: str, answers: Mapping[str, Callable[..., Any]], beside: Path | None
    ):
        super().__init__(file, text)
        self.name, self.answers, self.beside = file.removesuffix(".json"), answers, beside
        if len(text) > _MOST_BYTES:
            self.wrong(
                "bytes", f"it has more than {_MOST_BYTES:,} bytes", "Shorten it", n=_MOST_BYTES
            )
        try:
            self.given = json.loads(text)
        except json.JSONDecodeError as error:
            codes = (code for start, code in _JSON.items() if error.msg.startswith(start))
            code = next(codes, "json")
            self.wrong(code, error.msg, "Correct the JSON", error.lineno, why=error.msg)
        except RecursionError:
            self.wrong("deep", "it is nested too deeply", "Flatten it")
        except ValueError:
            self.no_number()
        try:
            json.dumps(self.given, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError:
            found = _HALF.search(text)
            line = text.count("\n", 0, found.start()) + 1 if found else None
            self.wrong("half", "it has half of a character, which is none", "Take it out", line)
        except ValueError:
            self.no_number()

    def no_number(self) -> NoReturn:
        self.wrong("digits", "one of its numbers is too large, or none", "Say another")

    def lesson(self) -> Lesson:
        given = self.an_object(self.given, "the file")
        self.known(given, ("version", "minutes", "models", "link", "let", "steps", "words"))
        if not _NAME.fullmatch(self.name):
            remedy = "Use small letters, digits and hyphens"
            self.wrong("file_name", "its name is no name of a lesson", remedy)
        if given.get("version") != 1:
            self.wrong("version", '"version" is not 1', "This program reads version 1")
        minutes = given.get("minutes")
        if type(minutes) is not int or not 1 <= minutes <= 60:
            what = '"minutes" is no whole number from 1 to 60'
            self.wrong("minutes", what, "Say how long it takes")
        models = self.models(given.get("models"))
        names = {frozenset(of) - {"text"} for of in models.values()}
        if len(names) > 1:
            self.wrong("variables", "its models have different variables", "Give each the same")
        self.names = {"model", "sentence", *set(*names)}
        let: Trees = {}
        for name, said in self.an_object(given.get("let", {}), '"let"').items():
            let[self.word(name)] = self.expression(said)
            self.names.add(name)
        link = self.a_text(given.get("link", ""), '"link"')
        self.words = self.read_words(given)
        steps = given.get("steps")
        if not isinstance(steps, list) or not 0 < len(steps) <= _MOST_STEPS:
            what = f'"steps" is no list of 1 to {_MOST_STEPS}'
            self.wrong("steps", what, "Say what is to be done", n=_MOST_STEPS)
        self.used = {"title", "about"}
        for one in ("title", "about"):
            self.needs(one, ())
        made = tuple(map(self.one_step, steps))
        self.step = ""
        lines = {name: self.line_of(name) for name in let}
        if len({one.id for one in made}) < len(made):
            self.wrong("twice", "two of its steps have one id", "Name them differently")
        if lost := {key for words in self.words.values() for key in words} - self.used:
            key = min(lost)
            self.wrong("unsaid", f"no step says its words {key}", "Take them out", name=key)
        for model, of in models.items():
            for step in made:
                self.step = step.id
                lines[step.id] = self.line_of("")
                self.check_link(model, of, link, step, let)
        return Lesson(self.name, minutes, models, link, let, made, self.words, lines)

    def models(self, given: Any) -> dict[str, dict[str, Any]]:
        models = self.an_object(given, '"models"')
        if not models:
            remedy = "Say which models the lesson is true of"
            self.wrong("models", '"models" names none', remedy)
        for of in models.values():
            self.a_text(self.an_object(of, 'a model of "models"').get("text"), '"text" of a model')
            for name, value in of.items():
                self.word(name)
                if type(value) not in (str, int, float):
                    what = f"the variable {name} is no text or number"
                    self.wrong("variable", what, "Say one", name=name)
        return models

    def read_words(self, given: Mapping[str, Any]) -> Words:
        if "words" not in given:
            beside = self.beside
            if beside is None or not beside.is_file():
                what = f'it has no "words", and no {self.name}.txt beside it'
                self.wrong("no_words", what, "Write them", name=self.name)
            try:
                return read_words(beside.read_text(encoding="utf-8"))
            except (ValueError, OSError) as error:
                raise LessonError(f"{beside.name}: {error}") from error
        own = self.an_object(given["words"], '"words"')
        self.known(own, LANGUAGES)
        if not own:
            known = ", ".join(LANGUAGES)
            self.wrong(
                "empty_words", '"words" is empty', f"Write them in one of {known}", known=known
            )
        for one in own.values():
            for key, text in self.an_object(one, 'a language of "words"').items():
                self.a_text(text, f'the word "{key}"')
        every = {key: text for one in own.values() for key, text in one.items()}
        # In one language only, that is what all read.
        return {language: every | own.get(language, {}) for language in LANGUAGES}

    def one_step(self, given: Any) -> LessonStep:
        self.step = ""
        said = self.an_object(given, 'a step of "steps"')
        name = said.get("id")
        if not isinstance(name, str) or not WORD.fullmatch(name):
            what = f"the id of a step is {name!r}"
            self.wrong("id", what, "Use small letters, digits and _", name=repr(name))
        self.step = name
        self.known(said, _STEP)
        values = {
            self.word(one): self.expression(text)
            for one, text in self.an_object(said.get("values", {}), '"values"').items()
        }
        asked = None if said.get("ask") is None else self.ask(said["ask"])
        which = asked.answer if asked and asked.of else None
        if "which" in said:
            which = self.expression(said["which"])
        cover = self.a_list(said.get("cover", []), '"cover"')
        if strange := [one for one in cover if one not in COVERS]:
            self.among("cover", f"{strange[0]!r} cannot be covered", COVERS, name=repr(strange[0]))
        if cover and asked is None:
            self.wrong("covers", "it covers something and asks nothing", "Ask, or cover nothing")
        point, proof = (self.places(said, one) for one in ("point", "proof"))
        until = self.condition(said.get("until", {"kind": "answered"}))
        if asked is None and _waits(until, "answered"):
            what = "it waits for an answer and asks nothing"
            self.wrong("waits", what, "Say until what it waits")
        show = self.a_text(said.get("show", ""), '"show"')
        step = LessonStep(name, show, tuple(cover), point, proof, asked, until, values, which)
        self.check_words(step)
        return step

    def places(self, step: Mapping[str, Any], name: str) -> tuple[dict[str, Any], ...]:
        every = self.a_list(step.get(name, []), f'"{name}"')
        return tuple(self.one_of(one, TARGETS, "target") for one in every)

    def ask(self, given: Any) -> Ask:
        said = self.an_object(given, '"ask"')
        self.known(said, ("kind", "of", "tokens", "within", "answer"))
        kind = said.get("kind")
        if kind not in _KINDS:
            self.among("ask_kind", f"a question of kind {kind!r}", _KINDS, name=repr(kind))
        of = tuple(map(self.word, self.a_list(said.get("of", []), '"of"')))
        tokens = None if "tokens" not in said else self.expression(said["tokens"])
        if (kind == "choice") != bool(of or tokens) or (of and tokens):
            self.wrong("choice", "a choice is among words or tokens", 'Give "of" or "tokens"')
        within = said.get("within")
        if within is not None and not (type(within) in (int, float) and within >= 0):
            self.wrong("within", '"within" is no number from 0 up', "Say how near is near")
        return Ask(kind, self.expression(said.get("answer")), of, tokens, within)

    def condition(self, given: Any) -> dict[str, Any]:
        made = self.one_of(given, CONDITIONS, "condition")
        if made["kind"] == "all":
            made["of"] = [self.condition(one) for one in self.a_list(made["of"], '"of"')]
            if any(one["kind"] == "all" for one in made["of"]):
                self.wrong("nested", "conditions are nested", "Say them in one list")
        return made

    def one_of(self, given: Any, kinds: Mapping[str, tuple[str, ...]], what: str) -> dict[str, Any]:
        """A target or a condition, its expressions read."""
        said = self.an_object(given, f"a {what}")
        kind = said.get("kind")
        if not isinstance(kind, str) or kind not in kinds:
            self.among("kind", f"a {what} of kind {kind!r}", kinds, name=repr(kind))
        if set(said) != {"kind", *kinds[kind]}:
            needs = ", ".join(kinds[kind]) or "nothing else"
            says = ", ".join(said)
            wrong = f"a {what} {kind} says {says}"
            self.wrong("fields", wrong, f"It says {needs}", name=kind, says=says, known=needs)
        known = {
            "site": SITES,
            "strategy": fields_of(Strategy)["kind"].words,
            "room": tuple(room.name for room in ROOMS),
        }
        if kind == "part":
            known["name"] = PARTS
        if "field" in said and (room := room_named(said["room"])):
            known["field"] = tuple(fields_of(PageView if room is HOME else room.view))
        for name in known.keys() & said.keys():
            if said[name] not in known[name]:
                wrong = f"there is no {name} {said[name]!r}"
                self.among("value", wrong, known[name], name=name, value=repr(said[name]))
        return {
            name: self.expression(value) if name in COMPUTED else value
            for name, value in said.items()
        }

    def check_words(self, step: LessonStep) -> None:
        known = {*step.values, *(("answer",) if step.ask else ())}
        every = {key for words in self.words.values() for key in words}
        for one in ("say", "then"):
            every_way = {key for key in every if key.startswith(f"{step.id}.{one}.")}
            if every_way and step.which is None:
                key = min(every_way)
                self.wrong("which", f"{key} has no condition", 'Say "which"', name=key)
            for key in every_way:
                self.needs(key, set(step.values) if one == "say" else known)
        if not any(key.startswith(f"{step.id}.say.") for key in every):
            self.needs(f"{step.id}.say", step.values)
        optional = ["say", "then", "numbers", "formula", *(f"hint{n}" for n in (1, 2, 3))]
        for one in optional:
            if f"{step.id}.{one}" in every:
                self.needs(f"{step.id}.{one}", known)
        if step.ask:
            self.needs(f"{step.id}.ask", step.values)
            for one in step.ask.of:
                self.needs(f"{step.id}.of.{one}", step.values)

    def needs(self, key: str, values: Iterable[str]) -> None:
        """A word that must be there, in all languages, with no place that nothing fills."""
        self.used.add(key)
        for language in LANGUAGES:
            text = self.words[language].get(key)
            if text is None:
                what = f"there are no words {key} in {language}"
                self.wrong("lacks_words", what, "Write them", name=key, language=language)
            if strange := {one for one in PLACE.findall(text) if one not in values}:
                what, place = f"{key} has {{{min(strange)}}}, which has no value", min(strange)
                remedy = f'Give {place} one under "values", or leave it out'
                self.wrong("no_value", what, remedy, name=key, place=place)

    def check_link(
        self, model: str, of: Mapping[str, Any], link: str, step: LessonStep, let: Trees
    ) -> None:
        """The link of a step is read, a 0 where a place is computed."""
        try:
            filled = {**dict.fromkeys(let, 0), **of, "model": model, "sentence": of["text"]}
            read_link(link_of(model, of, laid_over(link, step.show), filled))
        except (VisualiserError, KeyError) as error:
            what = error if isinstance(error, VisualiserError) else f"no variable {error}"
            why = str(what).rstrip(".")
            self.wrong("link", f"its link is not read: {why}", "Copy one from the page", why=why)

    def expression(self, said: Any) -> ast.expr:
        try:
            tree = read(said, self.answers)
        except ValueError as error:
            why = str(error)
            self.wrong("expression", why, "Correct the expression", why=why)
        if unknown := variables(tree) - self.names:
            names = ", ".join(sorted(self.names)) or "none"
            name = min(unknown)
            what = f"there is no variable {name!r}"
            self.wrong("no_variable", what, f"There are {names}", name=name, known=names)
        return tree


def _waits(until: Mapping[str, Any], kind: str) -> bool:
    return until["kind"] == kind or any(_waits(one, kind) for one in until.get("of", ()))
