"""The candidates of two runs side by side, and where the runs part."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from model_core.checkpoints.snapshots import parted
from model_core.values.trace import Decoding
from viz_app.rooms.compare.aligned import Pair

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

CANDIDATES = 5  # of each run at a step

Two = tuple["Tracer", "Tracer"]
Decodings = tuple[Decoding, Decoding]


class _Candidate(TypedDict):
    """A token, and its probability in both runs; None where one has no such step or token."""

    text: str
    piece: str
    kind: str
    a: float | None
    b: float | None
    taken: list[bool]  # whether each takes it


class TwoSteps(TypedDict):
    """A step of each run, and the best candidates of both, the likeliest anywhere first."""

    a: int | None
    b: int | None
    candidates: list[_Candidate]


class Parting(TypedDict):
    """The first step at which two runs take different tokens, counted in each.

    `probabilities` are what each thinks of its own token and of the other's.
    """

    a: int
    b: int
    probabilities: list[list[float | None]]


def steps_of(tracers: Two, decodings: Decodings, pairs: Sequence[Pair]) -> list[TwoSteps]:
    """The steps that stand beside each other."""
    known = same_token(tracers)
    return [_step(tracers, decodings, pair, known) for pair in pairs]


def parting(decodings: Decodings, tracers: Two) -> Parting | None:
    """Where two runs part; None where they never do."""
    taken = [
        list(zip(one.target.ids[one.prompt :], one.target.pieces[one.prompt :], strict=True))
        for one in decodings
    ]
    for at, (mine, its) in enumerate(zip(*taken, strict=False)):
        if mine[1] == its[1]:
            continue
        known = same_token(tracers)
        steps = [at + max(0, one.prompt - 1) for one in decodings]
        tokens = (mine[0], its[0])
        return {
            "a": steps[0],
            "b": steps[1],
            "probabilities": [
                [
                    _probability(decodings[run], steps[run], known(of, run, token))
                    for of, token in enumerate(tokens)
                ]
                for run in (0, 1)
            ],
        }
    return None


def _step(tracers: Two, decodings: Decodings, pair: Pair, known: Any) -> TwoSteps:
    found: dict[str, _Candidate] = {}
    taken: list[str | None] = [None, None]
    for run, at in enumerate(pair):
        if at is None:
            continue
        decoding = decodings[run]
        ids = decoding.steps[at].best(CANDIDATES)
        after = decoding.target.ids[at + 1 : at + 2]
        ids += [token for token in after if token not in ids]
        labels = tracers[run].labels(ids)
        for token, text, piece, kind in zip(
            ids, labels.texts, labels.pieces, labels.kinds, strict=True
        ):
            if (token,) == after:
                taken[run] = piece
            if piece in found:
                continue
            both = [
                None if other is None else _probability(decodings[of], other, known(run, of, token))
                for of, other in enumerate(pair)
            ]
            found[piece] = {
                "text": text,
                "piece": piece,
                "kind": kind,
                "a": both[0],
                "b": both[1],
                "taken": [],
            }
    listed = sorted(found.values(), key=lambda one: -max(one["a"] or 0, one["b"] or 0))
    for one in listed:
        one["taken"] = [one["piece"] == piece for piece in taken]
    return {"a": pair[0], "b": pair[1], "candidates": listed}


def _probability(decoding: Decoding, step: int, token: int | None) -> float | None:
    if token is None:
        return None
    return float(np.exp(np.float64(decoding.steps[step].log_probabilities_V[token])))


def same_token(tracers: Two) -> Any:
    """Which token of one run is a token of the other: `known(of, to, token)`, an id or None.

    Tokens are the same where their tokenizers spell them the same.
    """
    if _is_one_model(tracers):
        return lambda of, to, token: token
    ids = [_vocabulary(tracer) for tracer in tracers]
    return lambda of, to, token: (
        token if of == to else ids[to].get(tracers[of].labels([token]).pieces[0])
    )


def _is_one_model(tracers: Two) -> bool:
    """Whether both are the same model, at whatever update of its training."""
    a, b = (parted(tracer.model.name)[0] for tracer in tracers)
    return a == b


def _vocabulary(tracer: "Tracer") -> dict[str, int]:
    """The ids of a target vocabulary by its pieces."""
    size = tracer.anatomy.target_vocabulary
    return tracer.studied.of(
        "vocabulary",
        lambda: {piece: at for at, piece in enumerate(tracer.labels(range(size)).pieces)},
    )
