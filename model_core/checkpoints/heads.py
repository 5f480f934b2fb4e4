"""heads.safetensors beside a checkpoint: what was measured of its heads, and what each makes.

Small, read without unpickling, and checked like any file from elsewhere. It names the weights it
was measured on; beside others it is refused. It names its measures and words too, and is read by
these names: a measure that it does not have was not taken.
"""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy

from model_core.atomic import replace_file
from model_core.checkpoints.regular_file import read_regular
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing
from model_core.values.anatomy import SiteAnatomy
from model_core.values.head_measures import (
    ATTRACTING,
    BEST,
    FAR,
    MEASURES,
    WORDS,
    HeadMeasures,
    SiteMeasures,
)

HEADS = "heads.safetensors"
_FORMAT = 1
_LIMIT = 16 * 2**20  # bytes
_MOST_TEXTS = 50_000  # sentences or tokens
_LONGEST = 4_000  # characters of one
_LARGEST = 1_000_000  # number, either sign
_MOST_NAMES = 100  # of measures, or of words
_FACTS = ("fingerprint", "corpus", "source_tokens", "target_tokens", "targets")
_NAMED = ("measures", "words")  # of each site


def write_heads(folder: Path, measured: HeadMeasures) -> Path:
    """Write the file, replacing the one there was; the path of it."""
    said = {
        "format": _FORMAT,
        "measures": {site: MEASURES[site] for site in measured.sites},
        "words": {site: WORDS[site] for site in measured.sites},
        **{name: getattr(measured, name) for name in _FACTS},
        "loss": _number(measured.loss),
        "exact": _number(measured.exact),
        "sentences": measured.sentences,
        "tokens": measured.tokens,
    }
    tensors = {
        f"{site}.{name}": np.ascontiguousarray(array)
        for site, one in measured.sites.items()
        for name, array in vars(one).items()
        if array is not None
    }
    text = json.dumps(said, ensure_ascii=False, allow_nan=False)
    replace_file(folder / HEADS, safetensors.numpy.save(tensors, {"heads": text}))
    return folder / HEADS


def read_heads(
    folder: Path, name: str, sites: Sequence[SiteAnatomy], fingerprint: str
) -> HeadMeasures:
    """What the file says of a model with these sites and weights.

    Raises CheckpointMissing where there is none, CheckpointError where it is of other weights, and
    CheckpointBroken for a damaged one. Visitors read them: each names the model, and no folder.
    """
    path = Path(name) / HEADS
    try:
        content = read_regular(folder / HEADS, _LIMIT)
    except CheckpointMissing as error:
        message = (
            f"The heads of {name} are not measured yet. Measure them, then start the app again: "
            f"{command(name)}"
        )
        raise CheckpointMissing(
            message, "heads_missing", name=name, command=command(name)
        ) from error
    except CheckpointBroken as error:
        message = str(error).replace(str(folder / HEADS), str(path))
        raise CheckpointBroken(message, "heads_broken") from error
    said, tensors = _parts(path, content)
    if said["fingerprint"] != fingerprint:
        message = (
            f"{path} was measured on other weights ({said['fingerprint']}, not {fingerprint}). "
            f"Measure them anew, then start the app again: {command(name)}"
        )
        raise CheckpointError(message, "heads_stale", name=name, command=command(name))
    measured = {}
    for one in sites:
        found = {
            key.partition(".")[2]: value
            for key, value in tensors.items()
            if key.startswith(f"{one.site}.")
        }
        measured[one.site] = _site(path, one, found, said)
    others = {key for key in tensors if key.partition(".")[0] not in measured}
    _require(not others, path, f"it has the unknown tensor {min(others, default='')[:60]}")
    return HeadMeasures(
        **{key: said[key] for key in _FACTS},
        loss=math.nan if said["loss"] is None else float(said["loss"]),
        exact=math.nan if said["exact"] is None else float(said["exact"]),
        sentences=tuple((source, target) for source, target in said["sentences"]),
        tokens=tuple((text, kind) for text, kind in said["tokens"]),
        sites=measured,
    )


def annotated(content: bytes, key: str) -> tuple[Any, dict[str, np.ndarray]]:
    """What a safetensors file says as JSON under a key of its metadata, and its arrays.

    ValueError where it is no such file.
    """
    try:
        tensors = safetensors.numpy.load(content)
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        said = json.loads(header["__metadata__"][key])
        json.dumps(said, ensure_ascii=False).encode()  # a lone surrogate could not be sent on
        return said, tensors
    except (safetensors.SafetensorError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"no file with {key} in it") from error


def no_folder(name: str) -> CheckpointMissing:
    """Why a model that was opened without a folder has no measures of its heads."""
    message = (
        f"{name} was opened without a folder, and what is measured of heads is kept in one. Save "
        "the model in a folder, and open that."
    )
    return CheckpointMissing(message, "heads_no_folder", name=name)


def command(name: str) -> str:
    """What measures the heads of a model, as it is typed."""
    return f"python -m model_core heads {name}"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _require(condition: bool, path: Path, what: str) -> None:
    if not condition:
        raise CheckpointBroken(
            f"{path} is damaged: {what}. Measure the heads again.", "heads_broken"
        )


def _parts(path: Path, content: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What the file says in words, and its arrays."""
    try:
        said, tensors = annotated(content, "heads")
    except ValueError as error:
        raise CheckpointBroken(
            f"{path} is truncated or not a file of head measures. Measure the heads again.",
            "heads_broken",
        ) from error
    known = {"format", "loss", "exact", "sentences", "tokens", *_FACTS, *_NAMED}
    _require(isinstance(said, dict) and set(said) == known, path, "its facts are others")
    _require(said["format"] == _FORMAT, path, f"this program reads format {_FORMAT}")
    for name in ("fingerprint", "corpus", "targets"):
        _require(_is_text(said[name]), path, f"{name} is no text")
    for name in ("source_tokens", "target_tokens"):
        _require(type(said[name]) is int and 0 <= said[name] < 10**12, path, f"{name} is no count")
    for name in ("loss", "exact"):
        value = said[name]
        right = value is None or (type(value) in (int, float) and abs(value) <= _LARGEST)
        _require(right, path, f"{name} is no number")
    for name in ("sentences", "tokens"):
        right = isinstance(said[name], list) and len(said[name]) <= _MOST_TEXTS
        right = right and all(
            isinstance(pair, list) and len(pair) == 2 and all(map(_is_text, pair))
            for pair in said[name]
        )
        _require(right, path, f"{name} is no list of two texts each")
    for what in _NAMED:
        right = isinstance(said[what], dict) and all(map(_are_names, said[what].values()))
        _require(right, path, f"{what} are no lists of names")
    return said, tensors


def _are_names(value: Any) -> bool:
    """Whether they are names, each of them once."""
    right = isinstance(value, list) and len(value) <= _MOST_NAMES and all(map(_is_text, value))
    return right and len(set(value)) == len(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _site(
    path: Path, site: SiteAnatomy, found: dict[str, np.ndarray], said: Mapping[str, Any]
) -> SiteMeasures:
    """The arrays of one site, each of the shape and in the range that it must have."""
    L, H = site.layers, site.heads
    measures, words = (said[what].get(site.site, ()) for what in ("measures", "words"))
    sentences, tokens = len(said["sentences"]), len(said["tokens"])
    width = found["means_LHE"].shape[-1:] if "means_LHE" in found else ()
    # Its shape, and below what each index is; None for numbers that are none.
    wanted: dict[str, tuple[tuple[int, ...], int | None]] = {
        "measures_LHM": ((L, H, len(measures)), None),
        "distances_LHN": ((L, H, 2 * FAR + 1), None),
        "word_LH": ((L, H), len(words)),
        "like_LH": ((L, H), L * H),
        "best_LHC": ((L, H, BEST), sentences),
        "amount_LHC": ((L, H, BEST), None),
        "tokens_LHC": ((L, H, ATTRACTING), tokens),
        "share_LHC": ((L, H, ATTRACTING), None),
        "even_LHC": ((L, H, ATTRACTING), None),
    }
    if width:
        wanted["means_LHE"] = ((L, H, *width), None)
    _require(set(found) == set(wanted), path, f"the arrays of {site.site} are not those of a model")
    for name, (shape, below) in wanted.items():
        array = found[name]
        _require(array.shape == shape, path, f"{site.site}.{name} has shape {array.shape}")
        _require(
            array.dtype == (np.float32 if below is None else np.int32),
            path,
            f"{name} has {array.dtype}",
        )
        if below is not None:
            least = 0 if name == "word_LH" else -1
            inside = bool(((array >= least) & (array < below)).all())
        else:
            lacking = np.isnan(array) if name == "measures_LHM" else np.zeros(array.shape, bool)
            inside = bool((lacking | (np.abs(array) <= _LARGEST)).all())
        _require(inside, path, f"{site.site}.{name} has numbers that cannot be")
    measures_LHM = np.full((L, H, len(MEASURES[site.site])), np.nan, np.float32)
    for at, name in enumerate(MEASURES[site.site]):
        if name in measures:
            measures_LHM[..., at] = found["measures_LHM"][..., measures.index(name)]
    used = [words[at] for at in found["word_LH"].flat]
    unknown = sorted(set(used) - set(WORDS[site.site]))
    _require(not unknown, path, f"it has the unknown word {''.join(unknown[:1])[:60]!r}")
    word_LH = np.array([WORDS[site.site].index(word) for word in used], np.int32).reshape(L, H)
    arrays = {**found, "measures_LHM": measures_LHM, "word_LH": word_LH}
    for array in arrays.values():
        array.setflags(write=False)
    return SiteMeasures(**arrays)
