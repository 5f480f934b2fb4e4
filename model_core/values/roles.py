"""What a head does on one sentence, in a word: the place that it looks at, by its weights.

Heads of a layer that share a word get a second one where they differ: what such a head looks at
beside that place, and the others of the word less.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from model_core.values.anatomy import SiteAnatomy
from model_core.values.habits import Rows, is_mark, rows_of
from model_core.values.head_measures import PLACES
from model_core.values.trace import Site, Tokens
from model_core.values.words import Words, words_of

LEAST_SHARE = 1 / 3  # of a head's attention, for a word that says where it goes
TIMES_EVEN = 1.5  # as much as a head that looks at all keys alike gives that place
LEAST_ROWS = 0.5  # of the rows with a choice, that have such a place at all
SHARP = 0.5  # mean of the largest weights, from which on a head is no longer spread
LEAST_SECOND = 0.1  # of a head's attention, outside the first place
LEAST_MORE = 0.03  # of a head's attention, than the mean of the others of the word
LEAST_FOUND = 0.5  # weight of the aligning head on a source word, for a row to have one

# Where the source word of each step is known. It is the one that the aligning head looks at.
_ALIGNED = ("written", "fed", "coming")
# Where it is not known: moving through the source at the pace of the target, or from its end.
_PACED = ("diagonal", "backwards")
# The words for what heads of a site do.
ROLES: Mapping[Site, tuple[str, ...]] = {
    site: (
        *(_ALIGNED + _PACED if site == "cross" else ()),
        *(place for place in places if place != "diagonal"),
        *("sharp", "spread"),
    )
    for site, places in PLACES.items()
}


@dataclass(frozen=True)
class Role:
    """What a head does: a word of ROLES, and where others share it a second one.

    The second is a place of ROLES, or the word of the keys that begins with token `key`. No word:
    no row of the sentence has a choice of keys.
    """

    word: str | None
    second: str | None = None
    key: int | None = None


def roles_of(
    site: SiteAnatomy,
    queries: Tokens,
    keys: Tokens,
    layers: Iterable[np.ndarray],
    aligner_QK: np.ndarray | None = None,
    mask_QK: np.ndarray | None = None,
) -> list[list[Role]]:
    """The role of every head of a site, from the weights (H, Q, K) of each layer.

    `aligner_QK` are the weights of the head that finds the source word of each step, where the
    model has one that was measured to; `mask_QK` as in `rows_of`.
    """
    rows = rows_of(site, queries, keys, mask_QK)
    words = words_of(keys)
    places = dict(_places(site, rows, keys, words, aligner_QK))
    found = _Found(rows, places, words, keys)
    return [found.roles(weights_HQK) for weights_HQK in layers]


def _places(
    site: SiteAnatomy, rows: Rows, keys: Tokens, words: Words, aligner_QK: np.ndarray | None
) -> Iterator[tuple[str, np.ndarray]]:
    """The cells (Q, K) of each place that rows with a choice have."""
    open_QK = rows.open_QK & rows.choice_Q[:, None]
    if aligner_QK is not None:
        written_QK = _written(aligner_QK, words)
        for name, turn in zip(_ALIGNED, (0, 1, -1), strict=True):
            yield name, _turned(written_QK, turn) & open_QK
    for name, cells in zip(PLACES[site.site], rows.cells, strict=True):
        if name == "diagonal" and aligner_QK is not None:
            continue
        place_QK = np.zeros_like(open_QK)
        place_QK[cells] = True
        yield name, place_QK
        if name == "diagonal":
            last = max((at for at, kind in enumerate(keys.kinds) if kind == "text"), default=0)
            rows_Q1, columns_K = np.arange(len(open_QK))[:, None], np.arange(len(keys))
            yield "backwards", (columns_K == last - rows_Q1) & open_QK


def _written(aligner_QK: np.ndarray, words: Words) -> np.ndarray:
    """All tokens of the source word that the aligning head looks at in each row."""
    written_QK = np.zeros(aligner_QK.shape, bool)
    of = {key: list(word) for word in words for key in word}
    for row, key in enumerate(aligner_QK.argmax(axis=1).tolist()):
        if aligner_QK[row, of[key]].sum() >= LEAST_FOUND:
            written_QK[row, of[key]] = True
    return written_QK


def _turned(cells_QK: np.ndarray, turn: int) -> np.ndarray:
    """The cells of so many rows before; rows beyond the ends are empty."""
    turned_QK = np.zeros_like(cells_QK)
    Q = len(cells_QK)
    for row in range(Q):
        if 0 <= row - turn < Q:
            turned_QK[row] = cells_QK[row - turn]
    return turned_QK


class _Found:
    """The places of a sentence, and what heads give to them."""

    def __init__(self, rows: Rows, places: Mapping[str, np.ndarray], words: Words, keys: Tokens):
        self.choice_Q = rows.choice_Q
        choices = int(rows.choice_Q.sum())
        counts = {name: int(cells_QK.any(axis=1).sum()) for name, cells_QK in places.items()}
        self.names = [
            name for name, count in counts.items() if count and count >= LEAST_ROWS * choices
        ]
        shape_PQK = (len(self.names), *rows.open_QK.shape)
        self.cells_PQK = np.array([places[name] for name in self.names], bool).reshape(shape_PQK)
        self.counts_P = np.array([counts[name] for name in self.names], float)
        keys_Q = np.maximum(rows.open_QK.sum(axis=1), 1)
        even_P = (self.cells_PQK.sum(axis=2) / keys_Q).sum(axis=1) / self.counts_P
        self.least_P = np.maximum(LEAST_SHARE, TIMES_EVEN * even_P)
        # Of the columns, words that no place names already.
        self.words = [
            list(word)
            for word in words
            if keys.kinds[word[0]] == "text" and word[0] > 0 and not is_mark(keys, word[0])
        ]

    def roles(self, weights_HQK: np.ndarray) -> list[Role]:
        """Those of the heads of a layer."""
        if not self.choice_Q.any():
            return [Role(None) for _ in weights_HQK]
        firsts = self._firsts(weights_HQK)
        roles = [Role(first) for first in firsts]
        for first in dict.fromkeys(firsts):
            heads = [head for head, other in enumerate(firsts) if other == first]
            if len(heads) > 1:
                seconds = self._seconds(weights_HQK[heads], first)
                for head, second in zip(heads, seconds, strict=True):
                    roles[head] = Role(first, *second)
        return roles

    def _shares(self, weights_HQK: np.ndarray) -> np.ndarray:
        """What each place gets of each head in all rows together (H, P)."""
        H, P = len(weights_HQK), len(self.names)
        return np.asarray(weights_HQK.reshape(H, -1) @ self.cells_PQK.reshape(P, -1).T, float)

    def _firsts(self, weights_HQK: np.ndarray) -> list[str]:
        """The place that gets most, where that is much; else whether the head is sharp."""
        shares_HP = self._shares(weights_HQK) / self.counts_P
        shares_HP[shares_HP < self.least_P] = 0.0
        sharp_H = weights_HQK[:, self.choice_Q].max(axis=2).mean(axis=1) >= SHARP
        return [
            self.names[int(shares_P.argmax())]
            if shares_P.any()
            else ("sharp" if is_sharp else "spread")
            for shares_P, is_sharp in zip(shares_HP, sharp_H, strict=True)
        ]

    def _seconds(
        self, weights_HQK: np.ndarray, first: str
    ) -> list[tuple[str, None] | tuple[None, int | None]]:
        """What each of the heads with a first word looks at most more than the others of them.

        Shares are of the attention of all rows with a choice, so that they can be compared.
        """
        left_QK = np.repeat(self.choice_Q[:, None], weights_HQK.shape[2], axis=1)
        if first in self.names:
            left_QK &= ~self.cells_PQK[self.names.index(first)]
        left_HQK = weights_HQK * left_QK
        left_HK = left_HQK.sum(axis=1)
        of_words = [left_HK[:, word].sum(axis=1) for word in self.words]
        shares_HN = np.column_stack([self._shares(left_HQK), *of_words]) / self.choice_Q.sum()
        others_HN = (shares_HN.sum(axis=0) - shares_HN) / (len(shares_HN) - 1)
        more_HN = np.where(shares_HN >= LEAST_SECOND, shares_HN - others_HN, 0.0)
        best_H, P = more_HN.argmax(axis=1).tolist(), len(self.names)
        return [
            (None, None)
            if more_N[best] < LEAST_MORE
            else ((self.names[best], None) if best < P else (None, self.words[best - P][0]))
            for more_N, best in zip(more_HN, best_H, strict=True)
        ]
