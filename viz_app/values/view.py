"""What is chosen in a room beside the recipe: one plain value, everything counted from 0.

A room's view is a frozen dataclass whose fields say what they may hold. The page's state, a link,
the wish for a file, a page without a server and a notebook carry this very value. None is a choice
that was left open: the room's answer makes it.
"""

import dataclasses
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from model_core.errors import RecipeError
from model_core.values.config import shown
from model_core.values.edits import Edit, Edits, read_edits
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES

MOST = 10**6  # of a whole number


def word(*known: str, default: str | None = None, inner: tuple[str, ...] = ()) -> Any:
    """A field that holds one of some words; the `inner` ones ask for a part of an answer.

    A page asks for such a part, but nothing shows it alone, so no link says so.
    """
    return field(default=default, metadata={"known": (*known, *inner), "inner": inner})


def whole(most: int = MOST, least: int = 0) -> Any:
    """A field that holds a whole number."""
    return field(default=None, metadata={"whole": (least, most)})


def wholes(many: int = 1024, most: int = MOST, exactly: bool = False) -> Any:
    """A field that holds at most (or exactly) so many whole numbers."""
    return field(default=None, metadata={"wholes": (0, most), "many": many, "exactly": exactly})


def texts(many: int) -> Any:
    """A field that holds at most so many sentences."""
    return field(default=None, metadata={"texts": many})


def edits(*kinds: str) -> Any:
    """A field that holds edits of some kinds, in the order of a recipe."""
    return field(default=(), metadata={"edits": kinds})


def run() -> Any:
    """A field that holds the recipe of another run."""
    return field(default=None, metadata={"recipe": True})


def digits() -> Any:
    """A field that holds the fingerprint of a model's weights."""
    return field(default=None, metadata={"digits": True})


def flag() -> Any:
    """A field that is true or false."""
    return field(default=False, metadata={"flag": True})


@dataclass(frozen=True)
class View:
    """What every room's view has: whose attention is meant, and how tokens are spelled."""

    site: str | None = word(*SITES)
    layer: int | None = whole()
    head: int | None = whole()
    spelled: bool = flag()  # tokens as the tokenizer spells them

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
    if "recipe" in bounds:
        return Recipe.from_json(value)
    return tuple(value) if isinstance(value, list) else value


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
