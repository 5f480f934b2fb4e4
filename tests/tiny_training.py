"""A training that takes a second, of pairs of two words."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from model_core.training.loop import Progress
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.presets import Preset

Whole = tuple[Path, list[tuple[int, float, float]]]  # the folder of a training, and its losses
WORDS = {"one": "un", "two": "deux", "six": "six", "red": "rouge", "cat": "chat", "dog": "chien"}


def tiny(task: str = "translate", **changes: object) -> Preset:
    """A preset that trains in a second, with every dropout on."""
    model = ModelConfig(
        width=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_heads=2,
        decoder_heads=2,
        feed_forward_width=32,
        max_positions=48,
        norm_place="pre",
        final_norm=True,
        tied="all",
        dropout_attention=0.1,
        dropout_feed_forward=0.1,
    )
    config = TrainConfig(
        task=task,  # type: ignore[arg-type]
        tokenizer="characters",
        vocabulary=300,
        max_tokens=33,
        updates=12,
        batch_tokens=256,
        learning_rate=5e-3,
        warmup=5,
        precision="float32",
        validate_every=4,
        average_last=2,
    )
    return Preset("A test.", model, replace(config, **changes))  # type: ignore[arg-type]


def write_words(folder: Path) -> Path:
    """Make a data folder of pairs of two words; the pairs of a word with itself are held out."""
    folder.mkdir()
    pairs = [(a, b) for a in WORDS for b in WORDS]
    lines = [(a == b, f"{a} {b}\t{WORDS[a]} {WORDS[b]}\n") for a, b in pairs]
    (folder / "train.tsv").write_text("".join(line for held, line in lines if not held))
    (folder / "valid.tsv").write_text("".join(line for held, line in lines if held))
    return folder


def losses(steps: Iterator[Progress]) -> list[tuple[int, float, float]]:
    """The number, the loss and the nats of each update."""
    return [(progress.update, progress.loss, progress.nats) for progress in steps]
