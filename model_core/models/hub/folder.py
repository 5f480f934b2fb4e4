"""What a folder of `save_pretrained` holds, checked before anything of it is loaded.

Needs neither torch nor `transformers`. Weights are only bytes here, and only safetensors count:
nothing is ever unpickled, and no code of a model is ever run.
"""

import base64
import hashlib
import json
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_core.checkpoints.folder import read_json_of, read_shapes
from model_core.checkpoints.regular_file import open_regular, read_regular
from model_core.errors import (
    CheckpointBroken,
    CheckpointError,
    CheckpointMissing,
    TokenizerError,
)
from model_core.models.hub.families import FAMILIES, Family
from model_core.values.checked import shown

MOST_PARAMETERS = 2 * 10**9  # 8 GB of float32
MOST_LAYERS = 64
MOST_HEADS = 64
_JSON_LIMIT = 2 * 2**20  # bytes of config.json
_INDEX_LIMIT = 16 * 2**20
_WEIGHTS_LIMIT = 2**40  # bytes of a file of weights, of which only the header is read here
_WEIGHTS = "model.safetensors"
_TOKENIZER_LIMIT = 64 * 2**20  # bytes of each file that is read beside the weights
_TEXTS = (".json", ".txt", ".spm", ".model", ".jinja")
_MOST_GROWTH = 1000  # times that a text may grow while it is read, or tokens while they are spelled
_MOST_ADDED = 20_000  # tokens
_LONGEST_TEMPLATE = 20_000  # characters of JSON that say what stands around a text
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")


@dataclass(frozen=True)
class HubFolder:
    """A folder that can be opened."""

    path: Path
    model_type: str
    family: Family
    config: dict[str, Any]
    weights: tuple[Path, ...]
    parameters: int

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits of the weights: the first of the SHA-256 of their files."""
        digest = hashlib.sha256()
        for path in self.weights:
            with open_regular(path, _WEIGHTS_LIMIT) as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()[:8]


def is_hub_folder(path: Path) -> bool:
    """Whether a folder holds a model of `transformers` rather than one of our checkpoints."""
    try:
        return "model_type" in read_json_object(path / "config.json")
    except CheckpointError:
        return False


def read_folder(path: Path) -> HubFolder:
    """What is known of a folder without loading it.

    Raises CheckpointMissing where there is none, CheckpointError for a model that cannot be opened
    (an architecture that is not in the table, pickled weights, too large) and CheckpointBroken for
    files that are damaged. Each names what, and the remedy.
    """
    if not path.is_dir():
        raise CheckpointMissing(f"There is no folder {path}.")
    config = read_json_object(path / "config.json")
    model_type, family = family_of(config, path)
    weights = _weights(path)
    shapes: dict[str, list[int]] = {}
    for file in weights:
        shapes |= read_shapes(file, _WEIGHTS_LIMIT)
    parameters = sum(math.prod(shape) for shape in shapes.values())
    check_size(parameters, path)
    return HubFolder(path, model_type, family, config, weights, parameters)


def family_of(config: dict[str, Any], path: Path | str) -> tuple[str, Family]:
    """The row of the table for a configuration; CheckpointError where there is none."""
    model_type = config.get("model_type")
    if not isinstance(model_type, str) or model_type not in FAMILIES:
        raise CheckpointError(
            f"{path} is a model of type {shown(model_type)}. These can be opened: "
            f"{', '.join(sorted(FAMILIES))}. Of every other the attention alone can be shown, in a "
            "notebook: load it with attn_implementation='eager', then "
            "show(attention=model(..., output_attentions=True).attentions).",
            "hub_type",
            type=shown(model_type),
        )
    family = FAMILIES[model_type]
    for name, wanted in family.must_be.items():
        if config.get(name, wanted) != wanted:
            raise CheckpointError(
                f"{path} has {name} = {shown(config[name])}: its attention then goes a way that "
                f"cannot be seen. Only models with {name} = {wanted} can be opened.",
                "hub_setting",
                name=name,
            )
    for name, most in (("layer", MOST_LAYERS), ("head", MOST_HEADS)):
        for key, value in config.items():
            if key.endswith((name, f"{name}s")) and type(value) is int and value > most:
                raise CheckpointError(
                    f"{path} has {key} = {shown(value)}; at most {most} {name}s can be shown.",
                    "hub_size",
                    n=value,
                    limit=most,
                )
    return model_type, family


def check_size(parameters: int, path: Path | str) -> None:
    """Raise for a model that is too large, with both numbers."""
    if parameters > MOST_PARAMETERS:
        raise CheckpointError(
            f"{path} has {parameters:,} parameters; at most {MOST_PARAMETERS:,} are opened. Take a "
            "smaller model of the same family.",
            "hub_size",
            n=parameters,
            limit=MOST_PARAMETERS,
        )


def check_tokenizer(path: Path) -> None:
    """Raise TokenizerError where a text would grow without bound, CheckpointBroken for a huge file.

    Every other part is as safe as the library that reads it.
    """
    names = [name for name in sorted(path.iterdir()) if name.suffix in _TEXTS]
    content = {file.name: read_regular(file, _TOKENIZER_LIMIT) for file in names if file.is_file()}
    for name, found in content.items():
        if name.endswith((".spm", ".model")):
            growth = _longest(_field(_field(found, 3), 2))
            _check("characters for one of a text", growth, _MOST_GROWTH, path / name)
    file = path / "tokenizer.json"
    said = read_json_object(file, _TOKENIZER_LIMIT) if file.name in content else {}
    for place in ("normalizer", "decoder"):
        growth = math.prod(map(_growth, _parts(said.get(place))))
        _check("characters for one of a text", growth, _MOST_GROWTH, file)
    _check("added tokens", len(said.get("added_tokens") or ()), _MOST_ADDED, file)
    template = len(json.dumps(said.get("post_processor")))
    _check("characters around a text", template, _LONGEST_TEMPLATE, file)


def _check(what: str, found: int, most: int, file: Path) -> None:
    if found > most:
        raise TokenizerError(
            f"{file} has {found:,} {what}; at most {most:,} are allowed. Take the tokenizer that "
            "belongs to the model."
        )


def _parts(part: Any) -> Iterator[dict[str, Any]]:
    """A part of a tokenizer and all that are in it."""
    if isinstance(part, dict):
        yield part
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _parts(one)


def _growth(part: dict[str, Any]) -> int:
    """How many characters a part may make of one."""
    if part.get("type") in ("Replace", "Prepend"):  # a pattern may find nothing, before each one
        return 1 + len(str(part.get("content", part.get("prepend"))))
    if part.get("type") == "Precompiled":
        with suppress(ValueError):  # else the library says what is wrong
            return _longest(base64.b64decode(str(part.get("precompiled_charsmap"))))
    return 1


def _longest(charsmap: bytes) -> int:
    """The longest text, in bytes, that stands in a map of sentencepiece, for a character."""
    first = 4 + int.from_bytes(charsmap[:4], "little")
    return max(1, *map(len, charsmap[first:].split(b"\0")))


def _field(message: bytes, wanted: int) -> bytes:
    """The bytes of a field of a protocol buffer; none where it has no such field or is damaged."""
    at, found = 0, b""

    def number() -> int:
        nonlocal at
        value = shift = 0
        while at < len(message):
            byte, at = message[at], at + 1
            value |= (byte & 127) << shift
            if byte < 128 or shift > 63:
                break
            shift += 7
        return value

    while at < len(message):
        key = number()
        kind = key & 7
        length = {1: 8, 5: 4}.get(kind) or (number() if kind == 2 else 0)
        if kind == 0:
            number()
        if key >> 3 == wanted and kind == 2:
            found += message[at : at + length]  # a later one is joined to it
        at += length
    return found


def _weights(path: Path) -> tuple[Path, ...]:
    single, index = path / _WEIGHTS, path / f"{_WEIGHTS}.index.json"
    if single.is_file():
        return (single,)
    if index.is_file():
        places = read_json_object(index, _INDEX_LIMIT).get("weight_map")
        if not isinstance(places, dict) or not all(isinstance(v, str) for v in places.values()):
            raise CheckpointBroken(f"{index} has no weight_map.")
        names = sorted(set(places.values()))
        if any(Path(name).name != name or not name.endswith(".safetensors") for name in names):
            raise CheckpointBroken(f"{index} names files that are no safetensors beside it.")
        missing = [name for name in names if not (path / name).is_file()]
        if missing:
            raise CheckpointMissing(f"{path} lacks {missing[0]}.")
        return tuple(path / name for name in names)
    pickled = sorted(file.name for ending in _PICKLED for file in path.glob(ending))
    if pickled:
        raise CheckpointError(
            f"{path} has its weights in {pickled[0]}, a format that can hide programs, and no "
            f"{_WEIGHTS}. Load it where you trust it and call save_pretrained again.",
            "hub_pickled",
            file=pickled[0],
        )
    raise CheckpointMissing(f"{path} has no {_WEIGHTS}.")


def read_json_object(path: Path, limit: int = _JSON_LIMIT) -> dict[str, Any]:
    """The object in a JSON file of at most `limit` bytes."""
    if not path.is_file():
        raise CheckpointMissing(f"{path.parent} has no {path.name}.")
    values = read_json_of(path, limit)
    if not isinstance(values, dict):
        raise CheckpointBroken(f"{path} is no JSON object.")
    return values
