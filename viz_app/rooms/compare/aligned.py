"""Which token of one sequence stands beside which of another: by position, or by text."""

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from model_core.values.trace import Tokens
from model_core.values.words import Words, text_of, words_of

Pair = tuple[int | None, int | None]  # a place of A and one of B; None where there is none


def aligned(a: Tokens, b: Tokens, how: str) -> list[Pair]:
    """The places of two sequences side by side, each once and in its order.

    By "position" the first stands beside the first; by "text" the tokens of a longest common
    subsequence stand beside each other, and the others alone, those of A first.
    """
    if how == "position":
        most = max(len(a), len(b))
        return [(i if i < len(a) else None, i if i < len(b) else None) for i in range(most)]
    return _with_others(_common(_spelled(a), _spelled(b)), len(a), len(b))


def aligned_at_their_first(a: Words, b: Words, pairs: Sequence[Pair]) -> list[Pair]:
    """The words that stand beside each other where their first tokens do; the others stand alone.

    `pairs` are those of the tokens.
    """
    firsts = [{word[0]: at for at, word in enumerate(words)} for words in (a, b)]
    both = [(firsts[0].get(i), firsts[1].get(j)) for i, j in zip(*common(pairs), strict=True)]
    beside = [(i, j) for i, j in both if i is not None and j is not None]
    return _with_others(beside, len(a), len(b))


def _with_others(beside: Sequence[tuple[int, int]], N: int, M: int) -> list[Pair]:
    """Places of A and B beside each other, with those between them, alone; those of A first."""
    pairs: list[Pair] = []
    i = j = 0
    for next_i, next_j in [*beside, (N, M)]:
        pairs += [(at, None) for at in range(i, next_i)] + [(None, at) for at in range(j, next_j)]
        if next_i < N:
            pairs.append((next_i, next_j))
        i, j = next_i + 1, next_j + 1
    return pairs


def words_beside(a: Sequence[str], b: Sequence[str]) -> list[tuple[str | None, str | None]]:
    """The words of two texts side by side: equal ones, and between them one for one.

    None where the other text has more words.
    """
    pairs: list[tuple[str | None, str | None]] = []
    i = j = 0
    for next_i, next_j in [*_common(a, b), (len(a), len(b))]:
        pairs += zip_longest(a[i:next_i], b[j:next_j])
        pairs += zip(a[next_i : next_i + 1], b[next_j : next_j + 1], strict=True)
        i, j = next_i + 1, next_j + 1
    return pairs


def words_written(target: Tokens, first: int = 0) -> list[str]:
    """The words of a translation from a token on, without what is special in it."""
    return [
        text_of(word, target)
        for word in words_of(target)
        if word[0] >= first and target.kinds[word[0]] != "special"
    ]


def common(pairs: Sequence[Pair]) -> tuple[list[int], list[int]]:
    """The places of A and of B that stand beside each other."""
    both = [(i, j) for i, j in pairs if i is not None and j is not None]
    return [i for i, _ in both], [j for _, j in both]


def joined(pairs: Sequence[Pair], texts: Sequence[Sequence[str]]) -> list[str]:
    """What stands at each place, of `texts` of A and of B: both where they are others."""
    found = [["" if at is None else texts[of][at] for of, at in enumerate(pair)] for pair in pairs]
    return [one[0] if one[0] == one[1] else " | ".join(filter(None, one)) for one in found]


def _spelled(tokens: Tokens) -> list[tuple[bool, str]]:
    """What makes two tokens the same; a special one is no word that is spelled like it."""
    texts = zip(tokens.kinds, tokens.texts, tokens.pieces, strict=True)
    return [
        (kind == "text", text.strip() if kind == "text" else piece) for kind, text, piece in texts
    ]


def _common(a: Sequence[object], b: Sequence[object]) -> list[tuple[int, int]]:
    """A longest common subsequence, as the places of its members; of several the last to begin."""
    numbers: dict[object, int] = {}
    a_N, b_M = (np.array([numbers.setdefault(one, len(numbers)) for one in s], int) for s in (a, b))
    length_NM = np.zeros((len(a) + 1, len(b) + 1), int)  # of what the first so many have in common
    for i, one in enumerate(a_N):
        longer_M = np.maximum(length_NM[i, 1:], length_NM[i, :-1] + (b_M == one))
        length_NM[i + 1, 1:] = np.maximum.accumulate(longer_M)
    found = []
    i, j = len(a), len(b)
    while i and j:
        if a_N[i - 1] == b_M[j - 1]:  # taking the last match never makes it shorter
            found.append((i - 1, j - 1))
            i, j = i - 1, j - 1
        elif length_NM[i - 1, j] >= length_NM[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return found[::-1]
