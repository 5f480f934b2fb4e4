"""What counts as a word when sentences are measured and compared, in any script.

For people and for counting; a model reads tokens. Nothing here needs to know the language.
"""

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


class _Punctuation(dict[int, int | str | None]):
    """For `str.translate`: punctuation and symbols become spaces, inside a word nothing."""

    def __missing__(self, code: int) -> int | str | None:
        character, inside = chr(code), "'’-\u2010\u2011"
        marks = unicodedata.category(character)[0] in "PS"
        self[code] = None if character in inside else " " if marks else code
        return self[code]


_PUNCTUATION = _Punctuation()


def words(text: str) -> tuple[str, ...]:
    """The words of a text without case and punctuation: "It's late!" has "its" and "late".

    In a script that writes no spaces, every character is one.
    """
    return tuple(_WORD.findall(text.casefold().translate(_PUNCTUATION)))


def unspaced_share(texts: Sequence[str]) -> float:
    """The share of characters, spaces not counted, that belong to scripts that write no spaces."""
    characters = sum(len(text) - text.count(" ") for text in texts)
    unspaced = sum(len(_UNSPACED_CHARACTER.findall(text)) for text in texts)
    return unspaced / max(characters, 1)
