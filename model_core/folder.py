"""What lies in a checkpoint folder, read without torch: names, configuration, texts, a fingerprint.

Nothing here writes, and to nothing here are weights more than bytes.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from model_core.config import ModelConfig, from_json, shown
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing, ConfigError

FORMAT = 1
WEIGHTS = "model.safetensors"


def list_checkpoints(root: Path | str) -> list[str]:
    """The names of the checkpoints under `root`, sorted."""
    folders = [path.parent for path in Path(root).glob("*/config.json")]
    names = {folder.name.removesuffix(".old") for folder in folders}
    return sorted(name for name in names if not name.endswith((".new", ".training")))


def beside(folder: Path, suffix: str) -> Path:
    """The folder's neighbour in which a save puts the new checkpoint, or keeps the old one."""
    return folder.with_name(f"{folder.name}.{suffix}")


def standing(folder: Path) -> Path:
    """Where the checkpoint lies: the folder, or ".old" beside it if a save died in between."""
    old = beside(folder, "old")
    place = old if old.is_dir() and not folder.exists() else folder
    if not place.is_dir():
        raise CheckpointMissing(
            f"There is no checkpoint at {folder}. Train one, or check the name."
        )
    return place


def check_replaceable(folder: Path) -> None:
    """Raise where saving a checkpoint as `folder` would remove something that is none."""
    known = folder / "config.json"
    if folder.exists() and not known.exists() and not (folder.is_dir() and _is_empty(folder)):
        raise CheckpointError(
            f"{folder} holds something that is no checkpoint, and saving would remove it. "
            "Choose another name."
        )


def _is_empty(folder: Path) -> bool:
    return next(folder.iterdir(), None) is None


def read_text(folder: Path, name: str) -> str:
    """The text of one file of a checkpoint."""
    path = standing(folder) / name
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise CheckpointMissing(f"The checkpoint {folder} has no {name}.") from error
    except UnicodeDecodeError as error:
        raise CheckpointBroken(f"{path} is not UTF-8 text.") from error
    except OSError as error:
        raise CheckpointBroken(f"{path} cannot be read: {error.strerror}.") from error


def fingerprint(folder: Path) -> str:
    """Eight hexadecimal digits of the weights: the first of the SHA-256 of their file."""
    path = standing(folder) / WEIGHTS
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:8]
    except OSError as error:
        raise CheckpointBroken(f"{path} cannot be read: {error.strerror}.") from error


def read_config(folder: Path) -> tuple[ModelConfig, dict[str, Any]]:
    """The architecture in config.json, and what is said there about the training."""
    path = folder / "config.json"
    try:
        values = json.loads(read_text(folder, path.name))
    except (ValueError, RecursionError) as error:  # json gives up in both ways, not in its own only
        raise CheckpointBroken(f"{path} is not complete JSON: {error}.") from error
    if not isinstance(values, dict) or set(values) != {"format", "model", "training"}:
        raise CheckpointBroken(
            f"{path} must have the keys format, model and training, and no others."
        )
    if values["format"] != FORMAT:
        raise CheckpointBroken(
            f"{path} has format {shown(values['format'])}; this program reads {FORMAT}."
        )
    if not isinstance(values["training"], dict):
        raise CheckpointBroken(f"{path}: training must be a JSON object.")
    try:
        return from_json(ModelConfig, values["model"]), values["training"]
    except ConfigError as error:
        raise CheckpointBroken(f"{path}: {error}") from error
