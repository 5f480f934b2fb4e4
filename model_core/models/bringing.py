"""A model from a path that a person types: a folder, or a file of other from-scratch code."""

import itertools
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from model_core.checkpoints.folder import read_config
from model_core.checkpoints.snapshots import is_there
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointError, CheckpointMissing, RecipeError
from model_core.folders import HUB
from model_core.models.hub.folder import is_hub_folder
from model_core.models.loading import open_model
from model_core.models.own import OwnModel
from model_core.models.protocol import Model
from model_core.values.importing import Hints
from model_core.values.trace import Tokens

_LONGEST_NAME = 60  # characters
_WORDS = 6  # of an example


def bring(
    path: Path,
    taken: Sequence[str] = (),
    tokenizers: Sequence[Path] = (),
    hints: Hints | None = None,
    device: str = "auto",
) -> Model:
    """The model at a path or under `hf:NAME`, with a name that is not among `taken`.

    A folder holds a checkpoint of this program or of transformers; NAME@UPDATE is a snapshot of the
    first kind. A file is imported, and nothing is written. Raises CheckpointError.
    """
    if str(path).startswith(HUB):
        return open_model(str(path), _unlike(str(path), taken), device)
    path = _whole(path.expanduser())
    is_folder = is_there(path)
    if not is_folder and not path.exists():
        raise CheckpointMissing(
            f"There is nothing at {path.absolute()}. Check the path.",
            "no_path",
            path=str(path.absolute()),
        )
    name = _free_name(path.name if is_folder else path.stem, taken)
    if is_folder:
        if is_hub_folder(path):
            return open_model(path, name, device)
        return OwnModel(replace(open_checkpoint(path), name=name))
    # Reading files of other code is a subject of its own, which a browser lacks.
    from model_core.checkpoints.imports.importing import checkpoint_of, read_imported

    found = read_imported(path, [one.expanduser() for one in tokenizers], hints)
    return OwnModel(checkpoint_of(found, path, name))


def _whole(path: Path) -> Path:
    """The folder of the checkpoint, also where the path is one of its files."""
    if path.name in ("config.json", "model.safetensors"):
        if is_hub_folder(path.parent):
            return path.parent
        with suppress(CheckpointError):
            read_config(path.parent)
            return path.parent
    return path


def example_of(model: Model) -> str:
    """A text of a few tokens that the model knows; "" where it has none that can be typed."""
    if not isinstance(model, OwnModel):
        return str(model.facts.get("example", ""))
    tokenizer = model.checkpoint.source_tokenizer
    words = (t for t in range(tokenizer.size) if _is_word(tokenizer.tokens([t])))
    text = tokenizer.decode(list(itertools.islice(words, _WORDS)))
    try:
        kinds = tokenizer.encode(text).kinds
    except RecipeError:
        return ""
    return text if "unknown" not in kinds else ""


def _is_word(token: Tokens) -> bool:
    (text,), (kind,) = token.texts, token.kinds
    return kind == "text" and text.isalnum()


def _free_name(wanted: str, taken: Sequence[str]) -> str:
    """The name in letters that a link can hold, with a number where it is taken."""
    plain = re.sub(r"[^\w.-]+", "-", wanted).strip("-.")[:_LONGEST_NAME] or "model"
    return _unlike(plain, taken)


def _unlike(plain: str, taken: Sequence[str]) -> str:
    names = (plain, *(f"{plain}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)
