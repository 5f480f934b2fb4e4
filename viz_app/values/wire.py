"""How values travel to the page, and the types of what is in them.

An answer is a `TypedDict` beside the code that makes it. Inside the program it holds arrays and
tokens; `packed` makes JSON of it. stage/answers.d.ts is printed from the same types.
"""

import base64
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Annotated, Any, NotRequired, TypedDict

import numpy as np

from model_core.errors import ToldError
from model_core.values.trace import TokenKind, Tokens
from model_core.values.words import words_of

Json = dict[str, Any]  # an object of which nothing more is known
Packed = Annotated[str, "Floats"]  # such numbers where they are packed already
Floats = Annotated[np.ndarray, "Floats"]  # numbers of any rank: base64 of little-endian float32
Flags = Annotated[np.ndarray, "boolean[]"]  # a mask of rank 1
Mask = Annotated[np.ndarray, "Mask"]  # one of rank 2: rows of 0s and 1s


class Noticed(TypedDict):
    """The notice for the reader beside an answer, where there is one."""

    notice: NotRequired[ToldError]


class PictureJson(TypedDict):
    """Which picture, and the view of its room."""

    picture: str
    view: Json


class File(TypedDict):
    """A file of the export."""

    name: str
    type: str
    data: str  # base64


class TokensJson(TypedDict):
    """Tokens by their parts; words are said of sentences, the spans of a decoding's own."""

    ids: list[int]
    pieces: list[str]
    texts: list[str]
    kinds: list[TokenKind]
    spans: NotRequired[list[list[int] | None]]
    words: NotRequired[tuple[tuple[int, ...], ...]]
    unseen: NotRequired[list[int]]  # those that no other may attend to


_AS_THEY_ARE = frozenset((str, int, float, bool, type(None)))


def packed(value: Any) -> Any:
    """A value as JSON: numbers of arrays as base64 of little-endian float32, masks as rows of 0s
    and 1s, tokens by their parts."""
    if type(value) in _AS_THEY_ARE:  # most values, and by far the quickest to recognise
        return value
    if isinstance(value, Tokens):
        return {name: list(getattr(value, name)) for name in ("ids", "pieces", "texts", "kinds")}
    if isinstance(value, np.ndarray):
        if value.dtype != bool:
            return base64.b64encode(value.astype("<f4").tobytes()).decode("ascii")
        if value.ndim == 1:
            return value.tolist()
        return [row.tobytes().decode("ascii") for row in np.where(value, b"1", b"0")]
    if is_dataclass(value):
        value = vars(value)
    if isinstance(value, Mapping):
        return {name: packed(one) for name, one in value.items()}
    return [packed(one) for one in value] if isinstance(value, list | tuple) else value


def sentence_json(tokens: Tokens) -> TokensJson:
    """The tokens of a sentence, and `words`: the tokens of each, by their places."""
    said: TokensJson = packed(tokens)
    return {**said, "words": words_of(tokens)}
