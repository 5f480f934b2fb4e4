"""What is chosen in a room beside the recipe: one plain value, everything counted from 0.

A room's view is a frozen dataclass whose fields say what they may hold, and how people choose them:
the options of the command line and of programs, and the names of files, are made from that. The
page's state, a link, the request for a file, a page without a server and a notebook carry this very
value. None is a choice that was left open: the room's answer makes it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

from model_core.errors import RecipeError
from model_core.values.checked import Checked, Items, Kind, Within, kinds, shown
from model_core.values.edits import Edit
from model_core.values.recipe import Recipe
from model_core.values.trace import Site

MOST = 10**6  # of a whole number
Place = Annotated[int | None, Within(0, MOST)]
Places = Annotated[tuple[int, ...] | None, Within(0, MOST), Items(1024)]
Pair = Annotated[tuple[int, int] | None, Within(0, MOST)]


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


@dataclass(frozen=True)
class Inner:
    """What asks for a part of an answer, or another one: nothing shows it alone, no link says it.

    It is a word of the field; None: whatever the field holds.
    """

    word: str | None = None

    def has(self, value: Any) -> bool:
        """Whether the value of the field is such a one."""
        return self.word is None or value == self.word


def words_shown(kind: Kind) -> tuple[str, ...]:
    """The words of a field that something shows; none where it holds no word."""
    inner = kind.note(Inner)
    return tuple(word for word in kind.words if not inner or not inner.has(word))


@dataclass(frozen=True)
class View(Checked, raises=RecipeError, code="place"):
    """What every room's view has: whose attention is meant, and how tokens are spelled."""

    site: Annotated[Site | None, Option(help="default: what the page opens with")] = None
    layer: Annotated[Place, Option(counts_from=1)] = None
    head: Annotated[Place, Option(counts_from=1)] = None
    # Tokens as the tokenizer spells them.
    spelled: Annotated[bool, Option(help="tokens as the tokenizer spells them")] = False

    @property
    def batch(self) -> tuple[str, ...]:
        """The sentences that it reads together, where its room reads several."""
        return ()

    @property
    def beam_width(self) -> int | None:
        """The width of the beam search that it asks for, where its room makes one."""
        return None

    def to_json(self) -> dict[str, Any]:
        """The view as a JSON object; what is as by default is left out."""
        return self.parts(one for one in kinds(type(self)) if getattr(self, one) != self.usual(one))

    def parts(self, names: Iterable[str]) -> dict[str, Any]:
        """Some of its fields as a JSON object."""
        return {name: _as_json(getattr(self, name)) for name in names}

    @classmethod
    def usual(cls, name: str) -> Any:
        """What a field holds where nothing is chosen."""
        return getattr(cls, name)

    @classmethod
    def _chosen_by_people(cls) -> list[tuple[Kind, Option]]:
        found: list[tuple[Kind, Option]] = []
        for one in kinds(cls).values():
            if (option := one.note(Option)) is not None:
                found.append((one, option))
        return found

    @classmethod
    def options(cls) -> dict[str, Kind]:
        """The fields that people can choose, by the names of their options."""
        return {
            name: one
            for one, option in cls._chosen_by_people()
            for name in option.names or (one.name,)
        }

    @classmethod
    def chosen(cls, said: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that people chose, by the names of options and counted as they count.

        RecipeError where a place is none. What they left open, None, and what is no option of this
        view is left out.
        """
        found: dict[str, Any] = {}
        for one, option in cls._chosen_by_people():
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
        every = cls._chosen_by_people()
        return {one.name: option.default for one, option in every if option.default is not None}

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
        for one in kinds(cls).values():
            if one.name in names:
                option = one.note(Option) or Option()
                word = "" if one.words else (*option.names, one.name)[0]
                found.append((one.name, word, option.counts_from))
        return found

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The view that `to_json` wrote; RecipeError where it is something else.

        What is null is left open.
        """
        if isinstance(values, dict):
            values = {name: value for name, value in values.items() if value is not None}
        return super().from_json(values)


def _as_json(value: Any) -> Any:
    if isinstance(value, Recipe):
        return value.to_json()
    if isinstance(value, tuple):
        return [str(one) if isinstance(one, Edit) else one for one in value]
    return value


def _counted(name: str, value: Any, first: int) -> Any:
    """A number or numbers as a view counts them, from 0."""
    if isinstance(value, list | tuple):
        return [_counted(name, one, first) for one in value]
    if first and value is not None:
        check_whole(name, value, first, MOST)
        return value - first
    return value


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
