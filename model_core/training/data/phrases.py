"""Pairs from a phrasebook of our own: what people type first, of which a corpus may have little.

Sentences from Tatoeba seldom greet, tell the time, pay or ask the way. phrases.txt has such
sentences in four languages beside each other, with slots for words; its head says how it is
written.
"""

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Protocol

from model_core.errors import ConfigError
from model_core.training.data.corpus import Corpus
from model_core.training.data.leaks import same_words
from model_core.training.data.names import names_by_kind

Pairs = tuple[tuple[str, str], ...]
Word = Mapping[str, Mapping[str, str]]  # its forms by their names, in each language that has it
_HOLE = re.compile(r"\{([a-z_]+)(\d?)(?::([a-z]+))?\}")  # {food}, {food2}, {food:de}


class Accepted(Protocol):
    """A sentence and what counts as its translation."""

    @property
    def source(self) -> str:
        """The sentence."""

    def accepts(self, output: str) -> bool:
        """Whether the output is one of its translations."""


@dataclass(frozen=True, eq=False)
class Phrasebook:
    """Phrases, and the words for their slots."""

    phrases: tuple[Mapping[str, tuple[str, ...]], ...]  # the lines of each language
    slots: Mapping[str, tuple[Word, ...]]

    def words(self, slot: str, languages: Iterable[str]) -> tuple[Word, ...]:
        """The words of a slot that all of these languages have."""
        wanted = {*languages}
        return tuple(word for word in self.slots[slot] if wanted <= word.keys())

    def fillings(self, phrase: Mapping[str, tuple[str, ...]], languages: tuple[str, str]) -> int:
        """In how many ways the slots of a phrase can be filled for two languages."""
        slots = {(slot, again) for slot, again, _ in _HOLE.findall(phrase[languages[0]][0])}
        return math.prod(len(self.words(slot, languages)) for slot, _ in slots)


@cache
def phrasebook() -> Phrasebook:
    """What phrases.txt holds.

    Raises ConfigError for a line that cannot be read.
    """
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    return read_phrasebook(text)


def read_phrasebook(text: str) -> Phrasebook:
    """The phrasebook that a text holds; its form is described at the head of phrases.txt.

    Raises ConfigError for a line that cannot be read.
    """
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    blocks = [block.split("\n") for block in re.split(r"\n{2,}", "\n".join(lines).strip("\n"))]
    phrases = [_phrase(block) for block in blocks if not block[0].startswith("slot ")]
    rows = dict(_slot(block) for block in blocks if block[0].startswith("slot "))
    people = names_by_kind()
    others = (*people["women"], *people["men"])
    rows["other"] = [{one: {"": name} for one in ("en", "fr", "de")} for name in others]
    slots: dict[str, tuple[Word, ...]] = {}

    def resolved(name: str) -> tuple[Word, ...]:
        if name not in rows:
            raise ConfigError(f"phrases.txt has no slot {name}.")
        if name not in slots:
            slots[name] = tuple(full for word in rows[name] for full in _filled(word, resolved))
        return slots[name]

    for name in rows:
        resolved(name)
    return Phrasebook(tuple(phrases), slots)


def drawn(
    count: int,
    languages: tuple[str, str],
    corpus: Corpus,
    held_out: Iterable[Accepted],
    seed: int,
) -> Pairs:
    """So many pairs of the phrasebook, of a source and a target language, drawn with the seed.

    A phrase is drawn the more often, the more its slots can hold; one without slots comes again as
    it is. No pair shares a side with what decides or is scored, or with a sentence of `held_out`
    and its translations. Raises ConfigError where the phrasebook lacks one of the languages.
    """
    if not count:
        return ()
    book = phrasebook()
    phrases = [p for p in book.phrases if all(one in p for one in languages)]
    if not phrases:
        raise ConfigError(
            f"There are no phrases for {' and '.join(languages)}. Leave out --phrases, or add this "
            "language to phrases.txt."
        )
    weights = [1 + math.log2(book.fillings(phrase, languages)) for phrase in phrases]
    rng = random.Random(f"{seed} {' '.join(languages)}")
    held = _Held(corpus, tuple(held_out))
    pairs: list[tuple[str, str]] = []
    while len(pairs) < count:
        phrase = rng.choices(phrases, weights)[0]
        pair = _one(rng, book, phrase, languages)
        if not held.has(pair):
            pairs.append(pair)
    return tuple(pairs)


class _Held:
    """What no pair may share a side with; asked for every pair, and mostly for known ones."""

    def __init__(self, corpus: Corpus, own: tuple[Accepted, ...]):
        examples = (*corpus.valid, *corpus.held_out)
        sources = [*(one.source for one in examples), *(one.source for one in own)]
        self._sources = set(map(same_words, sources))
        self._targets = {same_words(text) for one in examples for text in one.references}
        self._own = own
        self._known: dict[tuple[str, str], bool] = {}

    def has(self, pair: tuple[str, str]) -> bool:
        if pair not in self._known:
            source, target = pair
            self._known[pair] = (
                same_words(source) in self._sources
                or same_words(target) in self._targets
                or any(one.accepts(target) for one in self._own)
            )
        return self._known[pair]


def _one(
    rng: random.Random,
    book: Phrasebook,
    phrase: Mapping[str, tuple[str, ...]],
    languages: tuple[str, str],
) -> tuple[str, str]:
    """A pair of this phrase: one of its lines is read, the first one is written."""
    read, written = rng.choice(phrase[languages[0]]), phrase[languages[1]][0]
    filled: dict[tuple[str, str], Word] = {}
    for slot, again, _ in _HOLE.findall(read):
        if (slot, again) not in filled:
            taken = [word for (name, _), word in filled.items() if name == slot]
            words = [word for word in book.words(slot, languages) if word not in taken]
            filled[slot, again] = rng.choice(words)
    source, target = (
        _with(line, filled, language)
        for line, language in zip((read, written), languages, strict=True)
    )
    return source, target


def _with(line: str, filled: Mapping[tuple[str, str], Word], language: str) -> str:
    """The line with these words, as a sentence begins and ends."""

    def word(hole: re.Match[str]) -> str:
        slot, again, form = hole.groups()
        return _form(filled[slot, again], language, form or "", slot)

    # A word may have nothing to add at its second place: "Er schläft gern {end}."
    text = re.sub(r" +(?=[ .,])", "", _HOLE.sub(word, line)).strip()
    return text[:1].upper() + text[1:]


def _form(word: Word, language: str, form: str, slot: str) -> str:
    forms = word[language]
    if form and form not in forms:
        raise ConfigError(f"The words of the slot {slot} have no form {form} in {language}.")
    return forms[form] if form else next(iter(forms.values()))


def _phrase(block: Iterable[str]) -> dict[str, tuple[str, ...]]:
    lines: dict[str, tuple[str, ...]] = {}
    for line in block:
        language, _, text = line.partition(" ")
        if not re.fullmatch("[a-z]{2}", language) or not text:
            raise ConfigError(f"phrases.txt: {line!r} does not begin with a language.")
        lines[language] = (*lines.get(language, ()), text)
    return lines


def _slot(block: list[str]) -> tuple[str, list[Word]]:
    """The name of a slot and its words, whose own slots are not yet filled."""
    name, _, header = block[0].removeprefix("slot ").partition(": ")
    columns = [
        (one[0], one[1:] or [""]) for one in (c.replace(",", "").split() for c in header.split("|"))
    ]
    words: list[Word] = []
    for line in block[1:]:
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) != len(columns):
            raise ConfigError(f"phrases.txt: {line!r} must have {len(columns)} cells.")
        word: dict[str, dict[str, str]] = {}
        for (language, forms), cell in zip(columns, cells, strict=True):
            given = [one.strip() for one in cell.split(",")]
            if cell and len(given) != len(forms):
                raise ConfigError(f"phrases.txt: {cell!r} must have {len(forms)} forms.")
            if cell:
                word[language] = dict(zip(forms, given, strict=True))
        words.append(word)
    return name, words


def _filled(word: Word, words: Callable[[str], tuple[Word, ...]]) -> Iterator[Word]:
    """The word with every choice for its own slots, in the languages that these have too."""
    texts = [text for forms in word.values() for text in forms.values()]
    slots = dict.fromkeys(slot for text in texts for slot, _, _ in _HOLE.findall(text))
    for chosen in product(*(words(slot) for slot in slots)):
        inner = {(slot, ""): one for slot, one in zip(slots, chosen, strict=True)}
        yield {
            language: {name: _inside(text, inner, language) for name, text in forms.items()}
            for language, forms in word.items()
            if all(language in one for one in chosen)
        }


def _inside(text: str, filled: Mapping[tuple[str, str], Word], language: str) -> str:
    return _HOLE.sub(
        lambda hole: _form(filled[hole[1], ""], language, hole[3] or "", hole[1]), text
    )
