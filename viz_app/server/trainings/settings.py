"""What may be chosen of a training that the page begins, and the command that it makes."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypedDict

from model_core.errors import RecipeError
from model_core.values.anatomy import SiteAnatomy, anatomy_of
from model_core.values.checked import Checked, OneOf, Reads, Within, shown
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


def _heads(given: Any) -> int:
    """A number of heads; True is 1, and none."""
    if type(given) is not int or given not in CHOICES["heads"]:
        known = ", ".join(map(str, CHOICES["heads"]))
        raise RecipeError(f"heads is {shown(given)}; it must be one of {known}.")
    return given


@dataclass(frozen=True)
class TrainingSettings(Checked, raises=RecipeError):
    """One training; what is not said of it is the first of its choices."""

    preset: Annotated[str, OneOf(CHOICES["preset"])] = CHOICES["preset"][0]
    norm: Annotated[str, OneOf(CHOICES["norm"])] = CHOICES["norm"][0]
    scaled: bool = CHOICES["scaled"][0]
    warmup: bool = CHOICES["warmup"][0]
    heads: Annotated[int, Reads(_heads)] = CHOICES["heads"][0]
    leak: bool = CHOICES["leak"][0]
    seed: Annotated[int, Within(1, MOST_SEED)] = 1

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
