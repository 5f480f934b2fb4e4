"""Words: which tokens make one, and what an attention is between words instead of tokens.

A word's weight is the sum over its tokens as keys and the mean over its tokens as queries, so a
row still sums to 1, or is empty.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

import numpy as np

from model_core.values.trace import ROWS, AttentionTrace, Decoding, Site, TokenKind, Tokens

Words = tuple[tuple[int, ...], ...]  # the places of the tokens of each, in their order

_BEGINS = ("▁", "Ġ")  # before a piece that begins a word
_GOES_ON = "##"  # before a piece that does not, of other tokenizers
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")  # a piece that is one byte, in our tokenizers and others
# What a byte-level tokenizer calls a token that is not all of a character: some of it may be text.
_BYTES = re.compile(r"((?:<0x[89A-F][0-9A-F]>)+)")
_INSIDE = ("'", "\u2019", "-", "\u2010")  # what stands between letters of one word
# Where scripts begin and end that write no space between words: Thai to Tibetan, Myanmar, Khmer,
# kana and Han.
_UNSPACED = (
    *((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF)),
    *((0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)),
)


_PENDING = Tokens((-1,), ("…",), ("…",), ("text",), (None,))  # what is not written yet


@lru_cache(2**8)  # of a source every step of its translation asks, several times
def words_of(tokens: Tokens) -> Words:
    """The words of a sentence; a special token, a mark, or a letter by itself is one too.

    Some tokenizers mark where a word begins (▁, Ġ), some where one goes on (##); without such
    marks, and in scripts without spaces, every token is a word. What stands inside a word, an
    apostrophe or a hyphen between letters, belongs to it; a space that is a token goes with what
    follows it, as before a French question mark. The bytes of a character are that character.
    """
    characters = _characters(range(len(tokens)), tokens)
    if len(characters) < len(tokens):
        words_of_characters = words_of(as_tokens(characters, tokens))
        return tuple(tuple(chain(*(characters[i] for i in w))) for w in words_of_characters)
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
    before, text = _bare(tokens, i - 1), _bare(tokens, i)
    if not before.strip():
        return True
    if text in _INSIDE:
        after = i + 1 < len(tokens) and tokens.kinds[i + 1] == "text" and tokens.texts[i + 1]
        begins = after and tokens.pieces[i + 1].startswith(_BEGINS)
        return bool(after and not begins and _is_spaced(after[:1]) and _is_spaced(before[-1:]))
    return _is_spaced(text[:1]) and (_is_spaced(before[-1:]) or before in _INSIDE)


def runs_of(words: Words, tokens: Tokens, longest: int = 4) -> Words:
    """Runs of 2 to `longest` neighbouring words of scripts without spaces, each as one.

    Where every character counts as a word, what a reader calls a word is often one of these, such
    as the three characters of a library in Chinese. No run goes across a mark, a space or a letter
    of another script.
    """
    joins = [
        left[-1] + 1 == right[0]
        and not tokens.pieces[right[0]].startswith(_BEGINS)
        and all(tokens.kinds[word[0]] == "text" for word in (left, right))
        and all(_is_unspaced(text_of(word, tokens)) for word in (left, right))
        for left, right in pairwise(words)
    ]
    return tuple(
        tuple(chain(*words[first : first + count]))
        for first in range(len(words))
        for count in range(2, longest + 1)
        if first + count <= len(words) and all(joins[first : first + count - 1])
    )


def text_of(word: Sequence[int], tokens: Tokens) -> str:
    """The word as it is written, with spaces where it is several."""
    if len(word) == 1:
        return tokens.texts[word[0]]
    spaced = (
        _decoded(places, tokens)
        or " " * tokens.pieces[places[0]].startswith(_BEGINS) + _bare(tokens, places[0])
        for places in _characters(word, tokens)
    )
    return " ".join("".join(spaced).split())


def _characters(places: Sequence[int], tokens: Tokens) -> Words:
    """Each token by itself, and those together that are the bytes of one character."""
    characters, at = [], 0
    while at < len(places):
        counts = (n for n in range(min(4, len(places) - at), 1, -1))
        count = next((n for n in counts if _decoded(places[at : at + n], tokens)), 1)
        characters.append(tuple(places[at : at + count]))
        at += count
    return tuple(characters)


def _decoded(places: Sequence[int], tokens: Tokens) -> str:
    """The one character that bytes spell in UTF-8, or those of byte-level tokens with the text
    beside it; empty where they are none, or one alone."""
    first = places[0]
    is_part = _BYTE.fullmatch(tokens.pieces[first]) or _BYTES.search(tokens.texts[first])
    if len(places) < 2 or not is_part:
        return ""
    pieces = [tokens.pieces[i] for i in places]
    if all(map(_BYTE.fullmatch, pieces)):
        text = _from_bytes("".join(pieces))
        return text if len(text) == 1 else ""
    texts = [tokens.texts[i] for i in places]
    # The first ends within a character, and the last is what it wanted.
    whole = "".join(texts)
    is_cut = all(map(_BYTES.search, texts)) and all(
        not _from_bytes("".join(texts[:n])) for n in range(1, len(texts))
    )
    return _from_bytes(whole) if is_cut else ""


def _from_bytes(text: str) -> str:
    """A text with the characters that its bytes <0xE5> spell; empty where some spell none."""
    try:
        parts = [
            bytes.fromhex("".join(_BYTE.findall(part))).decode() if _BYTE.match(part) else part
            for part in re.split(r"((?:<0x[0-9A-F]{2}>)+)", text)
        ]
    except UnicodeDecodeError:
        return ""
    return "".join(parts)


def _bare(tokens: Tokens, i: int) -> str:
    """The text of a token without the mark that it goes on."""
    return tokens.texts[i].removeprefix(_GOES_ON)


def as_tokens(words: Words, tokens: Tokens) -> Tokens:
    """The words as a sequence of their own, for labels.

    One that is several tokens has the id -1, and its pieces with spaces between.
    """
    kinds: list[TokenKind] = [tokens.kinds[word[0]] for word in words]
    return Tokens(
        ids=tuple(tokens.ids[word[0]] if len(word) == 1 else -1 for word in words),
        pieces=tuple(" ".join(tokens.pieces[i] for i in word) for word in words),
        texts=tuple(text_of(word, tokens) for word in words),
        kinds=tuple(kinds),
        spans=tuple(_span([tokens.spans[i] for i in word]) for word in words),
    )


def _span(spans: Sequence[tuple[int, int] | None]) -> tuple[int, int] | None:
    known = [span for span in spans if span is not None]
    return (known[0][0], known[-1][1]) if known else None


@dataclass(frozen=True, eq=False)
class ByWords:
    """Which rows and which columns of an attention make the words that it is between."""

    rows: Words  # rows of the weights; a word that is still to come has none
    columns: Words
    queries: Tokens  # what the words are called
    keys: Tokens
    # Whether rows are the steps that write a word, or those that read it; None: they are no steps.
    written: bool | None = None

    def to_json(self) -> dict[str, Any]:
        """What the words are called, and which rows and columns each is, counted from 0."""
        return {
            "queries": list(self.queries.texts),
            "keys": list(self.keys.texts),
            "rows": [list(word) for word in self.rows],
            "columns": [list(word) for word in self.columns],
        }

    def weights(self, weights_AQK: np.ndarray) -> np.ndarray:
        """The sum over the columns of a word, the mean over its rows."""
        return between_words(weights_AQK, self.rows, self.columns)

    def mask(self, mask_AQK: np.ndarray) -> np.ndarray:
        """Whether any token of one word may attend to any of the other."""
        return self.weights(mask_AQK.astype(np.float64)) > 0

    def trace(self, trace: AttentionTrace) -> AttentionTrace:
        """The weights and the mask of a sub-layer between words.

        Queries, keys, values and scores are of tokens alone: a word has none. What has no number is
        NaN, as in weights that came without their model.
        """
        weights_HQK, mask_QK = self.weights(trace.weights_HQK), self.mask(trace.mask_QK)
        H, Q, K = weights_HQK.shape
        none_HQE, none_HKE = np.zeros((H, Q, 0), np.float32), np.zeros((H, K, 0), np.float32)
        return AttentionTrace(
            site=trace.site,
            layer=trace.layer,
            queries=self.queries,
            keys=self.keys,
            q_HQE=none_HQE,
            k_HKE=none_HKE,
            v_HKE=none_HKE,
            scores_HQK=np.full((H, Q, K), np.nan, np.float32),
            mask_QK=mask_QK,
            weights_HQK=weights_HQK,
        )


def by_words(
    decoding: Decoding, site: Site, written: bool = False, upto: int | None = None
) -> ByWords:
    """The words of an attention. Where its rows are steps a word is those that read its tokens.

    `written`: those that write them; what the last step is still to write is a row by itself.
    `upto` steps alone are looked at: of a word that is not whole by then there is the beginning, of
    one that has not begun no row.
    """
    trace = decoding.trace(site, 0)
    columns = words_of(trace.keys)
    keys = as_tokens(columns, trace.keys)
    if ROWS[site] == "source" or decoding.whole:
        rows = words_of(trace.queries)
        return ByWords(rows, columns, as_tokens(rows, trace.queries), keys)
    T, late = len(decoding.steps), int(written)
    target = decoding.target[: T + late]
    words = [word for word in words_of(target) if word[-1] >= late]
    if written and len(target) == T:  # a word of its own, whatever is before it
        words.append((T,))
        target += _PENDING
    last = T if upto is None else upto
    begun = tuple(tuple(i for i in word if i < last + late) or word for word in words)
    rows = tuple(tuple(i - late for i in word if late <= i < last + late) for word in words)
    return ByWords(rows, columns, as_tokens(begun, target), keys, written)


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


def _is_unspaced(text: str) -> bool:
    """Whether all of it is letters or digits of scripts that write no spaces."""
    return bool(text) and all(letter.isalnum() and not _is_spaced(letter) for letter in text)
