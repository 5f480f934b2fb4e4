"""The history of a training: what was noted at some of its updates, and what heads read then."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from model_core.values.trace import Site

MOST_NOTES = 64
CURVES = (
    "updates_N",
    "learnt_N",
    "rate_N",
    "loss_N",
    "score_N",
)  # the fields with one number a note
LEVELS = 255  # a weight is kept as a whole number of so many parts


@dataclass(frozen=True, eq=False)
class History:
    """N notes of one training; the first is of update 0, before anything was learnt.

    Means over a sample of held-out sentences, teacher-forced; `weights` are of the sentences that
    are named, one array (N, L, H, Q, K) each, in parts of 255.
    """

    fingerprint: str  # of the weights that the training ended with
    score: str  # what score_N counts: "exact" (percent of outputs) or "chrf"
    broken: str  # how the causal mask was broken while it learnt: "none", "ahead", "behind"; or ""
    updates_N: np.ndarray
    # Nats per token of the updates since the note before; NaN at the first, and at a last one that
    # was taken after heads were taught to align words, for which another loss and rate count.
    learnt_N: np.ndarray
    rate_N: np.ndarray  # learning rate; NaN at such a last note
    loss_N: np.ndarray  # nats per token of the sample, with the right masks
    score_N: np.ndarray  # of what it writes alone, with the right masks
    entropy_NLH: Mapping[Site, np.ndarray]  # bits, a mean over the rows; as it learns
    # Cross, as it learns: the weight on the letter to write, of a reversal; of a translation on the
    # token that an aligner links to the one that is written. None in a file that lacks it.
    copied_NLH: np.ndarray | None
    # Of each sentence the ids of its source, and those of its target from start to end.
    sentences: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    weights: Mapping[Site, tuple[np.ndarray, ...]]  # as it learns: with the mask that was used

    @property
    def guided(self) -> bool:
        """Whether heads were taught to align words before the last note."""
        return bool(np.isnan(self.rate_N[-1]))


def noted_updates(count: int, updates: int) -> tuple[int, ...]:
    """Some `count` updates of a training, evenly spaced by their logarithm, the last among them."""
    spaced = np.geomspace(1, updates, max(count, 2)).tolist() if count else []
    return tuple(sorted(set(map(round, spaced))))
