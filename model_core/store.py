"""Checkpoints: a folder with config.json, tokenizer.json, model.safetensors and card.md.

A model with two tokenizers has source_tokenizer.json and target_tokenizer.json instead. Saving
replaces the folder as a whole: whenever it is killed, opening finds the old checkpoint or the new
one. Opening writes nothing, and nothing here unpickles anything.
"""

import dataclasses
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import safetensors
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from model_core.config import ModelConfig
from model_core.errors import (
    CheckpointBroken,
    CheckpointMissing,
    TokenizerError,
)
from model_core.folder import (
    FORMAT,
    WEIGHTS,
    beside,
    check_replaceable,
    read_config,
    read_text,
    standing,
)
from model_core.replacing import flush
from model_core.tokenizer import END, PAD, START, Tokenizer
from model_core.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A model ready to run, with its tokenizers and what is known about its training."""

    name: str
    model: Transformer
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    training: dict[str, Any]
    card: str

    @property
    def config(self) -> ModelConfig:
        return self.model.config


def save_checkpoint(
    folder: Path | str,
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    training: dict[str, Any],
    card: str,
    precision: Literal["float32", "float16", "bfloat16"] = "float32",
) -> None:
    """Write a checkpoint, replacing the one of that name if there is one.

    Raises CheckpointError where something else has that name.
    """
    folder = Path(os.path.abspath(folder))
    check_replaceable(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new, old = beside(folder, "new"), beside(folder, "old")
    if old.is_dir() and not folder.exists():  # a save was killed between its two renames
        old.rename(folder)
    shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    new.mkdir()
    config = {"format": FORMAT, "model": dataclasses.asdict(model.config), "training": training}
    _write(new / "config.json", json.dumps(config, indent=2, ensure_ascii=False) + "\n")
    if source_tokenizer is target_tokenizer:
        _write(new / "tokenizer.json", source_tokenizer.to_json())
    else:
        _write(new / "source_tokenizer.json", source_tokenizer.to_json())
        _write(new / "target_tokenizer.json", target_tokenizer.to_json())
    dtype = getattr(torch, precision)
    tensors = {name: t.detach().to("cpu", dtype).contiguous() for name, t in _own(model).items()}
    save_file(tensors, new / WEIGHTS)
    (new / WEIGHTS).chmod((new / "config.json").stat().st_mode)  # others may read it as the rest
    flush(new / WEIGHTS)
    _write(new / "card.md", card)
    flush(new)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    flush(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def open_checkpoint(folder: Path | str) -> Checkpoint:
    """The checkpoint in `folder`, in float32, in evaluation mode and laid out for decoding."""
    folder = Path(os.path.abspath(folder))
    config, training = read_config(folder)
    if (config.pad_id, config.start_id, config.end_id) != (PAD, START, END):
        raise CheckpointBroken(
            f"{folder / 'config.json'}: pad_id, start_id and end_id must be {PAD}, {START} and "
            f"{END}, as they are in every tokenizer here."
        )
    source_tokenizer, target_tokenizer = _read_tokenizers(folder, config)
    tensors = _read_tensors(folder, config)
    card = read_text(folder, "card.md")
    with torch.random.fork_rng(devices=[]):  # the weights drawn here are replaced at once
        model = Transformer(config)
    model.load_state_dict(tensors | _aliases(model, tensors))
    model.eval().lay_out_for_steps()
    return Checkpoint(folder.name, model, source_tokenizer, target_tokenizer, training, card)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    flush(path)


def _read_tokenizers(folder: Path, config: ModelConfig) -> tuple[Tokenizer, Tokenizer]:
    if (standing(folder) / "source_tokenizer.json").exists():
        names = ("source_tokenizer.json", "target_tokenizer.json")
    else:
        names = ("tokenizer.json", "tokenizer.json")
    made: dict[str, Tokenizer] = {}
    for name, size in zip(names, (config.source_vocabulary, config.target_vocabulary), strict=True):
        if name not in made:
            try:
                made[name] = Tokenizer.from_json(read_text(folder, name))
            except TokenizerError as error:
                raise CheckpointBroken(f"{folder / name}: {error}") from error
        if made[name].size != size:
            raise CheckpointBroken(
                f"{folder / name} has {made[name].size} pieces; config.json says {size}."
            )
    return made[names[0]], made[names[1]]


def _read_tensors(folder: Path, config: ModelConfig) -> dict[str, Tensor]:
    """The stored tensors, compared with the architecture before any memory is taken for it."""
    path = standing(folder) / WEIGHTS
    with torch.device("meta"):
        expected = {name: tuple(t.shape) for name, t in _own(Transformer(config)).items()}
    if not path.exists():
        raise CheckpointMissing(f"The checkpoint {folder} has no {WEIGHTS}.")
    try:
        with safetensors.safe_open(path, "pt") as stored:
            found = {name: tuple(stored.get_slice(name).get_shape()) for name in stored.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError) as error:
        raise CheckpointBroken(
            f"{path} is truncated or not a safetensors file: {error}."
        ) from error
    missing, unknown = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    if missing:
        raise CheckpointBroken(f"{path} lacks {len(missing)} tensors, the first is {missing[0]}.")
    if unknown:
        raise CheckpointBroken(
            f"{path} has {len(unknown)} unknown tensors, the first is {unknown[0]}."
        )
    for name, shape in expected.items():
        if found[name] != shape:
            raise CheckpointBroken(
                f"{path}: {name} has shape {found[name]}; config.json asks for {shape}."
            )
    return {name: tensor.float() for name, tensor in load_file(path).items()}


def _own(model: Transformer) -> dict[str, Tensor]:
    """The state without the second names of tied tensors."""
    state, tied = model.state_dict(), model.config.tied
    if tied != "none":
        del state["logits.weight"]
    if tied == "all":
        del state["source_embedding.weight"]
    return state


def _aliases(model: Transformer, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The second names of tied tensors, which all share one."""
    names = set(model.state_dict()) - set(tensors)
    return dict.fromkeys(names, tensors["target_embedding.weight"])
