"""What lies in a checkpoint folder, read without torch: names, configuration, texts."""

import json
from pathlib import Path
from typing import Any

from model_core.config import ModelConfig, from_json
from model_core.errors import CheckpointBroken, CheckpointMissing, ConfigError

FORMAT = 1


def list_checkpoints(root: Path | str) -> list[str]:
    """The names of the checkpoint folders under `root`, sorted."""
    root = Path(root)
    if not root.is_dir():
        return []
    return sorted(
        path.parent.name for path in root.glob("*/config.json") if path.parent.suffix == ""
    )


def read_text(folder: Path, name: str) -> str:
    """The text of one file of a checkpoint."""
    try:
        return (folder / name).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise CheckpointMissing(f"The checkpoint {folder} has no {name}.") from error
    except UnicodeDecodeError as error:
        raise CheckpointBroken(f"{folder / name} is not UTF-8 text.") from error


def read_config(folder: Path) -> tuple[ModelConfig, dict[str, Any]]:
    """The architecture in config.json, and what is said there about the training."""
    try:
        values = json.loads(read_text(folder, "config.json"))
    except json.JSONDecodeError as error:
        raise CheckpointBroken(
            f"{folder / 'config.json'} is not complete JSON: {error}."
        ) from error
    if not isinstance(values, dict) or set(values) - {"format", "model", "training"}:
        raise CheckpointBroken(
            f"{folder / 'config.json'} must have the keys format, model and training, and no others."
        )
    if values.get("format") != FORMAT:
        raise CheckpointBroken(
            f"{folder} has format {values.get('format')!r}; this program reads {FORMAT}."
        )
    try:
        return from_json(ModelConfig, values.get("model")), values.get("training", {})
    except ConfigError as error:
        raise CheckpointBroken(f"{folder / 'config.json'}: {error}") from error
