"""What is to be read on a sheet, before anybody knows in which language it is read."""

from dataclasses import dataclass
from typing import Any

from model_core.values.trace import Tokens

BLANK = "\u2007"  # as wide as a digit: a title breaks as if one stood there, and has none


@dataclass(frozen=True)
class Phrase:
    """The key of some words, and what stands in their places."""

    key: str
    values: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Token:
    """A token that a reader sees; special ones have names of their own."""

    text: str
    piece: str
    kind: str
    begins: bool = False  # it begins the target, whichever token that is


@dataclass(frozen=True)
class StepPhrase:
    """What a step reads, said quietly, and what it writes."""

    reads: "Text"
    writes: "Text"


# A str is read as it is, letter by letter; the parts of a tuple follow each other.
Text = str | Phrase | Token | StepPhrase | tuple[Any, ...]


def say(key: str, /, **values: Any) -> Phrase:
    """The words of that key, with texts and numbers in their places."""
    kinds = (str, Phrase, Token, StepPhrase, tuple)
    message = ((n, v if isinstance(v, kinds) else f"{v}") for n, v in values.items())
    return Phrase(key, tuple(message))


def share_said(value: float) -> str:
    """A probability as the page says it: what would round to zero is said to be small."""
    return "<.001" if 0 < value < 0.0005 else f"{value:.3f}"


def labels_of(tokens: Tokens, begins: bool = False) -> tuple[Token, ...]:
    """The tokens of a sequence; `begins`: it is the target from its beginning on."""
    columns = zip(tokens.texts, tokens.pieces, tokens.kinds, strict=True)
    return tuple(Token(*one, begins and at == 0) for at, one in enumerate(columns))
