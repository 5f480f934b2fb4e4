"""What counts as a word when sentences are measured and compared, in any script.

This is for counting and comparing; models read tokens. No language has to be named.
"""

import functools
import re
import unicodedata
from collections.abc import Sequence

# Scripts that write no spaces: there every character is a word. Thai, Lao, Burmese, Khmer; the
# kana; Chinese characters.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD = re.compile(f"[{_UNSPACED}]|[^\\s{_UNSPACED}]+")
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")


def words(text: str) -> tuple[str, ...]:
    """The words of a text without case and punctuation: "It's late!" has "its" and "late".

    In a script that writes no spaces, every character is one.
    """
    return tuple(_WORD.findall("".join(map(_without_marks, text.casefold()))))


@functools.cache
def _without_marks(character: str) -> str:
    """A space for punctuation and symbols, nothing for those inside a word, else the character."""
    if character in "'’-\u2010\u2011":
        return ""
    return " " if unicodedata.category(character)[0] in "PS" else character


def unspaced_share(texts: Sequence[str]) -> float:
    """The share of characters, without spaces, in scripts that put no spaces between words."""
    characters = sum(len(text) - text.count(" ") for text in texts)
    unspaced = sum(len(_UNSPACED_CHARACTER.findall(text)) for text in texts)
    return unspaced / max(characters, 1)


def percentile(ordered: Sequence[int], percent: int) -> int:
    """The given percentile of the sorted values; 0 where there are none."""
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else 0
