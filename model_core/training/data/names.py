"""Pairs in which a name is another one, so that a model learns to copy names that it never saw.

Sentences from Tatoeba are about Tom, Mary and Boston: a model that has seen no others writes
something else for yours. A name is replaced where both sides have it, and by one of its kind, so
that what agrees with it still does.
"""

import random
import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

from model_core.training.data.corpus import Corpus

Pairs = tuple[tuple[str, str], ...]

# French shortens these before a vowel: "que Tom", "qu'Anton".
_SHORTENED = re.compile(r"(?:['’]|\b(?:de|que|jusque|lorsque|puisque|quoique|ne|le|la) )$", re.I)


@cache
def names_by_kind() -> dict[str, tuple[str, ...]]:
    """The names of names.txt by their kind: women, men and places."""
    blocks = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n\n")
    return {kind: tuple(rest.split()) for kind, rest in (block.split("\n", 1) for block in blocks)}


def renamed(corpus: Corpus, copies: int, seed: int) -> Pairs:
    """So many copies of each training pair that has a known name on both sides, with another name.

    Which, follows from the seed and the pair. No copy is a training pair, and none shares a side
    with what decides or is scored.
    """
    kinds = {name: kind for kind, names in names_by_kind().items() for name in names}
    held_out = (*corpus.valid, *corpus.held_out)
    sides = {text for example in held_out for text in (example.source, *example.references)}
    found: dict[tuple[str, str], None] = {}
    for source, target in corpus.train if copies else ():
        rng = random.Random(f"{seed} {source} {target}")
        both = [name for name in _words(source) if name in kinds and name in _words(target)]
        for _ in range(copies if both else 0):
            taken = {name: _another(rng, name, kinds, both, target) for name in both}
            found[_with(source, taken), _with(target, taken)] = None
    known = set(corpus.train)
    return tuple(p for p in found if p not in known and sides.isdisjoint(p))


def _words(text: str) -> dict[str, None]:
    return dict.fromkeys(re.findall(r"\w+", text))


def _with(text: str, taken: dict[str, str]) -> str:
    return re.sub(r"\w+", lambda word: taken.get(word[0], word[0]), text)


def _another(
    rng: random.Random, name: str, kinds: dict[str, str], both: Collection[str], target: str
) -> str:
    """Another name of this kind; where the word before it may depend on its first letter, one that
    begins with a vowel as it does, or does not."""
    names: Iterable[str] = names_by_kind()[kinds[name]]
    before = re.split(rf"\b{name}\b", target)[:-1]
    if any(map(_SHORTENED.search, before)):
        names = (one for one in names if _is_vowel(one) == _is_vowel(name))
    return rng.choice([one for one in names if one not in both])


def _is_vowel(name: str) -> bool:
    return name[0] in "AEIOUYHÉ"
