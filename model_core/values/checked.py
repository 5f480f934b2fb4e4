"""Frozen dataclasses whose fields say what they may hold. What comes from outside is one of them.

    @dataclass(frozen=True)
    class Strategy(Checked, raises=RecipeError):
        kind: Literal["greedy", "sample", "beam"] = "greedy"
        width: Annotated[int, Within(1, 16)] = 5

Types, choices and bounds are checked whenever such a value is made, and `from_json` reads one from
JSON. Fields that depend on one another are checked by the class's own `__post_init__`.
"""

import math
import re
import reprlib
from collections.abc import Callable, Mapping, Sized
from dataclasses import MISSING, dataclass, fields
from functools import cache, cached_property
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NoReturn,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from model_core.errors import ConfigError, VisualiserError

_LONG = "a number of more than 20 digits"
N = TypeVar("N")
_NAMES = {int: "whole number", float: "number", str: "text"}


def shown(value: object) -> str:
    """The value as an error message quotes it: short, however large or deep the value is."""
    try:
        return reprlib.repr(value) if not isinstance(value, int) or abs(value) < 10**20 else _LONG
    except ValueError:  # Python refuses to spell the longest ones
        return _LONG


@dataclass(frozen=True)
class Within:
    """The bounds of a number, or of each number of a list."""

    least: float = -math.inf
    most: float = math.inf
    above: float = -math.inf  # an end that is out of bounds itself
    below: float = math.inf  # likewise

    def holds(self, value: float) -> bool:
        """Whether a number lies in these bounds."""
        return self.least <= value <= self.most and self.above < value < self.below

    def __str__(self) -> str:
        if math.isfinite(self.least) and math.isfinite(self.most):
            return f" from {self.least} to {self.most}"
        ends = (
            (f"from {self.least} up", self.least),
            (f"above {self.above}", self.above),
            (f"at most {self.most}", self.most),
            (f"below {self.below}", self.below),
        )
        said = " and ".join(words for words, end in ends if math.isfinite(end))
        return f" {said}" if said else ""


@dataclass(frozen=True)
class Items:
    """How many items a list may have, or letters a text."""

    most: int
    least: int = 0

    def __str__(self) -> str:
        if self.least == self.most:
            return str(self.most)
        return f"{self.least} to {self.most}" if self.least else f"at most {self.most}"


class OneOf(tuple[str, ...]):
    """The words that a text may be, where they are no Literal."""


@dataclass(frozen=True)
class Form:
    """The form of a text: a regular expression, and what that means in words."""

    pattern: str
    words: str


@dataclass(frozen=True)
class Reads:
    """What makes a field's value of what is given for it; it raises what is wrong with that."""

    read: Callable[[Any], Any]


@dataclass(frozen=True)
class Kind:
    """What a field holds, as its annotation says."""

    name: str
    type: Any  # of one item, where it is a list; a Kind where items have bounds of their own
    is_list: bool
    is_optional: bool  # may be None
    is_needed: bool  # has no default
    notes: tuple[Any, ...]

    def note(self, of: type[N]) -> N | None:
        """The last that the annotation says of this sort; None where it says nothing."""
        return next((one for one in reversed(self.notes) if isinstance(one, of)), None)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that it may be; none where any text will do."""
        return get_args(self.type) if get_origin(self.type) is Literal else self.note(OneOf) or ()

    @cached_property
    def bounds(self) -> Within:
        """The bounds of its numbers."""
        return self.note(Within) or Within()

    @cached_property
    def must_be(self) -> str:
        """What it must be, in words."""
        items, form = self.note(Items), self.note(Form)
        if isinstance(self.type, Kind):
            each = self.type.must_be
            return f"a list of {items}, each {each}" if items else f"a list, each item {each}"
        name = _NAMES.get(self.type, "JSON object")
        if form:
            return form.words
        if self.is_list:
            return f"a list of {items} {name}s{self.bounds}" if items else f"a list of {name}s"
        letters = f" of {items} letters" if items else ""
        return f"a {name}{letters}{self.bounds if self.type is not str else ''}"

    def holds(self, value: Any) -> bool:
        """Whether it may hold this; a value with fields of its own has checked them."""
        if value is None:
            return self.is_optional
        if self.is_list:
            is_plain = self.type in _NAMES or isinstance(self.type, Kind)
            right = isinstance(value, tuple) and self._has_room(value)
            return right and (not is_plain or all(map(self._holds_one, value)))
        return self._holds_one(value) and (self.type is not str or self._has_room(value))

    def _has_room(self, value: Sized) -> bool:
        items = self.note(Items)
        return items is None or items.least <= len(value) <= items.most

    def _holds_one(self, value: Any) -> bool:
        if isinstance(self.type, Kind):
            return self.type.holds(value)
        if self.type is int:
            return type(value) is int and self.bounds.holds(value)
        if self.type is float:
            is_whole = type(value) is int and abs(value) < 2**53
            is_number = is_whole or (isinstance(value, float) and math.isfinite(value))
            return is_number and self.bounds.holds(value)
        if self.words:
            return isinstance(value, str) and value in self.words
        if self.type is str:
            form = self.note(Form)
            return isinstance(value, str) and (not form or bool(re.fullmatch(form.pattern, value)))
        return isinstance(value, self.type)

    def read(self, value: Any) -> Any:
        """What it holds when JSON says this: a list becomes a tuple, an object what it stands for.

        What cannot be read is returned as it is, and does not hold.
        """
        if self.note(Reads):
            return value
        if self.is_list and isinstance(value, list | tuple):
            return tuple(map(self._read_one, value)) if self._has_room(value) else tuple(value)
        return value if self.is_list or value is None else self._read_one(value)

    def _read_one(self, value: Any) -> Any:
        if isinstance(self.type, Kind):
            return self.type.read(value)
        if isinstance(self.type, type) and issubclass(self.type, Checked):
            return value if isinstance(value, self.type) else self.type.from_json(value)
        return value


def kinds(cls: Any) -> dict[str, Kind]:
    """What the fields of a dataclass hold, by their names."""
    found: dict[str, Kind] = _kinds(cls)
    return found


@cache
def _kinds(cls: type) -> dict[str, Kind]:
    hints = get_type_hints(cls, include_extras=True)
    return {
        one.name: _kind(one.name, hints[one.name], one.default is one.default_factory is MISSING)
        for one in fields(cls)
    }


def _kind(name: str, hint: Any, is_needed: bool) -> Kind:
    notes: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *said = get_args(hint)
        notes = tuple(said)
    is_optional = get_origin(hint) in (UnionType, Union)
    if is_optional:
        (hint,) = (part for part in get_args(hint) if part is not type(None))
    is_list = get_origin(hint) is tuple
    if is_list:
        hint, *others = get_args(hint)
        if others != [Ellipsis]:
            notes += (Items(1 + len(others), 1 + len(others)),)
        if get_origin(hint) in (tuple, Annotated):
            hint = _kind(name, hint, is_needed)
    if get_origin(hint) in (dict, Mapping):
        hint = Mapping
    return Kind(name, hint, is_list, is_optional, is_needed, notes)


class Checked:
    """What a frozen dataclass inherits whose fields are checked, each by its annotation.

    What is wrong raises the class's own error, with its code where it has one.
    """

    _raises: ClassVar[Callable[..., VisualiserError]] = ConfigError
    _code: ClassVar[str | None] = None

    def __init_subclass__(
        cls, raises: type[VisualiserError] | None = None, code: str | None = None, **others: Any
    ) -> None:
        super().__init_subclass__(**others)
        if raises:
            cls._raises, cls._code = raises, code

    def __post_init__(self) -> None:
        for name, kind in kinds(type(self)).items():
            value = getattr(self, name)
            if reads := kind.note(Reads):
                object.__setattr__(self, name, reads.read(value))
            elif not kind.holds(value):
                self._refuse(kind, value)

    def _refuse(self, kind: Kind, value: Any) -> NoReturn:
        message = f"{kind.name} is {shown(value)}; "
        if known := ", ".join(kind.words or ("true", "false") * (kind.type is bool)):
            values = {"name": kind.name, "known": known}
            raise type(self)._raises(f"{message}choose one of {known}.", "choice", **values)
        raise type(self)._raises(f"{message}it must be {kind.must_be}.", type(self)._code)

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The value of a JSON object, which may leave out what has a default.

        Raises what names unknown keys, missing keys, and values that the fields cannot hold.
        """
        if not isinstance(values, dict):
            raise cls._raises(f"{cls.__name__} must be a JSON object.")
        known = kinds(cls)
        if unknown := [shown(name) for name in values if name not in known]:
            raise cls._raises(f"{cls.__name__} does not know {', '.join(unknown[:3])}.")
        lacking = [one for one in known if known[one].is_needed and one not in values]
        if lacking:
            raise cls._raises(f"{cls.__name__} lacks {' and '.join(lacking)}.")
        return cls(**{name: known[name].read(value) for name, value in values.items()})


def check(holds: bool, message: str, raises: type[VisualiserError] = ConfigError) -> None:
    """Raise the error with the message where the condition does not hold."""
    if not holds:
        raise raises(message)
