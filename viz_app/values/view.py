"""What is chosen in a room beside the recipe: one plain value, everything counted from 0.

A room's view is a frozen dataclass whose fields say what they may hold, and how people choose them:
the options of the command line and of programs, and the names of files, are made from that. The
page's state, a link, the wish for a file, a page without a server and a notebook carry this very
value. None is a choice that was left open: the room's answer makes it.
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from model_core.errors import RecipeError
from model_core.values.config import shown
from model_core.values.edits import Edit, Edits, read_edits
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES

MOST = 10**6  # of a whole number


@dataclass(frozen=True)
class Option:
    """How people choose a field: by option on the command line, by name in programs.

    Of a field with several names each is one number of it.
    """

    names: tuple[str, ...] = ()  # none: what the field is called
    counts_from: int = 0  # what its first place is called; in a view it is 0
    default: Any = None  # where people leave it open, if that is not what the page opens with
    means: Any = None  # the one value that it stands for: an option without a value
    flag: str | None = ""  # its name on the command line, "": the same; None: it has none there
    help: str | None = None
    reads: Callable[[str], Any] | None = None  # a word of the command line; None: as usual


def word(
    *known: str,
    default: str | None = None,
    inner: tuple[str, ...] = (),
    option: Option | None = None,
) -> Any:
    """A field that holds one of some words; the `inner` ones ask for a part of an answer.

    A page asks for such a part, but nothing shows it alone, so no link says so.
    """
    bounds = {"known": (*known, *inner), "inner": inner, "option": option}
    return field(default=default, metadata=bounds)


def whole(most: int = MOST, least: int = 0, option: Option | None = None) -> Any:
    """A field that holds a whole number."""
    return field(default=None, metadata={"whole": (least, most), "option": option})


def wholes(
    many: int = 1024, most: int = MOST, exactly: bool = False, option: Option | None = None
) -> Any:
    """A field that holds at most (or exactly) so many whole numbers."""
    bounds = {"wholes": (0, most), "many": many, "exactly": exactly, "option": option}
    return field(default=None, metadata=bounds)


def texts(many: int, option: Option | None = None) -> Any:
    """A field that holds at most so many sentences."""
    return field(default=None, metadata={"texts": many, "option": option})


def edits(*kinds: str, option: Option | None = None) -> Any:
    """A field that holds edits of some kinds, in the order of a recipe."""
    return field(default=(), metadata={"edits": kinds, "option": option})


def run(option: Option | None = None) -> Any:
    """A field that holds the recipe of another run."""
    return field(default=None, metadata={"recipe": True, "option": option})


def digits() -> Any:
    """A field that holds the fingerprint of a model's weights."""
    return field(default=None, metadata={"digits": True})


def flag(option: Option | None = None) -> Any:
    """A field that is true or false."""
    return field(default=False, metadata={"flag": True, "option": option})


@dataclass(frozen=True)
class View:
    """What every room's view has: whose attention is meant, and how tokens are spelled."""

    site: str | None = word(*SITES, option=Option(help="default: what the page opens with"))
    layer: int | None = whole(option=Option(counts_from=1))
    head: int | None = whole(option=Option(counts_from=1))
    # Tokens as the tokenizer spells them.
    spelled: bool = flag(option=Option(help="tokens as the tokenizer spells them"))

    def __post_init__(self) -> None:
        for one in dataclasses.fields(self):
            value = getattr(self, one.name)
            if "edits" in one.metadata:
                value = _edits(one.name, one.metadata["edits"], value)
                object.__setattr__(self, one.name, value)
            else:
                _check(one.name, one.metadata, value)

    def to_json(self) -> dict[str, Any]:
        """The view as a JSON object; what is as by default is left out."""
        fields = dataclasses.fields(self)
        return self.parts(one.name for one in fields if getattr(self, one.name) != one.default)

    def parts(self, names: Iterable[str]) -> dict[str, Any]:
        """Some of its fields as a JSON object."""
        return {name: _as_json(getattr(self, name)) for name in names}

    @classmethod
    def options(cls) -> "dict[str, dataclasses.Field[Any]]":
        """The fields that people can choose, by the names of their options."""
        return {
            name: one
            for one in dataclasses.fields(cls)
            if (option := one.metadata.get("option"))
            for name in option.names or (one.name,)
        }

    @classmethod
    def chosen(cls, said: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that people chose, by the names of options and counted as they count.

        RecipeError where a place is none. What they left open, None, and what is no option of this
        view is left out.
        """
        found: dict[str, Any] = {}
        for one in dict.fromkeys(cls.options().values()):
            option: Option = one.metadata["option"]
            names = option.names or (one.name,)
            values = [_counted(name, said.get(name), option.counts_from) for name in names]
            if any(value is None for value in values) or (option.means and not values[0]):
                continue
            value = option.means or (tuple(values) if len(values) > 1 else values[0])
            found[one.name] = tuple(value) if isinstance(value, list) else value
        return found

    @classmethod
    def left_open(cls) -> dict[str, Any]:
        """The fields that are other than on the page where people leave them open."""
        options = {one.name: one.metadata.get("option") for one in dataclasses.fields(cls)}
        return {
            name: one.default for name, one in options.items() if one and one.default is not None
        }

    def in_words(self, names: Iterable[str]) -> list[str]:
        """Some of its fields as people name them, in a file's name; less those left open."""
        return [
            f"{word}{value + first}" if word else value
            for name, word, first in self.words_of(names)
            if (value := getattr(self, name)) is not None
        ]

    @classmethod
    def words_of(cls, names: Iterable[str]) -> list[tuple[str, str, int]]:
        """How some of its fields are named in a file's name: field, word, and what it counts from.

        A field that holds a word is that word.
        """
        found = []
        for one in dataclasses.fields(cls):
            if one.name in names:
                option: Option = one.metadata.get("option") or Option()
                word = "" if "known" in one.metadata else (*option.names, one.name)[0]
                found.append((one.name, word, option.counts_from))
        return found

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The view that `to_json` wrote; RecipeError where it is something else.

        What is null is left open.
        """
        if not isinstance(values, dict):
            raise RecipeError("A view is a JSON object.")
        known = {one.name: one for one in dataclasses.fields(cls)}
        if unknown := [shown(name) for name in values if name not in known]:
            raise RecipeError(f"A view does not know {', '.join(unknown[:3])}.")
        said: dict[str, Any] = {
            name: _read(known[name].metadata, value)
            for name, value in values.items()
            if value is not None
        }
        return cls(**said)


def _as_json(value: Any) -> Any:
    if isinstance(value, Recipe):
        return value.to_json()
    if isinstance(value, tuple):
        return [str(one) if isinstance(one, Edit) else one for one in value]
    return value


def _edits(name: str, kinds: tuple[str, ...], value: Any) -> Edits:
    """The edits that are spelled; RecipeError for one of another kind."""
    found = read_edits(value)
    for edit in found:
        check_word(name, edit.kind, kinds)
    return found


def _read(bounds: Any, value: Any) -> Any:
    if "recipe" in bounds and not isinstance(value, Recipe):
        return Recipe.from_json(value)
    return tuple(value) if isinstance(value, list) else value


def _counted(name: str, value: Any, first: int) -> Any:
    """A number or numbers as a view counts them, from 0."""
    if isinstance(value, list | tuple):
        return [_counted(name, one, first) for one in value]
    if first and value is not None:
        check_whole(name, value, first, MOST)
        return value - first
    return value


def _check(name: str, bounds: Any, value: Any) -> None:
    if "flag" in bounds:
        if type(value) is not bool:
            raise RecipeError(f"{name} must be true or false.")
    elif value is None:
        return
    elif "recipe" in bounds:
        if not isinstance(value, Recipe):
            raise RecipeError(f"{name} must be a recipe.")
    elif "digits" in bounds:
        if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{8,64}", value):
            raise RecipeError(f"{name} must be the fingerprint of a model's weights.")
    elif "known" in bounds:
        check_word(name, value, bounds["known"])
    elif "whole" in bounds:
        check_whole(name, value, *bounds["whole"])
    elif "wholes" in bounds:
        many, exactly = bounds["many"], bounds["exactly"]
        if not isinstance(value, tuple) or len(value) > many or (exactly and len(value) != many):
            most = "" if exactly else "at most "
            raise RecipeError(f"{name} must list {most}{many} whole numbers.", "place")
        for one in value:
            check_whole(name, one, *bounds["wholes"])
    else:
        many = bounds["texts"]
        is_list = isinstance(value, tuple) and len(value) <= many
        if not is_list or not all(isinstance(text, str) for text in value):
            raise RecipeError(f"{name} must list at most {many} texts.")


def check_word(name: str, value: Any, known: tuple[str, ...]) -> None:
    """Raise RecipeError where the value is none of the known words."""
    if not isinstance(value, str) or value not in known:
        choices = ", ".join(known)
        message = f"{name} is {shown(value)}; choose one of {choices}."
        raise RecipeError(message, "choice", name=name, known=choices)


def check_whole(name: str, value: Any, least: int, most: int) -> None:
    """Raise RecipeError where the value is no whole number in these bounds."""
    if type(value) is not int or not least <= value <= most:
        upper = "up" if most == MOST else f"to {most}"
        raise RecipeError(
            f"{name} is {shown(value)}; it must be a whole number from {least} {upper}.", "place"
        )
