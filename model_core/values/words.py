"""Words: which tokens make one, and what an attention is between words instead of tokens.

A word's weight is the sum over its tokens as keys and the mean over its tokens as queries, so a
row still sums to 1, or is empty.
"""

from collections.abc import Sequence

import numpy as np

from model_core.values.trace import Tokens

Words = tuple[tuple[int, ...], ...]  # the places of the tokens of each, in their order

_BEGINS = ("▁", "Ġ")  # before a piece that begins a word
_GOES_ON = "##"  # before a piece that does not, of other tokenizers
_INSIDE = ("'", "\u2019", "-", "\u2010")  # what stands between letters of one word
# Where scripts begin and end that write no space between words: Thai to Tibetan, Myanmar, Khmer,
# kana and Han.
_UNSPACED = (
    *((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF)),
    *((0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)),
)


def words_of(tokens: Tokens) -> Words:
    """The words of a sentence; a special token, a mark, or a letter by itself is one too.

    Some tokenizers mark where a word begins (▁, Ġ), some where one goes on (##); without such
    marks, and in scripts without spaces, every token is a word. What stands inside a word, an
    apostrophe or a hyphen between letters, belongs to it.
    """
    marked = any(piece.startswith(_BEGINS) for piece in tokens.pieces)
    words: list[list[int]] = []
    for i in range(len(tokens)):
        if i and _goes_on(tokens, i, marked):
            words[-1].append(i)
        else:
            words.append([i])
    return tuple(map(tuple, words))


def _goes_on(tokens: Tokens, i: int, marked: bool) -> bool:
    """Whether a token belongs to the word of the one before it."""
    if not tokens.kinds[i] == tokens.kinds[i - 1] == "text":
        return False
    if tokens.pieces[i].startswith(_BEGINS):
        return False
    if not (marked or tokens.pieces[i].startswith(_GOES_ON)):
        return False
    before, text = tokens.texts[i - 1], tokens.texts[i]
    if text in _INSIDE:
        after = i + 1 < len(tokens) and tokens.kinds[i + 1] == "text" and tokens.texts[i + 1]
        begins = after and tokens.pieces[i + 1].startswith(_BEGINS)
        return bool(after and not begins and _is_spaced(after[:1]) and _is_spaced(before[-1:]))
    return _is_spaced(text[:1]) and (_is_spaced(before[-1:]) or before in _INSIDE)


def text_of(word: Sequence[int], tokens: Tokens) -> str:
    """The word as it is written, with spaces where it is several."""
    spaced = (tokens.pieces[token].replace("▁", " ").replace("Ġ", " ") for token in word)
    return "".join(piece.removeprefix(_GOES_ON) for piece in spaced).strip()


def between_words(weights_AQK: np.ndarray, queries: Words, keys: Words) -> np.ndarray:
    """Weights (..., Q, K) as weights (..., words of the queries, words of the keys).

    The sum over the tokens of a word as keys, the mean over its tokens as queries; in float64,
    given back in the type of the weights.
    """
    queries_WQ = _members(queries, weights_AQK.shape[-2])
    keys_WK = _members(keys, weights_AQK.shape[-1])
    means_WQ = queries_WQ / np.maximum(queries_WQ.sum(-1, keepdims=True), 1)
    return (means_WQ @ weights_AQK.astype(np.float64) @ keys_WK.T).astype(weights_AQK.dtype)


def _members(words: Words, tokens: int) -> np.ndarray:
    """(W, T): 1.0 where a token belongs to a word."""
    members_WT = np.zeros((len(words), tokens))
    for at, word in enumerate(words):
        members_WT[at, list(word)] = 1
    return members_WT


def _is_spaced(letter: str) -> bool:
    """Whether it is a letter or digit of a script that puts spaces between words."""
    return letter.isalnum() and not any(low <= ord(letter) <= high for low, high in _UNSPACED)
