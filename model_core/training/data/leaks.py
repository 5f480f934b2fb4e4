"""What training would give away of a validation part: sides that occur in both, or nearly so.

Two sides are the same here where their words are, whatever case and punctuation. They are nearly
the same where one word was replaced, added or left out, provided that both have at least
`NEAR_FROM` words: shorter sentences are close to everything.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from model_core.training.data.cleaning import SentencePair
from model_core.training.data.words import words

NEAR_FROM = 5  # words

_Words = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Leak:
    """A training pair and a held-out side that it gives away."""

    pair: SentencePair
    side: Literal["source", "target"]
    how: Literal["verbatim", "near"]
    held_out: str


def same_words(text: str) -> _Words:
    """What two sides have in common that count as the same."""
    return words(text) or (text.casefold(),)


class HeldOutSides:
    """One side of a held-out part, indexed so that a look-up takes as long as a sentence has words.

    Every sentence is filed under itself with each of its words left out, as in symmetric deletion
    spelling correction (Garbe 2012).
    """

    def __init__(self, texts: Iterable[str]):
        self._whole: dict[_Words, str] = {}
        self._without: dict[_Words, str] = {}
        self._without_at: dict[tuple[int, _Words], str] = {}
        for text in texts:
            key = same_words(text)
            self._whole.setdefault(key, text)
            if len(key) >= NEAR_FROM:
                for place, rest in _without_one(key):
                    self._without.setdefault(rest, text)
                    self._without_at.setdefault((place, rest), text)

    def find(self, text: str) -> tuple[Literal["verbatim", "near"], str] | None:
        """How a text gives away a held-out one, and which; None where it does not."""
        key = same_words(text)
        if key in self._whole:
            return "verbatim", self._whole[key]
        if len(key) < NEAR_FROM:
            return None
        if key in self._without:  # one word added in the held-out text
            return "near", self._without[key]
        for place, rest in _without_one(key):
            if (place, rest) in self._without_at:  # one replaced
                return "near", self._without_at[place, rest]
            if len(rest) >= NEAR_FROM and rest in self._whole:  # one left out there
                return "near", self._whole[rest]
        return None


def _without_one(key: _Words) -> Iterator[tuple[int, _Words]]:
    for place in range(len(key)):
        yield place, key[:place] + key[place + 1 :]


def find_leaks(train: Iterable[SentencePair], valid: Iterable[SentencePair]) -> tuple[Leak, ...]:
    """The training pairs that give away a side of a validation pair, each once.

    Sources are compared with sources and targets with targets.
    """
    valid = tuple(valid)
    sources = HeldOutSides(pair.source for pair in valid)
    targets = HeldOutSides(pair.target for pair in valid)
    leaks = []
    for pair in train:
        ways = []
        if hit := sources.find(pair.source):
            ways.append(Leak(pair, "source", *hit))
        if hit := targets.find(pair.target):
            ways.append(Leak(pair, "target", *hit))
        if ways:
            leaks.append(min(ways, key=lambda leak: leak.how == "near"))
    return tuple(leaks)
