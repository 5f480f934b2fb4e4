"""What a head does on one sentence, in a word: the place that it looks at, by its weights.

Heads of a layer that share a word get a second one where they differ: what such a head looks at
beside that place, and the others of the word less; each another one, as far as that is so. A head
that looks at hardly anything beside its place is told by that.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from model_core.values.anatomy import SiteAnatomy
from model_core.values.habits import ON_A_SENTENCE, Rows, is_mark, rows_of
from model_core.values.head_measures import PLACES
from model_core.values.trace import Site, Tokens
from model_core.values.words import words_of

# Of a head's attention: half a row of ten, so that a second word can be seen in the picture.
LEAST_SECOND = 0.05  # outside the first place
LEAST_MORE = 0.02  # than the mean of the others of the word
LEAST_ONLY = 0.8  # of a head's attention in rows that have the place of its word, on that place
LEAST_FOUND = 0.5  # weight of the aligning head on a source word, for a row to have one

_AT_ONCE = 2**18  # weights that are looked at together, unless one layer has more

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

    The second is a place of ROLES, or the word of the keys that begins with token `key`, or "only":
    of rows that have the place of the word, all but a fifth of the attention is there. No word: no
    row of the sentence has a choice of keys.
    """

    word: str | None
    second: str | None = None
    key: int | None = None


_role = lru_cache(2**12)(Role)  # many heads do the same


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
    words = _words_of(keys)
    found = _Found(rows, dict(_places(site, rows, keys, words, aligner_QK)), words)
    together = max(1, _AT_ONCE // max(1, site.heads * rows.open_QK.size))
    left = iter(layers)
    roles: list[list[Role]] = []
    while some := list(islice(left, together)):
        roles += found.roles(np.stack(some))
    return roles


class _Words:
    """The words of the keys: which each key belongs to, and which a second word may name."""

    def __init__(self, keys: Tokens):
        words = words_of(keys)
        self.of_K = np.repeat(np.arange(len(words)), [len(word) for word in words])
        # Those that no place names already.
        named = [
            number
            for number, (first, *_) in enumerate(words)
            if keys.kinds[first] == "text" and first > 0 and not is_mark(keys, first)
        ]
        self.named = [words[number][0] for number in named]
        self.members_KW = (self.of_K[:, None] == np.array(named, int)).astype(np.float32)


_words_of = lru_cache(2**6)(_Words)


def _places(
    site: SiteAnatomy, rows: Rows, keys: Tokens, words: _Words, aligner_QK: np.ndarray | None
) -> Iterator[tuple[str, np.ndarray]]:
    """The cells (Q, K) of each place that rows with a choice have."""
    open_QK = rows.open_QK & rows.choice_Q[:, None]
    if aligner_QK is not None:
        written_QK = _written(aligner_QK, words)
        for name, turn in zip(_ALIGNED, (0, 1, -1), strict=True):
            yield name, _turned(written_QK, turn) & open_QK
    for name, place_QK in zip(PLACES[site.site], rows.places, strict=True):
        if name == "diagonal" and aligner_QK is not None:
            continue
        yield name, place_QK
        if name == "diagonal":
            last = max((at for at, kind in enumerate(keys.kinds) if kind == "text"), default=0)
            rows_Q1, columns_K = np.arange(len(open_QK))[:, None], np.arange(len(keys))
            yield "backwards", (columns_K == last - rows_Q1) & open_QK


def _written(aligner_QK: np.ndarray, words: _Words) -> np.ndarray:
    """All tokens of the source word that the aligning head looks at in each row."""
    word_Q = words.of_K[aligner_QK.argmax(axis=1)]
    word_QK = words.of_K == word_Q[:, None]
    found_Q = np.where(word_QK, aligner_QK, 0).sum(axis=1) >= LEAST_FOUND
    return np.asarray(word_QK & found_Q[:, None])


def _turned(cells_QK: np.ndarray, turn: int) -> np.ndarray:
    """The cells moved down by `turn` rows; rows beyond the ends are empty."""
    turned_QK = np.zeros_like(cells_QK)
    Q = len(cells_QK)
    turned_QK[max(turn, 0) : Q + turn] = cells_QK[max(-turn, 0) : Q - turn]
    return turned_QK


class _Found:
    """The places of a sentence, and what heads give to them.

    All heads are looked at together, as A of all layers: one at a time each is a few numbers.
    """

    def __init__(self, rows: Rows, places: Mapping[str, np.ndarray], words: _Words):
        self.choice_Q, self.words = rows.choice_Q, words
        self.choices = int(rows.choice_Q.sum())
        counts = {name: int(cells_QK.any(axis=1).sum()) for name, cells_QK in places.items()}
        least = max(1, ON_A_SENTENCE.rows * self.choices)
        self.names = [name for name, count in counts.items() if count >= least]
        shape_PQK = (len(self.names), *rows.open_QK.shape)
        self.cells_PQK = np.array([places[name] for name in self.names], bool).reshape(shape_PQK)
        # What the rows with a choice give to no place: beside each, and beside none of them.
        self.left_PQK = np.empty((len(self.names) + 2, *rows.open_QK.shape), bool)
        self.left_PQK[:] = rows.choice_Q[:, None]
        self.left_PQK[:-2] &= ~self.cells_PQK
        self.counts_P = np.array([counts[name] for name in self.names], float)
        keys_Q = np.maximum(rows.open_QK.sum(axis=1), 1)
        self.even_P = (self.cells_PQK.sum(axis=2) / keys_Q).sum(axis=1) / self.counts_P

    def roles(self, weights_LHQK: np.ndarray) -> list[list[Role]]:
        """The roles of the heads of some layers."""
        L, H, Q, K = weights_LHQK.shape
        if not self.choices:
            return [[_role(None)] * H for _ in range(L)]
        weights_AQK = weights_LHQK.reshape(L * H, Q, K)
        largest_A = weights_AQK.max(axis=2)[:, self.choice_Q].mean(axis=1)
        shares_AP = self._shares(weights_AQK) / self.counts_P
        first_A = ON_A_SENTENCE.words(shares_AP, self.even_P, largest_A)
        words = [*self.names, "sharp", "spread"]
        # Heads of a layer that share a word are a group.
        group_A = first_A + len(words) * (np.arange(L * H) // H)
        seconds = self._seconds(weights_AQK, first_A, group_A[:, None] == group_A)
        # No place is said of "sharp" and "spread".
        at_AP = np.pad(shares_AP, ((0, 0), (0, 2)))
        only_A = at_AP[np.arange(L * H), first_A] >= LEAST_ONLY
        roles = [
            _role(words[first], "only")
            if only and second == (None, None)
            else _role(words[first], *second)
            for first, second, only in zip(first_A.tolist(), seconds, only_A.tolist(), strict=True)
        ]
        return [roles[at : at + H] for at in range(0, L * H, H)]

    def _shares(self, weights_AQK: np.ndarray) -> np.ndarray:
        """What each place gets of each head in all rows together (A, P)."""
        A, Q, K = weights_AQK.shape
        cells_CP = self.cells_PQK.reshape(-1, Q * K).T.astype(weights_AQK.dtype)
        return np.asarray(weights_AQK.reshape(A, Q * K) @ cells_CP, float)

    def _seconds(
        self, weights_AQK: np.ndarray, first_A: np.ndarray, grouped_AA: np.ndarray
    ) -> list[tuple[str | None, int | None]]:
        """What each head looks at more than the others of its group, beside its first place.

        Shares are of the attention of all rows with a choice, so that they can be compared.
        """
        P = len(self.names)
        left_AQK = weights_AQK * self.left_PQK[first_A]
        of_words_AW = left_AQK.sum(axis=1) @ self.words.members_KW
        shares_AN = np.concatenate([self._shares(left_AQK), of_words_AW], axis=1) / self.choices
        others_A = grouped_AA.sum(axis=1) - 1
        sums_AN = grouped_AA @ shares_AN - shares_AN
        others_AN = sums_AN / np.maximum(others_A, 1)[:, None]
        differs_AN = (shares_AN >= LEAST_SECOND) & (shares_AN - others_AN >= LEAST_MORE)
        differs_AN &= others_A[:, None] > 0
        seconds = _each_another(shares_AN - others_AN, differs_AN, grouped_AA.argmax(axis=1))
        return [
            (None, None)
            if second is None
            else (self.names[second], None)
            if second < P
            else (None, self.words.named[second - P])
            for second in seconds
        ]


def _each_another(
    more_AN: np.ndarray, differs_AN: np.ndarray, group_A: np.ndarray
) -> list[int | None]:
    """One of N for each head that has any: those that are most so choose first.

    Another one than its group has taken, unless all that it has are taken.
    """
    heads, names = np.nonzero(differs_AN)
    order = np.argsort(-more_AN[heads, names], kind="stable")
    ranked = list(zip(heads[order].tolist(), names[order].tolist(), strict=True))
    group: list[int] = group_A.tolist()
    chosen: list[int | None] = [None] * len(group)
    taken: set[tuple[int, int]] = set()
    for head, name in ranked:
        if chosen[head] is None and (group[head], name) not in taken:
            chosen[head] = name
            taken.add((group[head], name))
    for head, name in ranked:
        if chosen[head] is None:
            chosen[head] = name
    return chosen
