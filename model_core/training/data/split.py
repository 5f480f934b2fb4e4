"""From clean pairs to a training and a validation part that share nothing.

Everything follows from the pairs and a seed.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from model_core.errors import CorpusError
from model_core.training.data.cleaning import SentencePair
from model_core.training.data.leaks import Leak, find_leaks, same_words

MOST_HELD_OUT = 1000  # sources, unless another number is asked for
_SHARE_HELD_OUT = 20  # one source in this many, in a small corpus


@dataclass(frozen=True, eq=False)
class Split:
    """Two parts without a side in common, and what had to go to keep them apart."""

    train: tuple[SentencePair, ...]
    valid: tuple[SentencePair, ...]
    near: tuple[Leak, ...]  # training pairs that were removed
    clusters: int
    largest_cluster: int  # pairs


def split(pairs: Sequence[SentencePair], sources: int, seed: int) -> Split:
    """A training part, and about `sources` sources with all their targets held out (0: a default).

    Pairs that share a side, directly or through others, form a cluster, and a cluster is never
    divided. Training pairs within one word of a held-out side are removed.
    """
    names = {same_words(pair.source) for pair in pairs}
    wanted = sources or min(MOST_HELD_OUT, max(1, len(names) // _SHARE_HELD_OUT))
    if wanted >= len(names):
        raise CorpusError(
            f"{wanted} of {len(names)} different sources cannot be held out; nothing would be left "
            "to train on. Give more pairs, or a smaller --valid."
        )
    clusters = _clusters(pairs)
    # A cluster that is a large part of what is wanted would make the validation part one-sided.
    most = max(1, wanted // 20)
    order = sorted(clusters)
    random.Random(seed).shuffle(order)
    held_out: set[int] = set()
    taken = 0
    for root in order:
        size = len({same_words(pairs[row].source) for row in clusters[root]})
        if size <= most and taken + size <= wanted:
            held_out.update(clusters[root])
            taken += size
    if not held_out:
        raise CorpusError(
            "No cluster of pairs is small enough: those that share a side stay together, and a "
            f"validation part of {wanted} sources takes none with more than {most}. "
            "Give more pairs, or a larger --valid."
        )
    valid = [pair for row, pair in enumerate(pairs) if row in held_out]
    rest = [pair for row, pair in enumerate(pairs) if row not in held_out]
    near = find_leaks(rest, valid)
    removed = {leak.pair.line for leak in near}
    train = tuple(pair for pair in rest if pair.line not in removed)
    if not train:
        raise CorpusError(
            "Every other pair is within one word of a held-out one, so that nothing is left to "
            "train on. Give more varied pairs."
        )
    largest = max(map(len, clusters.values()))
    return Split(train, tuple(valid), near, len(clusters), largest)


def _clusters(pairs: Sequence[SentencePair]) -> dict[int, list[int]]:
    """The rows of each cluster under the first of them."""
    parent = list(range(len(pairs)))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = row = parent[parent[row]]
        return row

    first: dict[tuple[str, ...], int] = {}
    for row, pair in enumerate(pairs):
        for side, text in zip("st", pair.sides, strict=True):
            known = first.setdefault((side, *same_words(text)), row)
            low, high = sorted((root(known), root(row)))
            parent[high] = low
    clusters: dict[int, list[int]] = {}
    for row in range(len(pairs)):
        clusters.setdefault(root(row), []).append(row)
    return clusters
