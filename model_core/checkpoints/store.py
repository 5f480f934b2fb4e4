"""Checkpoints: a folder with config.json, tokenizer.json, model.safetensors and card.md.

A model with two tokenizers has source_tokenizer.json and target_tokenizer.json instead; one that
keeps snapshots of its training has update-400.safetensors and the like beside them. Saving
replaces the folder as a whole: whenever it is killed, opening finds the old checkpoint or the new
one, and one that is opened meanwhile is the old or the new, never half of each. Opening writes
nothing, and nothing here unpickles anything.
"""

import dataclasses
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import safetensors
import safetensors.torch
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from model_core.atomic import flush, naming
from model_core.checkpoints.folder import (
    FORMAT,
    TOKENIZER_LIMIT,
    WEIGHTS,
    Description,
    check_replaceable,
    describe,
    most_parameters,
    read_settled,
    read_text_of,
    weights_limit,
    workplace,
)
from model_core.checkpoints.heads import read_heads
from model_core.checkpoints.history import read_history
from model_core.checkpoints.regular_file import read_regular
from model_core.checkpoints.snapshots import (
    digest_of,
    folder_of,
    parted,
    snapshot_file,
    training_until,
)
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointBroken, CheckpointError, TokenizerError
from model_core.tokenizer import Tokenizer, Tokenizers
from model_core.transformer.fast_steps import make_steps_fast
from model_core.transformer.transformer import Transformer
from model_core.values.anatomy import anatomy_of
from model_core.values.config import ModelConfig
from model_core.values.head_measures import HeadMeasures
from model_core.values.history import History

Known = TypeVar("Known")
Precision = Literal["float32", "float16", "bfloat16"]  # of weights on disk
_SMALL = 2**22  # parameters; a model of so few may be built to see whether it fits its file
_LARGEST = 1_000_000  # weight, either sign; those of trained models are below 100
_DRAWING = {"uniform_", "normal_", "kaiming_uniform_"}  # what torch fills new weights by
_FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A model ready to run, with its tokenizers and what is known about its training."""

    name: str
    model: Transformer
    source_tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    training: Training
    card: str
    fingerprint: str = ""  # eight hexadecimal digits of the weights, where they were in a file
    # What was measured of its heads, or why that is not known.
    heads: HeadMeasures | CheckpointError | None = None
    # What its training was like on the way, or why that is not known.
    history: History | CheckpointError | None = None

    @property
    def config(self) -> ModelConfig:
        return self.model.config

    @property
    def tokenizers(self) -> Tokenizers:
        return self.source_tokenizer, self.target_tokenizer


def save_checkpoint(
    folder: Path | str,
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    training: Training,
    card: str,
    precision: Precision = "float32",
    snapshots: Mapping[int, bytes] | None = None,
) -> None:
    """Write a checkpoint, replacing the one of that name if there is one.

    `snapshots` are files of `weights_file`, by the update that they are of. Weights that float16
    would make infinite are stored as float32, all of them. Raises CheckpointError where the name is
    reserved, something else has that name, or a weight is not a finite number.
    """
    folder = Path(os.path.abspath(folder))
    check_replaceable(folder)
    weights, earlier = weights_file(folder, model, precision), snapshots or {}
    digests = {
        str(update): hashlib.sha256(content).hexdigest() for update, content in earlier.items()
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    place = workplace(folder)
    new, old = place / "new", place / "old"
    if old.is_dir() and not folder.exists():  # a save was killed between its two renames
        old.rename(folder)
    shutil.rmtree(place, ignore_errors=True)
    config = {
        "format": FORMAT,
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
        "model": dataclasses.asdict(model.config),
        "training": dataclasses.replace(training, snapshots=digests).to_json(),
    }
    files: dict[str, str | bytes] = {
        "config.json": json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    }
    if source_tokenizer is target_tokenizer:
        files["tokenizer.json"] = source_tokenizer.to_json()
    else:
        files["source_tokenizer.json"] = source_tokenizer.to_json()
        files["target_tokenizer.json"] = target_tokenizer.to_json()
    files[WEIGHTS] = weights
    files |= {snapshot_file(update): content for update, content in earlier.items()}
    files["card.md"] = card
    try:
        new.mkdir(parents=True)
        for name, content in files.items():
            _write(new / name, content)
        flush(new)
    except OSError:  # the old one is still in its place
        shutil.rmtree(place, ignore_errors=True)
        raise
    if folder.exists():
        folder.rename(old)
        flush(place)
    new.rename(folder)
    flush(folder.parent)
    shutil.rmtree(place, ignore_errors=True)


def fingerprint_of(place: Path, model: Transformer, precision: Precision = "float32") -> str:
    """The fingerprint of the file that saving would write; CheckpointError as in saving."""
    return hashlib.sha256(weights_file(place, model, precision)).hexdigest()[:8]


def weights_file(place: Path, model: Transformer, precision: Precision) -> bytes:
    """The weights as a file holds them; CheckpointError where one is not a finite number.

    `place` is what the error names.
    """
    return safetensors.torch.save(_stored(place, model, precision))


def open_checkpoint(folder: Path | str) -> Checkpoint:
    """The checkpoint in `folder`, in float32, in evaluation mode and laid out for decoding.

    `folder@400` is the snapshot that the checkpoint keeps of update 400. Raises CheckpointMissing
    or CheckpointBroken, which name the file and what is wrong with it.
    """
    folder = Path(os.path.abspath(folder))
    whole, update = folder_of(folder)
    if update is None:
        return read_settled(folder, lambda place: _opened(folder.name, place))
    return read_settled(whole, lambda place: _snapshot(folder.name, place, update))


def _opened(name: str, place: Path) -> Checkpoint:
    """The checkpoint that lies in `place`."""
    described = describe(place)
    tokenizers, card = _read_tokenizers(place, described.model), read_text_of(place / "card.md")
    model, digest = _read_model(place / WEIGHTS, described), described.weights_sha256
    heads = _known(lambda: read_heads(place, name, anatomy_of(described.model).sites, digest[:8]))
    history = _history(place, name, described.model, digest)
    training = described.training
    return Checkpoint(name, model, *tokenizers, training, card, digest[:8], heads, history)


def _history(place: Path, name: str, model: ModelConfig, digest: str) -> History | CheckpointError:
    """What the training was like that ended with the weights of this SHA-256."""
    sizes = model.source_vocabulary, model.target_vocabulary
    return _known(lambda: read_history(place, name, anatomy_of(model).sites, digest[:8], sizes))


def _snapshot(name: str, place: Path, update: int) -> Checkpoint:
    """The checkpoint that lies in `place` as it was after an update."""
    described, whole = describe(place), parted(name)[0]
    digest = digest_of(whole, described.training, update)
    path = place / snapshot_file(update)
    model = _read_model(path, dataclasses.replace(described, weights_sha256=digest))
    heads = CheckpointError(
        f"The heads of {name} are not measured: it is {whole} earlier in its training. Open "
        f"{whole} for its heads.",
        "heads_snapshot",
        name=name,
        whole=whole,
    )
    return Checkpoint(
        name,
        model,
        *_read_tokenizers(place, described.model),
        training_until(described.training, update),
        f"# {name}\n\n{whole} after update {update:,} of its training.\n",
        digest[:8],
        heads,
        _history(place, whole, described.model, described.weights_sha256),
    )


def _read_model(path: Path, described: Description) -> Transformer:
    """The model of a file of weights, laid out for decoding."""
    model = _model_of(described.model, _read_tensors(path, described), path)
    make_steps_fast(model.eval())
    return model


def _known(read: Callable[[], Known]) -> Known | CheckpointError:
    """What lies beside the weights, or why not: a model with a bad file opens all the same."""
    try:
        return read()
    except CheckpointError as error:
        return error


def _write(path: Path, content: str | bytes) -> None:
    with naming(path):
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        flush(path)


def _stored(folder: Path, model: Transformer, precision: Precision) -> dict[str, Tensor]:
    """The model's own tensors as they go into the file."""
    own = {name: tensor.detach().to("cpu") for name, tensor in _own(model).items()}
    for name, tensor in own.items():
        if not _are_usable(tensor):
            raise CheckpointError(
                f"{name} has a weight that is not a finite number of at most {_LARGEST:,}, so "
                f"{folder} is not saved. Take the weights of an earlier update."
            )
    stored = {name: t.to(getattr(torch, precision)).contiguous() for name, t in own.items()}
    if all(tensor.isfinite().all() for tensor in stored.values()):
        return stored
    return {name: tensor.to(torch.float32).contiguous() for name, tensor in own.items()}


def _read_tokenizers(place: Path, config: ModelConfig) -> Tokenizers:
    if (place / "source_tokenizer.json").exists():
        names = ("source_tokenizer.json", "target_tokenizer.json")
    else:
        names = ("tokenizer.json", "tokenizer.json")
    made: dict[str, Tokenizer] = {}
    for name, size in zip(names, (config.source_vocabulary, config.target_vocabulary), strict=True):
        if name not in made:
            try:
                made[name] = Tokenizer.from_json(
                    read_text_of(place / name, TOKENIZER_LIMIT), config.special
                )
            except TokenizerError as error:
                raise CheckpointBroken(f"{place / name}: {error}") from error
        if made[name].size != size:
            raise CheckpointBroken(
                f"{place / name} has {made[name].size} pieces; config.json says {size}."
            )
    return made[names[0]], made[names[1]]


def _read_tensors(path: Path, described: Description) -> dict[str, Tensor]:
    """The stored tensors in float32, the file no larger than the architecture makes it."""
    content = read_regular(path, weights_limit(described.model))
    if hashlib.sha256(content).hexdigest() != described.weights_sha256:
        raise CheckpointBroken(
            f"{path} is truncated or damaged: its SHA-256 is not the one in config.json. "
            "Copy it once more."
        )
    try:
        found = safetensors.torch.load(content)
    except (safetensors.SafetensorError, KeyError, ValueError) as error:
        raise CheckpointBroken(
            f"{path} is truncated or not a safetensors file: {error}. Copy it once more."
        ) from error
    for name, tensor in found.items():
        if tensor.dtype not in _FLOATS:
            raise CheckpointBroken(f"{path}: {name} is of type {tensor.dtype}, not a float.")
        found[name] = tensor.float()
        if not _are_usable(found[name]):
            raise CheckpointBroken(
                f"{path}: {name} has weights that are not finite numbers of at most {_LARGEST:,}."
            )
    return found


class _Undrawn(TorchFunctionMode):
    """Modules made within leave their weights as memory has them, to be replaced at once.

    To draw them would take half of the time in which a model is opened.
    """

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named = kwargs or {}
        if func.__name__ in _DRAWING:
            return named.get("tensor", *args[:1])
        return func(*args, **named)


def _model_of(config: ModelConfig, found: dict[str, Tensor], path: Path) -> Transformer:
    """The model with these tensors, which `path` holds.

    What config.json says of its size is compared with them before any memory is taken for it.
    """
    stored, most = sum(tensor.numel() for tensor in found.values()), most_parameters(config)
    if most > 8 * stored + _SMALL:
        raise CheckpointBroken(
            f"{path} has {stored:,} numbers; config.json asks for a model of up to {most:,}."
        )
    with _Undrawn():
        model = Transformer(config)
    expected = {name: tuple(tensor.shape) for name, tensor in _own(model).items()}
    missing, unknown = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    if missing:
        raise CheckpointBroken(f"{path} lacks {len(missing)} tensors, the first is {missing[0]}.")
    if unknown:
        raise CheckpointBroken(
            f"{path} has {len(unknown)} unknown tensors, the first is {unknown[0]}."
        )
    for name, shape in expected.items():
        if found[name].shape != shape:
            raise CheckpointBroken(
                f"{path}: {name} has shape {tuple(found[name].shape)}; config.json asks for "
                f"{shape}."
            )
    model.load_state_dict(found | _aliases(model, found))
    return model


def _are_usable(tensor: Tensor) -> bool:
    """Whether sums of products with these weights stay finite."""
    return bool((tensor.abs() <= _LARGEST).all())  # not true of NaN either


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
