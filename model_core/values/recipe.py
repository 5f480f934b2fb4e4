"""A recipe: the few plain values that determine everything on the screen.

Frozen, hashable, JSON both ways, bounded in size. Whatever arrives from outside is checked here,
once; anything wrong with it is a RecipeError.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from model_core.errors import ConfigError, RecipeError, SourceTooLong
from model_core.values.config import from_json, shown
from model_core.values.edits import Edits, read_edits

How = Literal["greedy", "sampled", "beam", "forced"]
_HOWS = get_args(How)
_CHOICE = {"token", "how"}

VERSION = 1
MAX_CHARACTERS = 1000  # of a source; a model's own limit in tokens comes first for most texts
MAX_PADS = 16
MAX_TARGET = 1024  # tokens
MAX_SETTINGS = 8
_MAX_VOCABULARY = 1_000_000
_MAX_NAME = 200
_MAX_WIDTH = 16

# What is set before a text is read, name and value: a language, say. `Anatomy.controls` lists them.
Settings = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Choice:
    """One chosen target token and how it was chosen."""

    token: int  # 0 to 999,999; whether the model has it is known when the recipe is evaluated
    how: How = "forced"

    def __post_init__(self) -> None:
        if type(self.token) is not int or not 0 <= self.token < _MAX_VOCABULARY:
            raise RecipeError(
                f"A token is {shown(self.token)}; it must be a whole number from 0 to "
                f"{_MAX_VOCABULARY - 1}."
            )
        if self.how not in _HOWS:
            raise RecipeError(f"A token was chosen by {shown(self.how)}; know {', '.join(_HOWS)}.")

    @classmethod
    def from_json(cls, values: Any) -> "Choice":
        """The choice of a JSON object: quickly, as every step brings all those before it again."""
        if type(values) is dict and values.keys() == _CHOICE and type(values["token"]) is int:
            return cls(values["token"], values["how"])
        made: Choice = from_json(cls, values)
        return made


@dataclass(frozen=True)
class Strategy:
    """How the next token is chosen where nobody forces one."""

    kind: Literal["greedy", "sample", "beam"] = "greedy"
    temperature: float = 1.0  # 0.01 to 100; below 1 sharpens
    top_k: int = 0  # keep the k most probable; 0 = all, at most 1,000,000
    top_p: float = 1.0  # then keep the smallest set with at least this mass; 0 < p <= 1
    seed: int = 0  # 0 to 2^63 - 1; with the step's index it determines the draw
    width: int = 5  # hypotheses of a beam search; 1 to 16

    def __post_init__(self) -> None:
        if self.kind not in ("greedy", "sample", "beam"):
            raise RecipeError(f"The strategy is {shown(self.kind)}; choose greedy, sample or beam.")
        if not 1 <= self.width <= _MAX_WIDTH:
            raise RecipeError(f"width is {shown(self.width)}; it must lie in 1 to {_MAX_WIDTH}.")
        if not (math.isfinite(self.temperature) and 0.01 <= self.temperature <= 100):
            raise RecipeError(f"temperature is {self.temperature}; it must lie in 0.01 to 100.")
        if not 0 <= self.top_k <= _MAX_VOCABULARY:
            raise RecipeError(
                f"top_k is {shown(self.top_k)}; it must lie in 0 (all) to {_MAX_VOCABULARY}."
            )
        if not 0 < self.top_p <= 1:
            raise RecipeError(f"top_p is {self.top_p}; it must be above 0 and at most 1.")
        if not 0 <= self.seed < 2**63:
            raise RecipeError(
                f"seed is {shown(self.seed)}; it must be a whole number from 0 to 2^63 - 1."
            )


def strategy_of(
    beam: int | None, drawing: Mapping[str, float | None], sample: bool = False
) -> Strategy:
    """A search with `beam` hypotheses, or drawing where anything is said of it; greedy otherwise.

    None says nothing. RecipeError where both are said, or a value is out of range.
    """
    given: dict[str, Any] = {name: value for name, value in drawing.items() if value is not None}
    if not given and not sample:
        return Strategy() if beam is None else from_json(Strategy, {"kind": "beam", "width": beam})
    if beam is not None:
        name = next(iter(given), "sample")
        raise RecipeError(f"beam searches and {name} draws; choose one of them.")
    return from_json(Strategy, {"kind": "sample"} | given)


@dataclass(frozen=True)
class Recipe:
    """Which model, which source text, which target tokens were chosen, how the next one will be."""

    model: str
    source: str
    # Without the start token; with the end token once it is reached. At most 1024.
    target: tuple[Choice, ...] = ()
    pads: int = 0  # appended to the source; 0 to 16
    strategy: Strategy = Strategy()
    settings: Settings = ()  # in the order of their names; what is not named is as the model has it
    edits: Edits = ()  # what is changed in the model's arithmetic; at most 16

    def __post_init__(self) -> None:
        object.__setattr__(self, "edits", read_edits(self.edits))
        if not 0 < len(self.model) <= _MAX_NAME:
            raise RecipeError(f"A model's name has 1 to {_MAX_NAME} characters.")
        if len(self.source) > MAX_CHARACTERS:
            message = (
                f"The text has {len(self.source)} characters; {MAX_CHARACTERS} are read. "
                "Shorten it."
            )
            raise SourceTooLong(message, "characters", n=len(self.source), limit=MAX_CHARACTERS)
        said = _checked_settings(self.settings)
        try:
            (self.model + self.source + said).encode()
        except UnicodeEncodeError as error:
            raise RecipeError(
                "The text has half of a character (a lone surrogate). Type it again.",
                "half_character",
            ) from error
        if not 0 <= self.pads <= MAX_PADS:
            raise RecipeError(f"pads is {shown(self.pads)}; it must lie in 0 to {MAX_PADS}.")
        _check_length(len(self.target))

    @property
    def target_ids(self) -> tuple[int, ...]:
        """The chosen target tokens without how they were chosen."""
        return tuple(choice.token for choice in self.target)

    def to_json(self) -> dict[str, Any]:
        """The recipe as a JSON object."""
        said: dict[str, Any] = {
            "version": VERSION,
            "model": self.model,
            "source": self.source,
            "target": [{"token": choice.token, "how": choice.how} for choice in self.target],
            "pads": self.pads,
            "strategy": dict(vars(self.strategy)),
        }
        if self.settings:
            said["settings"] = dict(self.settings)
        if self.edits:
            said["edits"] = list(map(str, self.edits))
        return said

    @classmethod
    def from_json(cls, values: Any) -> "Recipe":
        """The recipe that `to_json` wrote."""
        if not isinstance(values, dict):
            raise RecipeError("A recipe is a JSON object.")
        values = dict(values)
        version = values.pop("version", VERSION)
        if type(version) is not int or version != VERSION:
            raise RecipeError(
                f"The recipe has version {shown(version)}; this program reads {VERSION}."
            )
        try:
            target, settings = values.get("target", []), values.get("settings", {})
            if isinstance(target, list):
                _check_length(len(target))
            if not isinstance(settings, dict) or len(settings) > MAX_SETTINGS:
                raise RecipeError(f"settings must be an object of at most {MAX_SETTINGS} texts.")
            values["settings"] = sorted(settings.items())
            values["edits"] = read_edits(values.get("edits", []))
            return from_json(cls, values)
        except ConfigError as error:
            raise RecipeError(str(error)) from error


def _checked_settings(settings: Settings) -> str:
    """All values together; RecipeError where they are not names and texts of a bounded size."""
    names = [name for name, _ in settings]
    if not all(isinstance(name, str) and re.fullmatch("[a-z_]{1,20}", name) for name in names):
        raise RecipeError("The name of a setting has 1 to 20 small letters.")
    if names != sorted(set(names)) or len(names) > MAX_SETTINGS:
        raise RecipeError(f"At most {MAX_SETTINGS} settings, each once, in order of their names.")
    if not all(isinstance(value, str) for _, value in settings):
        raise RecipeError("The value of a setting is a text.")
    said = "".join(value for _, value in settings)
    if len(said) > MAX_CHARACTERS:
        message = (
            f"The settings have {len(said)} characters; {MAX_CHARACTERS} are read. Shorten them."
        )
        raise SourceTooLong(message, "characters", n=len(said), limit=MAX_CHARACTERS)
    return said


def _check_length(tokens: int) -> None:
    if tokens > MAX_TARGET:
        message = f"The recipe has {tokens} target tokens; {MAX_TARGET} are allowed."
        raise RecipeError(message, "target", n=tokens, limit=MAX_TARGET)
