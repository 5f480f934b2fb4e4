"""A recipe: the few plain values that determine everything on the screen.

Frozen, hashable, JSON both ways, bounded in size. Whatever arrives from outside is checked here,
once; anything wrong with it is a RecipeError.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, Self, TypedDict, cast, get_args

from model_core.errors import RecipeError, SourceTooLong
from model_core.values.checked import Checked, Items, Reads, Within, shown
from model_core.values.edits import Edits, read_edits

How = Literal["greedy", "sampled", "beam", "forced"]
_HOWS = get_args(How)

VERSION = 1
MAX_CHARACTERS = 1000  # of a source; a model's own limit in tokens comes first for most texts
MAX_PADS = 16
MAX_SENTENCES = 6  # that are read together
MAX_TARGET = 1024  # tokens
MAX_SETTINGS = 8
_MAX_VOCABULARY = 1_000_000
MAX_WIDTH = 16
DRAWING = ("temperature", "top_k", "top_p", "seed")  # of a strategy, what is said of drawing

# What is set before a text is read, name and value: a language, say. `Anatomy.controls` lists them.
Settings = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Choice(Checked, raises=RecipeError):
    """One chosen target token and how it was chosen."""

    # Whether the model has it is known when the recipe is evaluated.
    token: Annotated[int, Within(0, _MAX_VOCABULARY - 1)]
    how: How = "forced"

    def __post_init__(self) -> None:  # quickly, as every step brings all those before it again
        if not (
            type(self.token) is int and 0 <= self.token < _MAX_VOCABULARY and self.how in _HOWS
        ):
            super().__post_init__()


@dataclass(frozen=True)
class Strategy(Checked, raises=RecipeError):
    """How the next token is chosen unless one is forced."""

    kind: Literal["greedy", "sample", "beam"] = "greedy"
    temperature: Annotated[float, Within(0.01, 100)] = 1.0  # below 1 sharpens
    top_k: Annotated[int, Within(0, _MAX_VOCABULARY)] = 0  # keep the k most probable; 0 = all
    # Then keep the smallest set with at least this mass.
    top_p: Annotated[float, Within(above=0, most=1)] = 1.0
    # With the step's index it determines the draw.
    seed: Annotated[int, Within(0, 2**63 - 1)] = 0
    width: Annotated[int, Within(1, MAX_WIDTH)] = 5  # hypotheses of a beam search


class ChoiceJson(TypedDict):
    """A `Choice` as a JSON object."""

    token: int
    how: How


class _StrategyJson(TypedDict):
    kind: Literal["greedy", "sample", "beam"]
    temperature: float
    top_k: int
    top_p: float
    seed: int
    width: int


class RecipeJson(TypedDict):
    """A `Recipe` as a JSON object."""

    version: int
    model: str
    source: str
    target: list[ChoiceJson]
    pads: int
    strategy: _StrategyJson
    settings: NotRequired[dict[str, str]]
    edits: NotRequired[list[str]]


def check_characters(text: str) -> None:
    """Raise RecipeError where a text has half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RecipeError(
            "The text has half of a character (a lone surrogate). Type it again.", "half_character"
        ) from error


def strategy_of(
    beam: int | None, drawing: Mapping[str, float | None], sample: bool = False
) -> Strategy:
    """A search with `beam` hypotheses, or drawing where anything is said of it; greedy otherwise.

    None says nothing. RecipeError where both are said, or a value is out of range.
    """
    given: dict[str, Any] = {name: value for name, value in drawing.items() if value is not None}
    if not given and not sample:
        return Strategy() if beam is None else Strategy.from_json({"kind": "beam", "width": beam})
    if beam is not None:
        name = next(iter(given), "sample")
        raise RecipeError(f"beam searches and {name} draws; choose one of them.")
    return Strategy.from_json({"kind": "sample"} | given)


def _read_settings(given: Any) -> Settings:
    """Settings of a JSON object, or as a recipe has them; RecipeError for anything else."""
    settings = tuple(given.items()) if isinstance(given, Mapping) else given
    if not isinstance(settings, tuple) or len(settings) > MAX_SETTINGS:
        raise RecipeError(f"settings must be an object of at most {MAX_SETTINGS} texts.")
    names = [name for name, _ in settings]
    if not all(isinstance(name, str) and re.fullmatch("[a-z_]{1,20}", name) for name in names):
        raise RecipeError("The name of a setting has 1 to 20 small letters.")
    if isinstance(given, Mapping):
        settings = tuple(sorted(settings))
    elif names != sorted(set(names)):
        raise RecipeError("Each setting stands once, in the order of their names.")
    if not all(isinstance(value, str) for _, value in settings):
        raise RecipeError("The value of a setting is a text.")
    n = sum(len(value) for _, value in settings)
    if n > MAX_CHARACTERS:
        message = f"The settings have {n} characters; {MAX_CHARACTERS} are read. Shorten them."
        raise SourceTooLong(message, "characters", n=n, limit=MAX_CHARACTERS)
    return settings


@dataclass(frozen=True)
class Recipe(Checked, raises=RecipeError):
    """Which model, which source text, which target tokens were chosen, how the next one will be."""

    model: Annotated[str, Items(200, least=1)]
    source: str
    # Without the start token; with the end token once it is reached.
    target: Annotated[tuple[Choice, ...], Items(MAX_TARGET)] = ()
    pads: Annotated[int, Within(0, MAX_PADS)] = 0  # appended to the source
    strategy: Strategy = Strategy()
    # In the order of their names; what is not named is as the model has it.
    settings: Annotated[Settings, Reads(_read_settings)] = ()
    # What is changed in the model's arithmetic; at most 16.
    edits: Annotated[Edits, Reads(read_edits)] = ()

    def __post_init__(self) -> None:
        if isinstance(self.target, list | tuple) and len(self.target) > MAX_TARGET:
            message = f"The recipe has {len(self.target)} target tokens; {MAX_TARGET} are allowed."
            raise RecipeError(message, "target", n=len(self.target), limit=MAX_TARGET)
        super().__post_init__()
        if len(self.source) > MAX_CHARACTERS:
            message = (
                f"The text has {len(self.source)} characters; {MAX_CHARACTERS} are read. "
                "Shorten it."
            )
            raise SourceTooLong(message, "characters", n=len(self.source), limit=MAX_CHARACTERS)
        for text in (self.model, self.source, *(value for _, value in self.settings)):
            check_characters(text)

    @property
    def target_ids(self) -> tuple[int, ...]:
        """The chosen target tokens without how they were chosen."""
        return tuple(choice.token for choice in self.target)

    def to_json(self) -> RecipeJson:
        """The recipe as a JSON object."""
        said: RecipeJson = {
            "version": VERSION,
            "model": self.model,
            "source": self.source,
            "target": [{"token": choice.token, "how": choice.how} for choice in self.target],
            "pads": self.pads,
            "strategy": cast(_StrategyJson, {**vars(self.strategy)}),
        }
        if self.settings:
            said["settings"] = dict(self.settings)
        if self.edits:
            said["edits"] = list(map(str, self.edits))
        return said

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The recipe that `to_json` wrote."""
        if not isinstance(values, dict):
            raise RecipeError("A recipe is a JSON object.")
        version = values.get("version", VERSION)
        if type(version) is not int or version != VERSION:
            raise RecipeError(
                f"The recipe has version {shown(version)}; this program reads {VERSION}."
            )
        return super().from_json({name: values[name] for name in values if name != "version"})
