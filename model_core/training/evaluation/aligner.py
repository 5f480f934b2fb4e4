"""A word aligner independent of the model: fast_align, both directions, on its tokens.

It knows sentence pairs only. Tokens stand for words; a link joins a target token to the source
token that explains it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from model_core.training.data.corpus import EncodedPair

NULL = 0  # the id of the pad: stands for "no source token", as in Brown et al. 1993
TENSION = 4.0  # lambda of Dyer et al. 2013: how strongly a link prefers the diagonal
_NULL_PRIOR = 0.08  # their p0
_BOTH = 0.1  # least product of the two directions' posteriors that makes a link


@dataclass(frozen=True, eq=False)
class Lexicon:
    """t(target token | source token) for the pairs of tokens seen together."""

    keys_N: np.ndarray  # source id x `targets` + target id, sorted
    probabilities_N: np.ndarray
    targets: int
    tension: float = 0.0

    def probability(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """t(target | source) of broadcast ids; 0 for a pair never seen together."""
        wanted = source.astype(np.int64) * self.targets + target
        places = np.searchsorted(self.keys_N, wanted).clip(max=len(self.keys_N) - 1)
        return np.where(self.keys_N[places] == wanted, self.probabilities_N[places], 0.0)

    def posterior(self, pair: EncodedPair) -> np.ndarray:
        """(target words, 1 + source words): what explains each target token, column 0 for nothing.

        A row of a token that was never seen with any of them is zeros.
        """
        source, target = np.array([NULL, *pair.source[:-1]]), np.array(pair.target[1:-1])
        table_TS = self.probability(source[None, :], target[:, None])
        table_TS *= prior(len(target), len(source) - 1, self.tension)
        total_T1 = table_TS.sum(axis=1, keepdims=True)
        return np.divide(table_TS, total_T1, out=np.zeros_like(table_TS), where=total_T1 > 0)


def prior(targets: int, sources: int, tension: float) -> np.ndarray:
    """(targets, 1 + sources): how probable each link is before the words are known.

    With tension 0 all are equally probable, which is IBM model 1. Otherwise Dyer et al. 2013,
    equation 1: it falls off with the distance from the diagonal.
    """
    if not tension:
        return np.full((targets, 1 + sources), 1 / (1 + sources))
    places_T1 = (np.arange(targets)[:, None] + 1) / targets
    places_S = (np.arange(sources) + 1) / max(sources, 1)
    near_TS = np.exp(-tension * np.abs(places_T1 - places_S))
    near_TS *= (1 - _NULL_PRIOR) / np.maximum(near_TS.sum(axis=1, keepdims=True), 1e-300)
    return np.concatenate([np.full((targets, 1), _NULL_PRIOR), near_TS], axis=1)


def learn_lexicon(
    pairs: Sequence[EncodedPair], targets: int, rounds: int = 5, tension: float = 0.0
) -> Lexicon:
    """A lexicon by expectation maximisation over pairs of token sequences.

    With tension 0 it is IBM model 1 (Brown et al. 1993), else the model of Dyer et al. 2013 with a
    fixed lambda.
    """
    keys, rows, priors, row = [], [], [], 0
    for pair in pairs:
        source = np.array([NULL, *pair.source[:-1]], dtype=np.int64)
        target = np.array(pair.target[1:-1], dtype=np.int64)
        keys.append((target[:, None] + source * targets).ravel())
        rows.append(np.repeat(np.arange(row, row + len(target)), len(source)))
        priors.append(prior(len(target), len(source) - 1, tension).ravel())
        row += len(target)
    keys_N, places_M = np.unique(np.concatenate(keys), return_inverse=True)
    rows_M, prior_M = np.concatenate(rows), np.concatenate(priors)
    sources_N = keys_N // targets
    probabilities_N = np.full(len(keys_N), 1.0)
    for _ in range(rounds):
        weights_M = probabilities_N[places_M] * prior_M
        weights_M /= np.bincount(rows_M, weights_M)[rows_M]  # who explains this target token
        counts_N = np.bincount(places_M, weights_M, len(keys_N))
        probabilities_N = counts_N / np.bincount(sources_N, counts_N)[sources_N]
    return Lexicon(keys_N, probabilities_N, targets, tension)


@dataclass(frozen=True, eq=False)
class Aligner:
    """Two lexicons, one in each direction; a link needs both."""

    forward: Lexicon
    backward: Lexicon

    def links(self, pair: EncodedPair) -> np.ndarray:
        """For each target word the source position that explains it, -1 where there is none.

        The position with the largest product of the two directions' posteriors (Liang et al. 2006),
        where that product is large enough.
        """
        both_TS = self.forward.posterior(pair)[:, 1:]
        both_TS = both_TS * self.backward.posterior(_turned(pair))[:, 1:].T
        if both_TS.shape[1] == 0:
            return np.full(len(both_TS), -1)
        return np.where(both_TS.max(axis=1) >= _BOTH, both_TS.argmax(axis=1), -1)


def learn_aligner(
    pairs: Sequence[EncodedPair], sources: int, targets: int, tension: float = TENSION
) -> Aligner:
    """The aligner of these pairs; `sources` and `targets` are the sizes of the vocabularies."""
    turned = [_turned(pair) for pair in pairs]
    return Aligner(
        learn_lexicon(pairs, targets, tension=tension),
        learn_lexicon(turned, sources, tension=tension),
    )


def with_links(pairs: Sequence[EncodedPair], aligner: Aligner) -> Iterator[EncodedPair]:
    """The same pairs, each with the link of every token that it predicts."""
    for pair in pairs:
        links = (*aligner.links(pair).tolist(), -1)  # the end token is unaligned
        yield EncodedPair(pair.source, pair.target, links)


def _turned(pair: EncodedPair) -> EncodedPair:
    """The pair in the other direction."""
    start, end = pair.target[0], pair.target[-1]
    return EncodedPair((*pair.target[1:-1], end), (start, *pair.source[:-1], end))
