"""Stands in for the library `tokenizers`, for the two kinds of tokenizer that are trained here.

Byte-pair encoding of words that keep the space before them as "▁", and single characters, both
with byte fallback: ids, pieces, offsets and decoded text are those of the library. It is also
where the library departs from what one would expect that it is followed: a mark that is put before
a word has the place of the word's first character, and a character that Unicode's form NFC makes
of several that of the first.
"""

import itertools
import json
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

_SPACE = "▁"
_ASCII_MARKS = frozenset("$+<=>^`|~")  # punctuation for the library, symbols for Unicode
_MOST_WORDS = 16384  # that are kept with their pieces
_NORMAL = {"type": "NFC"}
_METASPACE: dict[str, object] = {
    "type": "Metaspace",
    "replacement": _SPACE,
    "prepend_scheme": "always",
    "split": True,
}
_PUNCTUATION = {"type": "Punctuation", "behavior": "Isolated"}
_WORDS = {"type": "Sequence", "pretokenizers": [_METASPACE, _PUNCTUATION]}
_CHARACTERS: dict[str, object] = {"type": "Split", "pattern": {"Regex": "(?m:.)"}}
_CHARACTERS |= {"behavior": "Isolated", "invert": False}


# Marks that Unicode has had since version 9, which is the library's: there they are no marks, and
# one of these characters is not made of two. First and last of each range.
_LATER = """
7fd-7fd 898-89f 8ca-8d3 9fe-9fe c3c-c3c d3b-d3c eba-eba 1715-1715 1abf-1ace 1df6-1dfa a82c-a82c
10d24-10d27 10eab-10eac 10efd-10eff 10f46-10f50 10f82-10f85 11070-11070 1133b-1133b 1145e-1145e
11839-1183a 11938-11938 1193d-1193e 11943-11943 119e0-119e0 11a34-11a34 11a47-11a47 11a99-11a99
11d42-11d42 11d44-11d45 11d97-11d97 11f41-11f42 16ff0-16ff1 1e08f-1e08f 1e130-1e136 1e2ae-1e2ae
1e2ec-1e2ef 1e4ec-1e4ef
"""
_PLAIN = frozenset(
    chr(code)
    for first, last in (one.split("-") for one in _LATER.split())
    for code in range(int(first, 16), int(last, 16) + 1)
)


class Character(NamedTuple):
    """A character as the model reads it, and the place in the text of what it was made from."""

    text: str
    start: int
    stop: int


class Encoding(NamedTuple):
    """A text as ids, pieces and the characters of the text that each is made from."""

    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]


class Tokenizer:
    """A tokenizer of one of the two kinds; ValueError for any other."""

    encode_special_tokens = False

    def __init__(self, values: dict[str, Any]):
        model, splits = values["model"], values["pre_tokenizer"]
        if splits not in (_WORDS, _CHARACTERS) or values["normalizer"] != _NORMAL:
            raise ValueError("only tokenizers that are trained here can be read in a browser")
        if values.get("added_tokens"):
            raise ValueError("a tokenizer with added tokens cannot be read in a browser")
        self._of_words = splits == _WORDS
        self._ids: dict[str, int] = model["vocab"]
        self._pieces = {token: piece for piece, token in self._ids.items()}
        merges = [one.split(" ") if isinstance(one, str) else one for one in model["merges"]]
        self._ranks = {(one, other): rank for rank, (one, other) in enumerate(merges)}
        self._parts = lru_cache(_MOST_WORDS)(self._merged)

    @classmethod
    def from_str(cls, text: str) -> "Tokenizer":
        return cls(json.loads(text))

    def get_vocab_size(self) -> int:
        return len(self._ids)

    def id_to_token(self, token: int) -> str | None:
        return self._pieces.get(token)

    def get_added_tokens_decoder(self) -> dict[int, Any]:
        return {}

    def encode(self, text: str, add_special_tokens: bool = False) -> Encoding:
        encoding = Encoding([], [], [])
        characters = list(normal(text))
        for word in words(characters) if self._of_words else ([one] for one in characters):
            at = 0
            for piece in self._parts("".join(one.text for one in word)):
                place = word[at].start, word[at + len(piece) - 1].stop
                at += len(piece)
                known = piece in self._ids
                for one in [piece] if known else [f"<0x{byte:02X}>" for byte in piece.encode()]:
                    encoding.ids.append(self._ids[one])
                    encoding.tokens.append(one)
                    encoding.offsets.append(place)
        return encoding

    def _merged(self, word: str) -> tuple[str, ...]:
        """The pieces of a word; characters that the vocabulary lacks are pieces of their own."""
        parts = list(word)
        while len(parts) > 1:
            pairs = itertools.pairwise(parts)
            ranks = [self._ranks.get(pair, len(self._ranks)) for pair in pairs]
            rank = min(ranks)
            if rank == len(self._ranks):
                break
            at = ranks.index(rank)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return tuple(parts)

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = False) -> str:
        first, *others = [*without_bytes(self._pieces[token] for token in ids), ""]
        if not self._of_words:
            return "".join((first, *others))
        return first.replace(_SPACE, "") + "".join(others).replace(_SPACE, " ")


def words(characters: list[Character]) -> Iterator[list[Character]]:
    """Words with the mark of the space before them, and every sign of punctuation alone."""
    if characters and characters[0].text not in (" ", _SPACE):
        characters = [characters[0]._replace(text=_SPACE), *characters]
    word: list[Character] = []
    for one in characters:
        marked = one._replace(text=_SPACE) if one.text == " " else one
        alone = is_punctuation(marked.text)
        if word and (alone or marked.text == _SPACE):
            yield word
            word = []
        word.append(marked)
        if alone:
            yield word
            word = []
    if word:
        yield word


def is_punctuation(character: str) -> bool:
    """Whether the library takes a character for punctuation."""
    return character in _ASCII_MARKS or unicodedata.category(character)[0] == "P"


def without_bytes(pieces: Iterable[str]) -> Iterator[str]:
    """Pieces with the text that bytes in a row spell; where they spell none, a sign for each."""
    run = bytearray()

    def spelt() -> Iterator[str]:
        if run:
            try:
                yield run.decode()
            except UnicodeDecodeError:
                yield from "\ufffd" * len(run)
            run.clear()

    for piece in pieces:
        if len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):
            run.append(int(piece[3:5], 16))
        else:
            yield from spelt()
            yield piece
    yield from spelt()


def normal(text: str) -> Iterator[Character]:
    """The characters of a text in the form NFC, each with its place in the text."""
    if unicodedata.is_normalized("NFC", text):
        yield from (Character(one, at, at + 1) for at, one in enumerate(text))
        return
    # Of each made character how many more (or fewer) characters there are than were read.
    at = 0
    for character, more in _composed(_ordered(_taken_apart(text))):
        place = max(at - 1, 0) if more > 0 else at
        yield Character(character, place, place + 1)
        if more <= 0:
            at += 1 - more


def _taken_apart(text: str) -> Iterator[tuple[str, int]]:
    for character in text:
        whole = character in _PLAIN
        parts = character if whole else unicodedata.normalize("NFD", character)
        for number, part in enumerate(parts):
            yield part, int(number > 0)


def _rank(character: str) -> int:
    """The class of a mark, by which marks are ordered; 0 for anything else."""
    return 0 if character in _PLAIN else unicodedata.combining(character)


def _ordered(parts: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Marks behind a character in the order of their classes."""
    marks: list[tuple[str, int]] = []
    for part in parts:
        if _rank(part[0]):
            marks.append(part)
            continue
        yield from sorted(marks, key=lambda one: _rank(one[0]))
        marks = []
        yield part
    yield from sorted(marks, key=lambda one: _rank(one[0]))


def _composed(parts: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """What a character and marks behind it make together."""
    base: tuple[str, int] | None = None
    marks: list[tuple[str, int]] = []
    for part, more in parts:
        kind = _rank(part)
        if base is None:
            if kind:
                yield part, more
            else:
                base = part, more
            continue
        last = _rank(marks[-1][0]) if marks else None
        if last is None or last < kind:
            made = unicodedata.normalize("NFC", base[0] + part)
            if len(made) == 1 and made not in _PLAIN:
                base = made, base[1] + more - 1
                continue
        if kind:
            marks.append((part, more))
            continue
        yield base
        yield from marks
        base, marks = (part, more), []
    if base is not None:
        yield base
        yield from marks
