"""What a checkpoint says about its training, each field checked when config.json is read."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from model_core.values.checked import Checked, check
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.evaluation import Evaluation, Heads, Place

MOST_SNAPSHOTS = 24  # of one checkpoint


@dataclass(frozen=True)
class StartHead(Checked):
    """The cross-attention head that the page opens with; layer and head are counted from 1."""

    layer: Place
    head: Place
    rows: Literal["fed", "predicted"] = "fed"  # how its rows are read
    measured: Mapping[str, Any] = field(default_factory=dict)  # how well it aligns words

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The head of a JSON object; what it says beside layer, head and rows is `measured`."""
        complete = isinstance(values, dict) and {"layer", "head"} <= set(values)
        check(complete, "alignment_head must be a JSON object with layer and head.")
        named = {name: values[name] for name in ("layer", "head", "rows") if name in values}
        measured = {name: values[name] for name in values if name not in named}
        return super().from_json(named | {"measured": measured})

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        return {"layer": self.layer, "head": self.head, "rows": self.rows, **self.measured}


@dataclass(frozen=True)
class Begun(Checked):
    """The checkpoint whose weights a training began with, and what it said about its own."""

    name: str
    fingerprint: str
    updates: int = 0
    held_out_sources: int = 0
    command: str = ""


@dataclass(frozen=True)
class Guidance(Checked):
    """How heads of a trained model were taught to align words afterwards."""

    heads: Heads = ()
    pairs: int = 0  # that they learnt from
    updates: int = 0
    settling: int = 0  # updates towards what the model predicted before
    seconds: float = 0.0
    command: str = ""
    hardware: str = ""


@dataclass(frozen=True, eq=False)
class Training(Checked):
    """What is known about a training; a field that is empty or 0 is not known."""

    preset: str = ""
    command: str = ""  # that trained it
    data: str = ""  # name of the folder
    data_sha256: str = ""
    training_pairs: int = 0
    begun: Begun | None = None  # None: with random weights
    synthetic: Mapping[str, int] = field(default_factory=dict)  # what wrote how many pairs besides
    synthetic_sha256: str = ""
    validation_sources: int = 0  # that decided which weights were kept
    held_out_sources: int = 0  # that decided nothing, for the card; 0 before there were any
    parameters: int = 0
    weights: str = ""  # which they are, in words
    update: int = 0
    epochs: float = 0.0
    target_tokens: int = 0  # read, pads not counted
    seconds: float = 0.0  # by the clock
    core_seconds: float = 0.0  # of the processor, all threads together
    precision: str = ""
    threads: int = 0
    device: str = ""
    torch: str = ""  # its version
    hardware: str = ""
    config: TrainConfig | None = None
    scores: Mapping[str, Any] | None = None  # at the validation point that wrote it
    evaluation: Evaluation | None = None  # what `card` measured
    guidance: Guidance | None = None
    alignment_head: StartHead | None = None
    notes: tuple[str, ...] = ()  # what was tried; paragraphs of the card
    group: str = ""  # the models that it is to be compared with
    snapshots: Mapping[str, str] = field(default_factory=dict)  # update to SHA-256 of its file

    def __post_init__(self) -> None:
        super().__post_init__()
        message = "training: snapshots must map updates to a SHA-256 each."
        check(_are_snapshots(self.snapshots), message)

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads, without what is not known."""
        values: dict[str, Any] = {}
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if isinstance(value, TrainConfig | Begun | Evaluation):
                value = dataclasses.asdict(value)
            if isinstance(value, Guidance):
                value = {k: v for k, v in dataclasses.asdict(value).items() if v not in ("", 0, ())}
            if isinstance(value, StartHead):
                value = value.to_json()
            if value not in (None, "", 0, (), {}):
                values[each.name] = list(value) if isinstance(value, tuple) else value
        return values

    def check_fits(self, model: ModelConfig) -> None:
        """Raise ConfigError where the head to open with is none of this model's."""
        head = self.alignment_head
        if head:
            inside = head.layer <= model.decoder_layers and head.head <= model.decoder_heads
            check(
                inside,
                f"alignment_head is layer {head.layer}, head {head.head}; the decoder has "
                f"{model.decoder_layers} layers of {model.decoder_heads} heads.",
            )

    def start_head(self, model: ModelConfig) -> StartHead:
        """The head that the page opens with: the one that aligns best, or one of the last layer."""
        return self.alignment_head or StartHead(model.decoder_layers, 1)

    def taught(self, model: ModelConfig) -> tuple[tuple[int, int], ...]:
        """The heads of cross-attention that were taught to align words: layer and head, from 0.

        Afterwards, or while it was trained: then the first two of the last layer but one.
        """
        heads = self.guidance.heads if self.guidance else ()
        places = [(layer - 1, head - 1) for layer, head in heads]
        if self.config and self.config.guided_alignment:
            layer = max(model.decoder_layers - 2, 0)
            places += [(layer, head) for head in range(min(2, model.decoder_heads))]
        L, H = model.decoder_layers, model.decoder_heads
        return tuple(dict.fromkeys(one for one in places if one[0] < L and one[1] < H))

    def opens_on(self, model: ModelConfig) -> dict[str, Any]:
        """That head as the page gets it: {"site", "layer", "head", "rows"}, counted from 0."""
        head = self.start_head(model)
        place = {"layer": head.layer - 1, "head": head.head - 1}
        return {"site": "cross", **place, "rows": head.rows}

    @property
    def languages(self) -> tuple[str, str]:
        """Source and target language as codes, "" where they are not known."""
        if self.config is None:
            return "", ""
        return self.config.source_language, self.config.target_language


def _are_snapshots(value: Mapping[str, Any]) -> bool:
    """Whether this maps updates to digests, and not too many of them."""
    return len(value) <= MOST_SNAPSHOTS and all(
        re.fullmatch("[1-9][0-9]{0,8}", update) and re.fullmatch("[0-9a-f]{64}", str(sha))
        for update, sha in value.items()
    )
