"""A recipe: the few plain values that determine everything on the screen.

Frozen, hashable, JSON both ways, bounded in size. Whatever arrives from outside is checked here, once.
"""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal

from model_core.config import from_json
from model_core.errors import ConfigError, RecipeError, SourceTooLong
from model_core.trace import How

VERSION = 1
MAX_CHARACTERS = 1000  # of a source; a model's own limit in tokens comes first for most texts
MAX_PADS = 16
_MAX_TARGET = 1024
_MAX_NAME = 200


@dataclass(frozen=True)
class Choice:
    """One chosen target token and how it was chosen."""

    token: int
    how: How


@dataclass(frozen=True)
class Strategy:
    """How the next token is chosen where nobody forces one."""

    kind: Literal["greedy", "sample"] = "greedy"
    temperature: float = 1.0  # 0.01 to 100; below 1 sharpens
    top_k: int = 0  # keep the k most probable; 0 = all
    top_p: float = 1.0  # then keep the smallest set with at least this mass; 0 < p <= 1
    seed: int = 0  # with the step's index it determines the draw

    def __post_init__(self) -> None:
        if self.kind not in ("greedy", "sample"):
            raise RecipeError(f"The strategy is {self.kind!r}; choose greedy or sample.")
        if not (math.isfinite(self.temperature) and 0.01 <= self.temperature <= 100):
            raise RecipeError(f"temperature is {self.temperature}; it must lie in 0.01 to 100.")
        if not 0 <= self.top_k <= 1_000_000:
            raise RecipeError(f"top_k is {self.top_k}; it must be 0 (all) or more.")
        if not 0 < self.top_p <= 1:
            raise RecipeError(f"top_p is {self.top_p}; it must be above 0 and at most 1.")
        if not 0 <= self.seed < 2**63:
            raise RecipeError(f"seed is {self.seed}; it must be a whole number from 0 to 2^63 - 1.")


@dataclass(frozen=True)
class Recipe:
    """Which model, which source text, which target tokens were chosen, and how the next one will be."""

    model: str
    source: str
    target: tuple[
        Choice, ...
    ] = ()  # without the start token; the end token included once it is reached
    pads: int = 0  # pads appended to the source
    strategy: Strategy = Strategy()

    def __post_init__(self) -> None:
        if not 0 < len(self.model) <= _MAX_NAME:
            raise RecipeError(f"A model's name has 1 to {_MAX_NAME} characters.")
        if len(self.source) > MAX_CHARACTERS:
            raise SourceTooLong(
                f"The text has {len(self.source)} characters; {MAX_CHARACTERS} are read. Shorten it."
            )
        try:
            self.source.encode()
        except UnicodeEncodeError as error:
            raise RecipeError(
                "The text has half of a character (a lone surrogate). Type it again."
            ) from error
        if not 0 <= self.pads <= MAX_PADS:
            raise RecipeError(f"pads is {self.pads}; it must lie in 0 to {MAX_PADS}.")
        if len(self.target) > _MAX_TARGET:
            raise RecipeError(
                f"The recipe has {len(self.target)} tokens; {_MAX_TARGET} are allowed."
            )

    @property
    def target_ids(self) -> tuple[int, ...]:
        return tuple(choice.token for choice in self.target)

    def to_json(self) -> dict[str, Any]:
        """The recipe as a JSON object."""
        return {
            "version": VERSION,
            **dataclasses.asdict(self),
            "target": [vars(c) for c in self.target],
        }

    @classmethod
    def from_json(cls, values: Any) -> "Recipe":
        """The recipe that `to_json` wrote; anything else is a RecipeError that says what is wrong."""
        if not isinstance(values, dict):
            raise RecipeError("A recipe is a JSON object.")
        values = dict(values)
        version = values.pop("version", VERSION)
        if version != VERSION:
            raise RecipeError(f"The recipe has version {version!r}; this program reads {VERSION}.")
        try:
            values["strategy"] = from_json(Strategy, values.get("strategy", {}))
            target = values.get("target", [])
            if not isinstance(target, list):
                raise RecipeError("target must be a list of tokens.")
            if len(target) > _MAX_TARGET:
                raise RecipeError(
                    f"The recipe has {len(target)} tokens; {_MAX_TARGET} are allowed."
                )
            values["target"] = tuple(_choice(entry) for entry in target)
            missing = {"model", "source"} - set(values)
            if missing:
                raise RecipeError(f"The recipe lacks {' and '.join(sorted(missing))}.")
            return from_json(cls, values)
        except ConfigError as error:
            raise RecipeError(str(error)) from error


def _choice(entry: Any) -> Choice:
    choice = from_json(Choice, {"how": "forced"} | entry if isinstance(entry, dict) else entry)
    if choice.how not in ("greedy", "sampled", "forced"):
        raise RecipeError(f"A token was chosen by {choice.how!r}; know greedy, sampled and forced.")
    return choice
