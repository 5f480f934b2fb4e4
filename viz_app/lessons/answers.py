"""What a lesson can ask of a run: the closed list. Nothing is computed here that the tracer, the
rooms or the cards do not say.

Everything counts from 0; a head is written as in links, "2.4" for layer 3, head 5. A token is named
by its text, and the first of that text is meant.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.errors import LessonError
from model_core.values.checked import kinds
from model_core.values.edits import read_edits
from model_core.values.recipe import MAX_PADS, Recipe
from model_core.values.trace import Decoding, Tokens
from viz_app.rooms import ROOMS, room_named

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

ANSWERS: dict[str, Callable[..., Any]] = {}


@dataclass(frozen=True, eq=False)
class Run:
    """The run that is asked about: a recipe carried out."""

    tracer: "Tracer"  # of the model with the recipe's edits
    recipe: Recipe
    decoding: Decoding

    @property
    def answers(self) -> Mapping[str, Callable[..., Any]]:
        """The closed list, of this run."""
        return {name: partial(one, self) for name, one in ANSWERS.items()}


def run_of(tracer: "Tracer", recipe: Recipe) -> Run:
    """The run of a recipe, carried to its end where it names no tokens; of any model beside."""
    its = tracer.beside(recipe)
    return Run(its, *its.extend(recipe, 0 if recipe.target else None))


def _answer(function: Callable[..., Any]) -> Callable[..., Any]:
    ANSWERS[function.__name__.removesuffix("_of")] = function
    return function


# the translation


@_answer
def steps(run: Run) -> int:
    """How many steps the translation took."""
    return len(run.decoding.steps)


@_answer
def fed(run: Run, row: int) -> str:
    """The token that a row reads."""
    return _text(run.decoding.fed, row)


@_answer
def written(run: Run, row: int) -> str:
    """The token that a row writes."""
    return _text(run.decoding.target, row + 1)


@_answer
def read(run: Run, key: int) -> str:
    """A token of the source."""
    return _text(run.decoding.source, key)


@_answer
def row_of(run: Run, text: str) -> int:
    """The row that writes a token."""
    return _place(run.decoding.target, text, run.decoding.prompt) - 1


@_answer
def key_of(run: Run, text: str) -> int:
    """The column of a token of the source."""
    return _place(run.decoding.source, text)


@_answer
def source_tokens(run: Run) -> list[str]:
    """The tokens of the source, in their order."""
    return list(run.decoding.source.texts)


@_answer
def text_of(run: Run, edits: str = "", pads: int | None = None) -> str:
    """The translation with these edits besides, said with spaces between, and so many pads."""
    return _text_with(run, edits, run.recipe.pads if pads is None else pads)


@_answer
def pads_until_other(run: Run, edits: str, most: int = MAX_PADS) -> int:
    """How many pads it takes, with these edits, until the translation is another one."""
    plain = run.tracer.text(run.decoding)
    for pads in range(1, most + 1):
        if _text_with(run, edits, pads) != plain:
            return pads
    raise LessonError(f"{most} pads do not change the translation. Choose another sentence.")


@_answer
def same(run: Run, one: Any, other: Any) -> str:
    """ "same" or "other": whether two texts or numbers are the same."""
    return "same" if one == other else "other"


@_answer
def side(run: Run, before: float, after: float) -> str:
    """ "right", "left" or "still": whether a place lies after another."""
    return "right" if after > before else "left" if after < before else "still"


@_answer
def trend(run: Run, before: float, after: float) -> str:
    """ "gone", "less", "as_before" or "more": under a tenth, under two thirds, up to 1.5 times."""
    if after < 0.1 * before:
        return "gone"
    return "less" if after < before / 1.5 else "as_before" if after <= 1.5 * before else "more"


# attention


@_answer
def weight(run: Run, site: str, head: str, row: int, key: int) -> float:
    """A weight of a head."""
    return float(_weights(run, site, head)[row, key])


@_answer
def darkest(run: Run, site: str, head: str, row: int) -> int:
    """The column of the largest weight in a row."""
    return int(_weights(run, site, head)[row].argmax())


@_answer
def pads_weight(run: Run, site: str) -> float:
    """The largest weight of all heads of a site that any row gives to a pad."""
    pads = [at for at, kind in enumerate(run.decoding.source.kinds) if kind == "pad"]
    if not pads or site == "decoder":
        raise LessonError("There are no pads among the columns. Say pads= in the link.")
    every: Any = run.decoding.traces(site)  # type: ignore[arg-type]
    return float(max(trace.weights_HQK[:, :, pads].max() for trace in every))


@_answer
def unread(run: Run, site: str, head: str) -> list[int]:
    """The columns that are the darkest of no row."""
    weights_QK = _weights(run, site, head)
    return sorted(set(range(weights_QK.shape[1])) - set(weights_QK.argmax(axis=1).tolist()))


# rooms


@_answer
def room(run: Run, name: str, path: str, **view: Any) -> Any:
    """A value of what a room answers, by its path: names and places with dots between.

    The rest is the room's view; a list is said with spaces between.
    """
    asked = room_named(name)
    if asked is None:
        raise LessonError(f"There is no room {name!r}; there are {_named(ROOMS)}.")
    fields = kinds(asked.view)
    said = {
        one: value.split() if one in fields and fields[one].is_list else value
        for one, value in view.items()
    }
    made = asked.view.from_json(said)
    found: Any = asked.answer(run.tracer, run.recipe, made).values
    for one in path.split("."):
        found = _part(found, one, path)
    return found


@_answer
def at(run: Run, values: Any, *places: Any) -> Any:
    """What stands at a place of a list or an array."""
    for place in places:
        values = _part(values, str(place), "at")
    return values.item() if isinstance(values, np.generic) else values


@_answer
def mean(run: Run, values: Any) -> float:
    """The mean of all numbers."""
    return float(np.mean(np.asarray(values, np.float64)))


@_answer
def count(run: Run, values: Any) -> int:
    """How many there are."""
    return len(values)


@_answer
def some(run: Run, values: Any) -> str:
    """ "some" or "none": whether there are any."""
    return "some" if len(values) else "none"


@_answer
def holds(run: Run, values: Any, one: Any) -> str:
    """ "yes" or "no": whether a list has it."""
    return "yes" if one in list(values) else "no"


@_answer
def axis(run: Run, mask: Any) -> str:
    """Whether a mask hides whole "columns", whole "rows", or "both" or "none" of them."""
    hidden_QK = ~np.asarray(mask, bool)
    if not hidden_QK.any():
        return "none"
    columns, rows = hidden_QK.all(axis=0), hidden_QK.all(axis=1)
    if (hidden_QK == columns[None, :]).all():
        return "columns"
    return "rows" if (hidden_QK == rows[:, None]).all() else "both"


def _part(found: Any, name: str, path: str) -> Any:
    try:
        if isinstance(found, Mapping):
            return found[name]
        if isinstance(found, Sequence | np.ndarray) and not isinstance(found, str):
            return found[int(name)]
        if not name.startswith("_") and name in vars(found):
            return vars(found)[name]
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise LessonError(f"There is no {name!r} in {path!r}.") from error
    raise LessonError(f"There is no {name!r} in {path!r}.")


def _weights(run: Run, site: str, head: str) -> np.ndarray:
    layer, number = map(int, head.split("."))
    weights_QK: np.ndarray = run.decoding.trace(site, layer).weights_HQK[number]  # type: ignore[arg-type]
    return weights_QK


def _text_with(run: Run, edits: str, pads: int) -> str:
    more = read_edits([*map(str, run.recipe.edits), *edits.split()])
    other = replace(run.recipe, target=(), edits=more, pads=pads)
    its = run_of(run.tracer, other)
    return its.tracer.text(its.decoding)


def _text(tokens: Tokens, at: int) -> str:
    if not 0 <= at < len(tokens):
        raise LessonError(f"There is no token {at}; there are {len(tokens)}.")
    return tokens.texts[at]


def _place(tokens: Tokens, text: str, start: int = 0) -> int:
    if text not in tokens.texts[start:]:
        raise LessonError(f"There is no token {text!r}; there are {' '.join(tokens.texts)}.")
    return tokens.texts.index(text, start)


def _named(rooms: Sequence[Any]) -> str:
    return ", ".join(one.name for one in rooms)
