"""Sentences of our own per pair of languages, with every translation of them that we accept.

They lie in accepted_translations/SOURCE-TARGET.txt: a sentence, its translations as patterns, an
empty line. There are forty, and ten strings to be reversed. They were written without looking at a
model, for the kind of thing that a visitor types. What is judged is the wording: letter case,
spaces and punctuation are not compared.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "accepted_translations"


@dataclass(frozen=True)
class OwnSentence:
    """A sentence and its accepted translations, as patterns.

    In a pattern "(a|b|)" stands for a, b or nothing.
    """

    source: str
    patterns: tuple[str, ...]

    def accepts(self, output: str) -> bool:
        """Whether the output is one of the accepted translations."""
        wording = _wording(output)
        return any(_expression(pattern).fullmatch(wording) for pattern in self.patterns)


def own_sentences(source_language: str, target_language: str) -> tuple[OwnSentence, ...]:
    """The sentences for this pair of languages; none where we have not written any."""
    known = {path.stem: path for path in _FOLDER.glob("*.txt")}
    path = known.get(f"{source_language}-{target_language}")
    if path is None:
        return ()
    # An indented line goes on with the one above it.
    blocks = path.read_text(encoding="utf-8").replace("\n    ", "").strip().split("\n\n")
    lines = [block.splitlines() for block in blocks]
    return tuple(OwnSentence(source, tuple(patterns)) for source, *patterns in lines)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """The regular expression of the wordings that a pattern stands for."""
    spelt = {"(": "(?:", "|": "|", ")": ")"}
    parts = re.split(r"([(|)])", pattern)
    return re.compile("".join(spelt.get(part) or re.escape(_wording(part)) for part in parts))


@lru_cache(16)  # one output is held against forty sentences, one after another
def _wording(text: str) -> str:
    """The letters, digits and accents of a text, folded."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in folded if unicodedata.category(letter)[0] in "LNM")
