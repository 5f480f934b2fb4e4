"""How large a vocabulary to learn for a corpus, with the counts that say so.

After Gowda and May 2020 ("Finding the Optimal Vocabulary Size for Neural Machine Translation"): a
piece that occurs less than 100 times in training is not learnt well. They take the largest
vocabulary in which 95% of the pieces are that frequent. Departs from them: half of the pieces that
are longer than a character have to be, because attention between whole words is easier to read.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from model_core.tokenizer import BYTES, SPECIALS, Tokenizer
from model_core.training.data.words import percentile, unspaced_share

OFTEN = 100  # occurrences
SHARE = 0.5  # of the pieces
SIZES = (16_000, 8_000, 6_000, 4_000, 2_000, 1_000, 500)
_LEARN_FROM, _MEASURE = 100_000, 20_000  # sentences; more would not change the advice
_BASE = len(SPECIALS) + len(BYTES)
_SCARCE = 10  # a character seen less often than this is better spelt in bytes

TokenizerKind = Literal["bpe", "characters"]


@dataclass(frozen=True)
class VocabularySize:
    """A size of vocabulary and how it would do."""

    size: int
    often: float  # share of its pieces that occur at least OFTEN times
    tokens: tuple[int, int]  # of a sentence: the median and the 99th percentile


@dataclass(frozen=True)
class VocabularyAdvice:
    """Which tokenizers to learn, how large, and why."""

    kinds: tuple[TokenizerKind, TokenizerKind]  # of source and target
    size: int  # upper limit of each tokenizer
    reason: str
    candidates: tuple[VocabularySize, ...]  # none where both sides are read by characters
    longest: int  # tokens that 99% of the sentences of either side do not exceed

    @property
    def shared(self) -> bool:
        """Whether one tokenizer serves both sides."""
        return self.kinds[0] == self.kinds[1]


def advise(sources: Sequence[str], targets: Sequence[str]) -> VocabularyAdvice:
    """The advice for these training sentences.

    A script that writes no spaces is read character by character. Where both sides write spaces
    they share one byte-pair encoding, so that names and embeddings are shared too.
    """
    kinds: tuple[TokenizerKind, TokenizerKind] = (_kind(sources), _kind(targets))
    read: dict[TokenizerKind, list[str]] = {"bpe": [], "characters": []}
    for side, kind in zip((sources, targets), kinds, strict=True):
        read[kind] += side
    spelt, drawn = read["bpe"], read["characters"]
    candidates: tuple[VocabularySize, ...] = ()
    characters, reasons = 0, []
    longest = percentile(sorted(map(len, drawn)), 99)
    if drawn:
        counts = Counter(character for text in drawn for character in text)
        kept = sum(count >= _SCARCE for count in counts.values())
        characters = _BASE + kept
        reasons.append(
            f"{kept:,} of {len(counts):,} characters occur at least {_SCARCE} times; with the "
            f"{_BASE} pieces for bytes and special tokens that makes {characters:,}. Rarer "
            "characters are spelt in bytes."
        )
    size = max(characters, _BASE + 1)
    if spelt:
        candidates = _candidates(spelt)
        good = [one for one in candidates if one.often >= SHARE]
        chosen = good[0] if good else candidates[-1]
        size = max(size, chosen.size)
        longest = max(longest, chosen.tokens[1])
        reasons.append(
            f"{chosen.size:,} is the largest size tried at which at least half of the pieces "
            f"longer than a character occur {OFTEN} times ({chosen.often:.0%} do)."
            if good
            else f"The corpus is small: even of {chosen.size:,} pieces only {chosen.often:.0%} "
            f"occur {OFTEN} times. Take the smallest, or find more pairs."
        )
    return VocabularyAdvice(kinds, size, " ".join(reasons), candidates, longest)


def _kind(texts: Sequence[str]) -> TokenizerKind:
    return "characters" if unspaced_share(texts) > 0.5 else "bpe"


def _candidates(texts: Sequence[str]) -> tuple[VocabularySize, ...]:
    """Every size that byte-pair encoding reaches on these texts, the largest first."""
    largest = Tokenizer.train(_every(texts, _LEARN_FROM), "bpe", SIZES[0])
    # Pieces never cross a space, so every different word has to be encoded only once.
    counts = Counter(word for text in texts for word in text.split(" "))
    written = [text.split(" ") for text in _every(texts, _MEASURE)]
    candidates = []
    letters = len({character for word in counts for character in word})
    for size in SIZES:
        if size > largest.size or size < _BASE + 2 * letters:
            continue
        tokenizer = largest if size == largest.size else _first_pieces(largest, size)
        candidates.append(_candidate(tokenizer, counts, written))
    return tuple(candidates) or (_candidate(largest, counts, written),)


def _candidate(
    tokenizer: Tokenizer, counts: Counter[str], written: Sequence[Sequence[str]]
) -> VocabularySize:
    tokens = {word: tokenizer.ids(word) for word in counts}
    seen: Counter[int] = Counter()
    for word, count in counts.items():
        for token in tokens[word]:
            seen[token] += count
    merged = [i for i in range(_BASE, tokenizer.size) if len(tokenizer.piece(i)) > 1]
    often = sum(seen[token] >= OFTEN for token in merged) / max(len(merged), 1)
    length = {word: len(ids) for word, ids in tokens.items()}
    long = sorted(sum(map(length.__getitem__, text)) for text in written)
    return VocabularySize(tokenizer.size, often, (percentile(long, 50), percentile(long, 99)))


def _first_pieces(tokenizer: Tokenizer, size: int) -> Tokenizer:
    """What would have been learnt with this smaller limit: the first of the merges."""
    whole = json.loads(tokenizer.to_json())
    model = whole["model"]
    model["vocab"] = {piece: i for piece, i in model["vocab"].items() if i < size}
    known = model["vocab"]
    model["merges"] = [
        pair for pair in model["merges"] if all(piece in known for piece in (*pair, "".join(pair)))
    ]
    return Tokenizer.from_json(json.dumps(whole))


def _every(texts: Sequence[str], most: int) -> Sequence[str]:
    """At most `most` of the texts, evenly spaced."""
    return texts[:: -(-len(texts) // most)]
