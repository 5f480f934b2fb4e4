"""history.safetensors beside a checkpoint: what its training was like on the way.

Read without unpickling and checked like any file from elsewhere. It names the weights that the
training ended with; beside others it is refused.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import safetensors.numpy

from model_core.atomic import replace_file
from model_core.checkpoints.heads import annotated
from model_core.checkpoints.regular_file import read_regular
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing, ConfigError
from model_core.values.anatomy import SiteAnatomy
from model_core.values.checked import Checked, Items, Within, check
from model_core.values.history import CURVES, MOST_NOTES, History

HISTORY = "history.safetensors"
PROGRESS = "progress.json"  # beside it while the training goes on: how far it is
_FORMAT = 1
_LIMIT = 4 * 2**20  # bytes
_Side = Annotated[tuple[int, ...], Within(0), Items(128, least=2)]  # start and end tokens included


@dataclass(frozen=True, eq=False)
class HistoryFacts(Checked):
    """What the file says beside its arrays: see `History`."""

    format: int
    fingerprint: str
    score: Literal["exact", "chrf"]
    broken: Literal["", "none", "ahead", "behind"]
    sentences: Annotated[tuple[tuple[_Side, _Side], ...], Items(8)]

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.format == _FORMAT, f"This program reads format {_FORMAT}.")


def write_history(folder: Path, history: History) -> Path:
    """Write the file, replacing the one there was; the path of it."""
    said = {
        "format": _FORMAT,
        "fingerprint": history.fingerprint,
        "score": history.score,
        "broken": history.broken,
        "sentences": history.sentences,
    }
    tensors = {name: getattr(history, name) for name in CURVES}
    if history.copied_NLH is not None:
        tensors["copied_NLH"] = history.copied_NLH
    for site, entropy_NLH in history.entropy_NLH.items():
        tensors[f"{site}.entropy_NLH"] = entropy_NLH
    for site, of_sentences in history.weights.items():
        tensors |= {f"{site}.weights_{i}": one for i, one in enumerate(of_sentences)}
    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    text = json.dumps(said, ensure_ascii=False, allow_nan=False)
    replace_file(folder / HISTORY, safetensors.numpy.save(arrays, {"history": text}))
    return folder / HISTORY


def read_history(
    folder: Path,
    name: str,
    sites: Sequence[SiteAnatomy],
    fingerprint: str,
    sizes: tuple[int, int] = (2**31, 2**31),
) -> History:
    """What the file says of the training of a model with these sites and weights.

    `sizes` are those of its vocabularies, of source and target.

    Raises CheckpointMissing where there is none, CheckpointError where it is of other weights, and
    CheckpointBroken for a damaged one. Visitors read them: each names the model, and no folder.
    """
    try:
        content = read_regular(folder / HISTORY, _LIMIT)
    except CheckpointMissing as error:
        raise no_history(name) from error
    except CheckpointBroken as error:
        raise _broken("it is no regular file, or too large.", name) from error
    said, tensors = _parts(name, content, sizes)
    if said.fingerprint != fingerprint:
        message = (
            f"{HISTORY} of {name} is of a training that ended with other weights "
            f"({said.fingerprint}, not {fingerprint}). Train {name} anew, or remove the file."
        )
        raise CheckpointError(message, "history_stale", name=name)
    return _checked(name, said, tensors, sites)


def no_history(name: str) -> CheckpointMissing:
    """Why nothing is known of the way that a training took."""
    message = (
        f"Nothing is kept of how {name} came to be. A training keeps it where it is asked to: "
        "python -m model_core train --history 32"
    )
    return CheckpointMissing(message, "history_missing", name=name)


def _broken(what: str, name: str) -> CheckpointBroken:
    return CheckpointBroken(
        f"{HISTORY} of {name} is damaged: {what} Remove the file, or train {name} anew.",
        "history_broken",
        name=name,
    )


def _require(condition: bool, name: str, what: str) -> None:
    if not condition:
        raise _broken(f"{what}.", name)


def _parts(
    name: str, content: bytes, sizes: tuple[int, int]
) -> tuple[HistoryFacts, dict[str, np.ndarray]]:
    """What the file says in words, and its arrays."""
    try:
        said, tensors = annotated(content, "history")
    except ValueError as error:
        raise _broken("it is truncated, or no history.", name) from error
    try:
        facts = HistoryFacts.from_json(said)
    except ConfigError as error:
        raise _broken(str(error), name) from error
    right = all(
        token < size
        for sentence in facts.sentences
        for side, size in zip(sentence, sizes, strict=True)
        for token in side
    )
    _require(right, name, "its vocabularies lack a token of its sentences")
    return facts, tensors


def _checked(
    name: str, said: HistoryFacts, tensors: dict[str, np.ndarray], sites: Sequence[SiteAnatomy]
) -> History:
    """The history, each array of the shape and in the range that it must have."""
    updates_N = tensors.get("updates_N", np.empty(0))
    N = len(updates_N) if updates_N.ndim == 1 else 0
    rising = updates_N.dtype == np.int32 and bool((np.diff(updates_N) > 0).all())
    right = 1 <= N <= MOST_NOTES and rising and updates_N[0] == 0
    _require(right, name, "its updates do not rise from 0")
    wanted: dict[str, tuple[tuple[int, ...], type]] = {
        **dict.fromkeys(CURVES, ((N,), np.float32)),
        "updates_N": ((N,), np.int32),
    }
    for one in sites:
        wanted[f"{one.site}.entropy_NLH"] = ((N, one.layers, one.heads), np.float32)
        for i, (source, target) in enumerate(said.sentences):
            long = {"source": len(source), "target": len(target) - 1}
            cells = long[one.rows], long[one.columns]
            wanted[f"{one.site}.weights_{i}"] = ((N, one.layers, one.heads, *cells), np.uint8)
        if one.site == "cross" and "copied_NLH" in tensors:
            wanted["copied_NLH"] = ((N, one.layers, one.heads), np.float32)
    _require(set(tensors) == set(wanted), name, "its arrays are not those of this model")
    for key, (shape, kind) in wanted.items():
        array = tensors[key]
        _require(array.shape == shape, name, f"{key} has shape {array.shape}")
        _require(array.dtype == kind, name, f"{key} holds {array.dtype}")
        lacking = np.isnan(array) if key in ("learnt_N", "rate_N") else np.zeros(shape, bool)
        fits = (lacking | (np.abs(array.astype(np.float64)) <= 1e9)).all()
        _require(bool(fits), name, f"{key} has numbers that cannot be")
        array.setflags(write=False)
    return History(
        fingerprint=said.fingerprint,
        score=said.score,
        broken=said.broken,
        **{key: tensors[key] for key in CURVES},
        entropy_NLH={one.site: tensors[f"{one.site}.entropy_NLH"] for one in sites},
        copied_NLH=tensors.get("copied_NLH"),
        sentences=said.sentences,
        weights={
            one.site: tuple(tensors[f"{one.site}.weights_{i}"] for i in range(len(said.sentences)))
            for one in sites
        },
    )
