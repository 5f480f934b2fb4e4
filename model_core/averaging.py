"""Checkpoints averaged: one model whose every weight is the mean of theirs.

It helps where the checkpoints are of one training, or grew from one: their weights lie close to one
another. This module trains nothing and scores nothing.
"""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import torch

from model_core.config import TrainConfig, from_json
from model_core.errors import CheckpointError
from model_core.model_card import model_card
from model_core.presets import PRESETS
from model_core.store import Checkpoint, open_checkpoint, save_checkpoint

_OF_OTHER_WEIGHTS = ("scores", "evaluation", "alignment_head")


def average_checkpoints(folders: Sequence[Path], out: Path, command: str) -> None:
    """Write the average of the checkpoints in `folders` to `out`, with a card that says so.

    What is said about the training is that of the first. Raises CheckpointError where they are
    fewer than two, or differ in architecture or tokenizer.
    """
    if len(folders) < 2:
        raise CheckpointError("An average needs at least two checkpoints. Name more of them.")
    first, *others = [open_checkpoint(folder) for folder in folders]
    for other in others:
        _check_alike(first, other)
    total = first.model
    with torch.no_grad():
        for name, parameter in total.named_parameters():
            same = [other.model.get_parameter(name) for other in others]
            parameter.copy_(torch.stack([parameter, *same]).double().mean(dim=0))
    names = [checkpoint.name for checkpoint in (first, *others)]
    config = from_json(TrainConfig, first.training["config"])
    training = {k: v for k, v in first.training.items() if k not in _OF_OTHER_WEIGHTS} | {
        "weights": f"the average of {', '.join(names[:-1])} and {names[-1]}",
        "averaged": [_origin(checkpoint) for checkpoint in (first, *others)],
        "command": command,
    }
    preset = PRESETS.get(str(training.get("preset")))
    about = preset.about if preset else ""
    card = model_card(out.name, about, first.config, config, training, None, ())
    save_checkpoint(
        out,
        total,
        first.source_tokenizer,
        first.target_tokenizer,
        training,
        card,
        config.stored,
    )


def _check_alike(first: Checkpoint, other: Checkpoint) -> None:
    """Raise where the weights of two checkpoints do not mean the same."""
    for checkpoint in (first, other):
        if "config" not in checkpoint.training or "command" not in checkpoint.training:
            raise CheckpointError(
                f"{checkpoint.name} does not say how it was trained, so no card can be written. "
                "Average checkpoints that `train` wrote."
            )
    for field in dataclasses.fields(first.config):
        one, two = getattr(first.config, field.name), getattr(other.config, field.name)
        if one != two and not field.name.startswith("dropout"):
            raise CheckpointError(
                f"{first.name} and {other.name} differ in {field.name}: {one} and {two}. "
                "Average checkpoints of one architecture."
            )
    for side in ("source", "target"):
        one, two = (getattr(each, f"{side}_tokenizer").to_json() for each in (first, other))
        if one != two:
            raise CheckpointError(
                f"{first.name} and {other.name} have different {side} tokenizers, so their "
                "embeddings are of different pieces. Average checkpoints of one tokenizer."
            )


def _origin(checkpoint: Checkpoint) -> dict[str, object]:
    """What tells a checkpoint from others of its architecture."""
    training = checkpoint.training
    known = ("weights", "update", "seconds", "data_sha256", "command")
    return {"name": checkpoint.name} | {name: training.get(name) for name in known}
