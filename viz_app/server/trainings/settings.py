"""What may be chosen of a training that the page begins, and the command that it makes."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypedDict

from model_core.errors import RecipeError
from model_core.values.anatomy import SiteAnatomy, anatomy_of
from model_core.values.checked import shown
from model_core.values.presets import PRESETS

# Each by its name: what it may be, what it is unless it is chosen first.
CHOICES: dict[str, tuple[Any, ...]] = {
    "preset": ("reverse-sinusoidal", "copy", "sort", "reverse-tiny"),
    "norm": ("pre", "post"),
    "scaled": (True, False),
    "warmup": (True, False),
    "heads": (1, 4),
    "leak": (False, True),
}
MOST_SEED = 9999
_NOTES = 48  # of which the first are of consecutive updates
_VALIDATIONS = 8  # until the end: what is kept of a training that is stopped is the best of them


@dataclass(frozen=True)
class Settings:
    """One training; every field has one of its choices."""

    preset: str
    norm: str
    scaled: bool
    warmup: bool
    heads: int
    leak: bool
    seed: int

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The settings in a JSON object; RecipeError names what is not one of the list."""
        if not isinstance(values, dict):
            raise RecipeError("The settings of a training are a JSON object.")
        names = [field.name for field in dataclasses.fields(cls)]
        unknown = [name for name in values if name not in names]
        if unknown:
            raise RecipeError(f"A training does not know {', '.join(map(shown, unknown))}.")
        made = {name: values.get(name, choices[0]) for name, choices in CHOICES.items()}
        for name, choices in CHOICES.items():
            # True is 1, and no number of heads.
            if not any(type(made[name]) is type(one) and made[name] == one for one in choices):
                known = ", ".join(map(shown, choices))
                raise RecipeError(f"{name} is {shown(made[name])}; it must be one of {known}.")
        seed = values.get("seed", 1)
        if type(seed) is not int or not 1 <= seed <= MOST_SEED:
            raise RecipeError(f"seed is {shown(seed)}; it must lie in 1 to {MOST_SEED}.")
        return cls(**made, seed=seed)

    @property
    def updates(self) -> int:
        """How many updates it takes."""
        return PRESETS[self.preset].train.updates

    @property
    def sites(self) -> tuple[SiteAnatomy, ...]:
        """The attentions of the model that it makes."""
        preset = PRESETS[self.preset].model
        return anatomy_of(dataclasses.replace(preset, decoder_heads=self.heads)).sites

    def words(self, folder: Path, out: Path) -> list[str]:
        """The words of `python -m model_core` that train it into `out`, reported in `folder`."""
        words = ["train", "--preset", self.preset, "--out", str(out), "--progress", str(folder)]
        words += ["--threads", "1", "--device", "cpu", "--precision", "float32"]
        words += ["--history", str(_NOTES), "--seed", str(self.seed)]
        words += ["--validate-every", str(self.updates // _VALIDATIONS)]
        words += ["--norm-place", self.norm, "--decoder-heads", str(self.heads)]
        words += ["--similarity", "scaled_dot" if self.scaled else "dot"]
        if not self.warmup:
            words += ["--warmup-from", "1"]
        if self.leak:
            words += ["--broken-causal-mask", "ahead"]
        return words


class Trains(TypedDict):
    """What may be chosen of a training that the page begins.

    `languages` are those of the models that are like what it makes; `updates` are by preset.
    """

    languages: list[str]
    choices: dict[str, list[str | int | bool]]
    updates: dict[str, int]
    most_seed: int


def offered() -> Trains:
    """What the page needs to offer."""
    config = PRESETS[CHOICES["preset"][0]].train
    return {
        "languages": [config.source_language, config.target_language],
        "choices": {name: list(values) for name, values in CHOICES.items()},
        "updates": {name: PRESETS[name].train.updates for name in CHOICES["preset"]},
        "most_seed": MOST_SEED,
    }
