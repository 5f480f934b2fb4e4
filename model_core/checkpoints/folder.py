"""What a checkpoint folder holds, read without torch: names, configuration, texts, a fingerprint.

Weights are only bytes here.
"""

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from model_core.checkpoints.regular_file import open_regular, read_regular
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing, ConfigError
from model_core.values.checked import shown
from model_core.values.config import ModelConfig

FORMAT = 1
WEIGHTS = "model.safetensors"
TOKENIZER_LIMIT = 32 * 2**20  # bytes; 8,000 pieces take half a MiB
_TEXT_LIMIT = 2 * 2**20  # bytes of config.json or card.md; ours have 10 KiB
MOST_PARAMETERS = 10**9
_HEADER_LIMIT = 2**20  # bytes of a safetensors file of ours beside its tensors
_SHAPES_LIMIT = 32 * 2**20  # bytes of the header of any
_TRAINING = ".training"  # ends the name of the folder that a training puts beside a checkpoint
_TRIES = 20  # to read a folder that is not replaced meanwhile

_Found = TypeVar("_Found")


def list_checkpoints(root: Path | str) -> list[str]:
    """The names of the checkpoints under `root`, sorted."""
    names = set()
    entries: list[str] = []
    with suppress(OSError):  # there is no such folder
        entries = os.listdir(root)
    for entry in entries:
        if os.path.exists(os.path.join(root, entry, "config.json")):
            names.add(entry)
        elif entry.endswith(".saving") and os.path.exists(
            os.path.join(root, entry, "old", "config.json")  # a save was killed between two steps
        ):
            names.add(entry.removeprefix(".").removesuffix(".saving"))
    return sorted(name for name in names if _refusal(name) is None)


def workplace(folder: Path) -> Path:
    """The hidden folder in which a save builds the new checkpoint and keeps the old one."""
    return folder.with_name(f".{folder.name}.saving")


def standing(folder: Path) -> Path:
    """Where the checkpoint lies: in its folder, or where a save that was killed has left it.

    Raises CheckpointMissing where there is none.
    """
    if not folder.name:
        raise CheckpointMissing(f"{folder} is no folder of a checkpoint: it has no name.")
    kept = workplace(folder) / "old"
    # A save may end between two of these looks; then the folder is in its place again.
    for place in (folder, kept, folder):
        if place.is_dir():
            return place
    raise CheckpointMissing(f"There is no checkpoint at {folder}. Check the path, or train one.")


def check_replaceable(folder: Path) -> None:
    """Raise for a reserved name, and where saving would remove something that is no checkpoint."""
    refusal = _refusal(folder.name)
    if refusal:
        raise CheckpointError(f"A checkpoint cannot be called {folder.name!r}: {refusal}.")
    is_empty = folder.is_dir() and next(folder.iterdir(), None) is None
    if folder.exists() and not is_empty and not (folder / "config.json").exists():
        raise CheckpointError(
            f"{folder} holds something that is no checkpoint, and saving would remove it. "
            "Choose another name."
        )
    place = workplace(folder)
    if place.exists() and not (
        place.is_dir() and {path.name for path in place.iterdir()} <= {"old", "new"}
    ):
        raise CheckpointError(
            f"Saving needs the folder {place}, which holds other files. Move them away."
        )


def _refusal(name: str) -> str | None:
    """Why no checkpoint can have this name, None where one can."""
    if not name or name.startswith("."):
        return "a name has at least one character and does not begin with a dot"
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        return "a name is text in UTF-8"
    return f"names that end in {_TRAINING} are reserved" if name.endswith(_TRAINING) else None


def read_settled(folder: Path, read: Callable[[Path], _Found]) -> _Found:
    """What `read` finds in the folder of the checkpoint, all of it from one save.

    Where the folder, or a file in it, is replaced in the meantime, it is read again.
    """
    for _ in range(_TRIES):
        place = standing(folder)
        before = _identity(place)
        try:
            found = read(place)
        except CheckpointError:
            if _identity(place) == before:
                raise
            continue
        if _identity(place) == before:
            return found
    raise CheckpointError(f"{folder} is being replaced again and again. Try again in a moment.")


def _identity(place: Path) -> tuple[int, int, int] | None:
    """What differs where a folder was replaced, or a file in it; None where there is none."""
    try:
        found = place.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns


def read_text(folder: Path, name: str) -> str:
    """The text of one file of a checkpoint."""
    return read_text_of(standing(folder) / name)


def fingerprint(folder: Path) -> str:
    """Eight hexadecimal digits of the weights: the first of the SHA-256 of their file."""
    return read_settled(folder, describe).weights_sha256[:8]


def read_config(folder: Path) -> tuple[ModelConfig, Training]:
    """The architecture in config.json, and what is said there about the training."""
    described = read_settled(folder, describe)
    return described.model, described.training


@dataclass(frozen=True, eq=False)
class Description:
    """What config.json says."""

    model: ModelConfig
    training: Training
    weights_sha256: str  # of the file of the weights


def describe(place: Path) -> Description:
    """What config.json says in the folder that `standing` found."""
    path = place / "config.json"
    values = read_json_of(path)
    known = {"format", "weights_sha256", "model", "training"}
    if not isinstance(values, dict) or set(values) != known:
        raise CheckpointBroken(
            f"{path} must have the keys format, weights_sha256, model and training, and no others."
        )
    if values["format"] != FORMAT:
        raise CheckpointBroken(
            f"{path} has format {shown(values['format'])}; this program reads {FORMAT}."
        )
    digest = values["weights_sha256"]
    if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
        raise CheckpointBroken(f"{path}: weights_sha256 must be 64 hexadecimal digits.")
    try:
        model = ModelConfig.from_json(values["model"])
        training = Training.from_json(values["training"])
        training.check_fits(model)
    except ConfigError as error:
        raise CheckpointBroken(f"{path}: {error}") from error
    if most_parameters(model) > MOST_PARAMETERS:
        raise CheckpointBroken(
            f"{path} describes a model of up to {most_parameters(model):,} parameters; at most "
            f"{MOST_PARAMETERS:,} are opened."
        )
    return Description(model, training, digest)


def read_text_of(path: Path, limit: int = _TEXT_LIMIT) -> str:
    """The text of a file of at most `limit` bytes."""
    try:
        return read_regular(path, limit).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CheckpointBroken(f"{path} is not UTF-8 text.") from error


def read_json_of(path: Path, limit: int = _TEXT_LIMIT) -> Any:
    """The value in a JSON file of at most `limit` bytes, all of whose texts can be sent on."""
    try:
        values = json.loads(read_text_of(path, limit))
    except (ValueError, RecursionError) as error:  # json gives up in both ways, not in its own only
        raise CheckpointBroken(f"{path} is not complete JSON: {error}.") from error
    try:
        json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise CheckpointBroken(
            f"{path} has a text with half of a character (a lone surrogate, \\ud800 to \\udfff)."
        ) from error
    return values


def read_shapes(path: Path, limit: int) -> dict[str, list[int]]:
    """The shape of every tensor of a safetensors file of at most `limit` bytes, from its header."""
    with open_regular(path, limit) as file:
        length = int.from_bytes(file.read(8), "little")
        header = file.read(length) if length <= _SHAPES_LIMIT else b""
    try:
        tensors = json.loads(header)
        tensors.pop("__metadata__", None)
        shapes = {name: tensor["shape"] for name, tensor in tensors.items()}
        numbers = [size for shape in shapes.values() for size in shape]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CheckpointBroken(f"{path} is truncated or not a safetensors file.") from error
    if not all(type(size) is int and size >= 0 for size in numbers):
        raise CheckpointBroken(f"{path} has a tensor of a shape that is none.")
    return shapes


def weights_limit(model: ModelConfig) -> int:
    """The most bytes that the file of this model's weights can have."""
    return 8 * most_parameters(model) + _HEADER_LIMIT


def most_parameters(model: ModelConfig) -> int:
    """An upper bound of the number of parameters, every option of the architecture counted in."""
    D, F = model.width + 1, model.feed_forward_width + 1  # with their biases
    embeddings = model.source_vocabulary + 2 * model.target_vocabulary + 2 * model.max_positions
    total = (embeddings + 4) * D
    for layers, heads, sites in (
        (model.encoder_layers, model.encoder_heads, 1),
        (model.decoder_layers, model.decoder_heads, 2),
    ):
        E = model.width_of_head(heads)
        attention = 4 * D * (heads * E + 1) + heads * E * (E + 1)
        total += layers * (sites * attention + 2 * D * F + 6 * D)
    return total
