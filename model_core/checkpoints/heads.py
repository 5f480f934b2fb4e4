"""heads.safetensors beside a checkpoint: what was measured of its heads, and what each makes.

Small, read without unpickling, and checked like any file from elsewhere. It names the weights it
was measured on; beside others it is refused. It names its measures and words too, and is read by
these names: a measure that it does not have was not taken.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import safetensors
import safetensors.numpy

from model_core.atomic import replace_file
from model_core.checkpoints.regular_file import read_regular
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing, ConfigError
from model_core.values.anatomy import SiteAnatomy
from model_core.values.checked import Checked, Items, Within, check
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
_LARGEST = 1_000_000  # number, either sign
_MOST_NAMES = 100  # of measures, or of words
_Text = Annotated[str, Items(4_000)]
_Texts = Annotated[tuple[tuple[_Text, _Text], ...], Items(50_000)]
_Count = Annotated[int, Within(0, 10**12)]
_Number = Annotated[float | None, Within(-_LARGEST, _LARGEST)]  # None for NaN


@dataclass(frozen=True, eq=False)
class HeadFacts(Checked):
    """What the file says beside its arrays: see `HeadMeasures`."""

    format: int
    measures: Mapping[str, Any]  # their names, by site
    words: Mapping[str, Any]
    fingerprint: _Text
    corpus: _Text
    source_tokens: _Count
    target_tokens: _Count
    targets: _Text
    loss: _Number
    exact: _Number
    sentences: _Texts
    tokens: _Texts

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.format == _FORMAT, f"This program reads format {_FORMAT}.")
        for what in ("measures", "words"):
            right = all(map(_are_names, getattr(self, what).values()))
            check(right, f"{what} are no lists of names.")


# What is in the file as it is in `HeadMeasures`.
_PLAIN = [
    "fingerprint",
    "corpus",
    "sentences",
    "tokens",
    "source_tokens",
    "target_tokens",
    "targets",
]


def write_heads(folder: Path, measured: HeadMeasures) -> Path:
    """Write the file, replacing the one there was; the path of it."""
    said = {
        "format": _FORMAT,
        "measures": {site: MEASURES[site] for site in measured.sites},
        "words": {site: WORDS[site] for site in measured.sites},
        **{name: getattr(measured, name) for name in _PLAIN},
        "loss": _number(measured.loss),
        "exact": _number(measured.exact),
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
    if said.fingerprint != fingerprint:
        message = (
            f"{path} was measured on other weights ({said.fingerprint}, not {fingerprint}). "
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
        **{key: getattr(said, key) for key in _PLAIN},
        loss=math.nan if said.loss is None else float(said.loss),
        exact=math.nan if said.exact is None else float(said.exact),
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


def _broken(path: Path, what: str) -> CheckpointBroken:
    return CheckpointBroken(f"{path} is damaged: {what} Measure the heads again.", "heads_broken")


def _require(condition: bool, path: Path, what: str) -> None:
    if not condition:
        raise _broken(path, f"{what}.")


def _parts(path: Path, content: bytes) -> tuple[HeadFacts, dict[str, np.ndarray]]:
    """What the file says in words, and its arrays."""
    try:
        said, tensors = annotated(content, "heads")
    except ValueError as error:
        raise CheckpointBroken(
            f"{path} is truncated or not a file of head measures. Measure the heads again.",
            "heads_broken",
        ) from error
    try:
        return HeadFacts.from_json(said), tensors
    except ConfigError as error:
        raise _broken(path, str(error)) from error


def _are_names(value: Any) -> bool:
    """Whether they are names, each of them once."""
    right = isinstance(value, list) and len(value) <= _MOST_NAMES
    return right and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _site(
    path: Path, site: SiteAnatomy, found: dict[str, np.ndarray], said: HeadFacts
) -> SiteMeasures:
    """The arrays of one site, each of the shape and in the range that it must have."""
    L, H = site.layers, site.heads
    measures, words = (of.get(site.site, ()) for of in (said.measures, said.words))
    sentences, tokens = len(said.sentences), len(said.tokens)
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
