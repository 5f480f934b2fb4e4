"""What a head does, in numbers: how spread it is, and what part of its attention each place gets.

The page takes the same measures of the rows that it has, by the same places: stage/run/habits.js.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from model_core.values.anatomy import SiteAnatomy
from model_core.values.head_measures import PLACES
from model_core.values.trace import Tokens


@dataclass(frozen=True)
class Bounds:
    """From which numbers on a word says what heads do."""

    share: float  # of a head's attention, for a word that says where it goes
    times_even: float  # as much as a head that looks at all keys alike gives that place
    rows: float = 0.5  # of the rows with a choice, that have such a place at all
    sharp: float = 0.5  # mean of the largest weights, from which on a head is no longer spread

    def words(self, shares_AP: np.ndarray, even_P: np.ndarray, largest_A: np.ndarray) -> np.ndarray:
        """The place of each head that gets most, where that is much; else P: sharp, P + 1: spread.

        `even_P` are the shares of a head that looks at all keys alike, `largest_A` the means of the
        largest weights.
        """
        P = len(even_P)
        unplaced_A = np.where(largest_A >= self.sharp, P, P + 1)
        if not P:
            return unplaced_A
        much_AP = shares_AP >= np.maximum(self.share, self.times_even * even_P)
        most_A = np.where(much_AP, shares_AP, 0.0).argmax(axis=1)
        return np.where(much_AP.any(axis=1), most_A, unplaced_A)


OVER_A_CORPUS = Bounds(share=0.5, times_even=2)
ON_A_SENTENCE = Bounds(share=1 / 3, times_even=1.5)


@dataclass(frozen=True, eq=False)
class Rows:
    """Which rows of a sentence count at a site, and where each place is."""

    counts_Q: np.ndarray  # all but those of pads
    choice_Q: np.ndarray  # of them those that may look at more than one key
    open_QK: np.ndarray  # which keys a row may look at
    places: tuple[np.ndarray, ...]  # the cells (Q, K) of each of PLACES, of rows with a choice

    @cached_property
    def cells(self) -> list[tuple[np.ndarray, ...]]:
        """The rows and columns of each of PLACES."""
        return [np.nonzero(place_QK) for place_QK in self.places]

    @property
    def totals(self) -> np.ndarray:
        """Over how many rows each measure is a mean: entropy, largest weight, places (2 + P)."""
        of_places = [len(np.unique(rows)) for rows, _ in self.cells]
        return np.array([self.counts_Q.sum(), self.choice_Q.sum(), *of_places], float)

    def sums(self, weights_HQK: np.ndarray) -> np.ndarray:
        """The sums over those rows (H, 2 + P): entropy in bits, largest weight, shares."""
        bits_HQ = entropy(weights_HQK)[:, self.counts_Q]
        largest_HQ = weights_HQK.max(axis=2)[:, self.choice_Q]
        shares = [weights_HQK[:, rows, columns].sum(axis=1) for rows, columns in self.cells]
        return np.stack([bits_HQ.sum(axis=1), largest_HQ.sum(axis=1), *shares], axis=1)

    @property
    def even(self) -> np.ndarray:
        """The sums of the shares (P) that a head has which looks at all keys of a row alike."""
        keys_Q = self.open_QK.sum(axis=1)
        return np.array([(1 / keys_Q[rows]).sum() for rows, _ in self.cells], float)


def entropy(weights: np.ndarray) -> np.ndarray:
    """Of each row, over the last axis, in bits."""
    logs = np.maximum(weights, np.finfo(weights.dtype).tiny)  # 0 log 0 is 0
    np.log2(logs, out=logs)
    return np.asarray(-np.einsum("...k,...k->...", weights, logs))


def rows_of(
    site: SiteAnatomy, queries: Tokens, keys: Tokens, mask_QK: np.ndarray | None = None
) -> Rows:
    """The rows of a sentence at a site; a row with one key only has no place.

    `mask_QK` is the model's own, where it hides more than pads and what comes later.
    """
    Q, K = len(queries), len(keys)
    open_QK = np.tile(np.array([kind != "pad" for kind in keys.kinds]), (Q, 1))
    if site.causal:
        open_QK &= np.tri(Q, K, dtype=bool)
    if mask_QK is not None:
        open_QK &= mask_QK
    counts_Q = np.array([kind != "pad" or site.rows == "target" for kind in queries.kinds])
    choice_Q = counts_Q & (open_QK.sum(axis=1) > 1)
    specials = [at for at, kind in enumerate(keys.kinds) if kind == "special"]
    last = specials[-1] if specials else -1
    slope = (last if last > 0 else K - 1) / max(1, Q - 1)
    rows_Q1, columns_K = np.arange(Q)[:, None], np.arange(K)
    cells: dict[str, Callable[[], np.ndarray]] = {
        "previous": lambda: columns_K == rows_Q1 - 1,
        "itself": lambda: columns_K == rows_Q1,
        "next": lambda: columns_K == rows_Q1 + 1,
        "first": lambda: columns_K == 0,
        "start": lambda: columns_K == 0,
        "end": lambda: (columns_K == last) & (last > 0),
        "marks": lambda: np.array([is_mark(keys, at) for at in range(K)]),
        "diagonal": lambda: np.abs(columns_K - slope * rows_Q1) <= 1,
    }
    allowed_QK = open_QK & choice_Q[:, None]
    places = tuple(cells[name]() & allowed_QK for name in PLACES[site.site])
    return Rows(counts_Q, choice_Q, open_QK, places)


def is_mark(tokens: Tokens, at: int) -> bool:
    """Whether a token is punctuation and nothing else."""
    return tokens.kinds[at] == "text" and _is_punctuation(tokens.texts[at])


@lru_cache(2**14)
def _is_punctuation(text: str) -> bool:
    letters = text.strip()
    return letters != "" and all(unicodedata.category(one).startswith("P") for one in letters)
