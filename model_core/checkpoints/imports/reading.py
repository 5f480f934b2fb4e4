"""The tensors of a file: a state dict that torch saved, or safetensors.

This is the one place in the package that loads what torch saved, and only with `weights_only`:
nothing in the file can run. Files that need more are refused by name.
"""

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from model_core.checkpoints.folder import MOST_PARAMETERS
from model_core.checkpoints.regular_file import open_regular, read_regular
from model_core.errors import CheckpointBroken
from model_core.values.checked import shown

_LIMIT = 2**33  # bytes: a state dict of the largest model, with that of its optimiser
_MOST_TENSORS = 10_000
_WRAPPED = ("model_state_dict", "state_dict", "model")  # where a checkpoint keeps the state dict
_PREFIXES = ("module.", "_orig_mod.")  # of a model that was run in parallel, or compiled
_WEIGHTS = "Attention weights without a model open with `python -m viz_app open FILE`."
_OTHER = {  # endings of what people have beside a state dict
    ".json": "A tokenizer or a vocabulary is given beside the file of the weights. " + _WEIGHTS,
    ".npz": _WEIGHTS,
}
_FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The floating-point tensors of a state dict by name, bare or inside a training checkpoint.

    Raises CheckpointMissing and CheckpointBroken, which name the file and what is wrong.
    """
    if remedy := _OTHER.get(path.suffix):
        raise CheckpointBroken(f"{path} holds no state dict. {remedy}")
    if path.suffix == ".safetensors":
        found: Any = _of_safetensors(path)
    else:
        found = _of_torch(path)
    if not isinstance(found, Mapping):
        raise CheckpointBroken(f"{path} holds {type(found).__name__}, not a state dict.")
    for name in _WRAPPED:
        if isinstance(found.get(name), Mapping):
            found = found[name]
            break
    if len(found) > _MOST_TENSORS:
        raise CheckpointBroken(
            f"{path} holds {len(found):,} tensors; at most {_MOST_TENSORS:,} are read. Save the "
            "state dict of the model alone: torch.save(model.state_dict(), FILE)."
        )
    tensors, total = {}, 0
    for name, tensor in found.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            raise CheckpointBroken(
                f"{path}: {shown(name)} is {type(tensor).__name__}, not a tensor. Save the state "
                "dict alone: torch.save(model.state_dict(), FILE)."
            )
        total += _numbers(path, name, tensor)
        if tensor.dtype in _FLOATS:
            bare = _bare(name)
            if bare in tensors:
                raise CheckpointBroken(
                    f"{path} holds {shown(bare)} twice, once with a prefix. Save one model alone."
                )
            tensors[bare] = tensor.detach().contiguous()
    if total > MOST_PARAMETERS:
        raise CheckpointBroken(
            f"{path} holds {total:,} numbers; at most {MOST_PARAMETERS:,} are read."
        )
    return tensors


def _of_safetensors(path: Path) -> dict[str, Tensor]:
    try:
        return safetensors.torch.load(read_regular(path, _LIMIT))
    except (safetensors.SafetensorError, KeyError, ValueError) as error:
        raise CheckpointBroken(
            f"{path} is truncated or not a safetensors file: {error}. Copy or save it once more."
        ) from error


def _of_torch(path: Path) -> Any:
    with open_regular(path, _LIMIT) as file:
        is_pickled = file.read(1) == b"\x80"
        is_archive = _check_archive(path, file)
        try:
            return torch.load(file, map_location="cpu", weights_only=True)
        except Exception as error:  # of many kinds, after the kind of damage
            refused = type(error).__name__ == "UnpicklingError"
            if not refused or not (is_pickled or is_archive):
                raise CheckpointBroken(
                    f"{path} is truncated or not a file that torch saved. Save it once more: "
                    "torch.save(model.state_dict(), FILE)."
                ) from error
            named = re.search(r"GLOBAL ([\w.]+)", str(error))
            what = named[1] if named else "objects that are not tensors"
            raise CheckpointBroken(
                f"{path} holds {what}, which only running code from the file would bring back; "
                "that is never done. Save the state dict alone: "
                "torch.save(model.state_dict(), FILE)."
            ) from error


def _check_archive(path: Path, file: BinaryIO) -> bool:
    """Whether it is an archive; one whose parts are larger than they look is refused."""
    if is_archive := zipfile.is_zipfile(file):
        file.seek(0)
        try:
            parts = zipfile.ZipFile(file).infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise CheckpointBroken(f"{path} is not a file that torch saved.") from error
        if any(part.compress_type != zipfile.ZIP_STORED for part in parts):
            raise CheckpointBroken(f"{path} is compressed, which torch never does.")
        if sum(part.file_size for part in parts) > _LIMIT:
            raise CheckpointBroken(f"{path} holds more than {_LIMIT:,} bytes.")
    file.seek(0)
    return is_archive


def _numbers(path: Path, name: str, tensor: Tensor) -> int:
    """How many numbers a tensor has; one that is larger than what is stored of it is refused."""
    plain = tensor.layout is torch.strided and not tensor.is_quantized
    if not plain or tensor.is_meta:
        raise CheckpointBroken(f"{path}: {name} is not a plain tensor.")
    if tensor.numel() * tensor.element_size() > tensor.untyped_storage().nbytes():
        raise CheckpointBroken(f"{path}: {name} has more numbers than the file holds.")
    return tensor.numel()


def _bare(name: str) -> str:
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name
