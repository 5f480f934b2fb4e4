"""Sentences of our own with the word links that a reader drew by hand, to score aligners with.

They are text files in `aligned_by_hand/`, each of one pair of languages. All links are sure ones.
"""

from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent / "aligned_by_hand"


@dataclass(frozen=True)
class HandAligned:
    """A sentence pair as it is written, where its words stand, and which belong together."""

    source: str
    target: str
    source_spans: tuple[tuple[int, int], ...]
    target_spans: tuple[tuple[int, int], ...]
    links: frozenset[tuple[int, int]]  # (source word, target word)
    kind: str  # "everyday" or "formal"

    def reversed(self) -> "HandAligned":
        """The same pair read the other way round."""
        links = frozenset((target, source) for source, target in self.links)
        return HandAligned(
            self.target, self.source, self.target_spans, self.source_spans, links, self.kind
        )


def hand_aligned(source_language: str, target_language: str) -> tuple[HandAligned, ...]:
    """The pairs of two languages, in either direction; none where there are none."""
    path = _FOLDER / f"{source_language}-{target_language}.txt"
    back = _FOLDER / f"{target_language}-{source_language}.txt"
    if path.exists():
        return _read(path.read_text(encoding="utf-8"))
    if back.exists():
        return tuple(pair.reversed() for pair in hand_aligned(target_language, source_language))
    return ()


def _read(text: str) -> tuple[HandAligned, ...]:
    kind, pairs = "", []
    lines = iter(line for line in text.splitlines() if line and not line.startswith("#"))
    for line in lines:
        if line.startswith("["):
            kind = line.strip("[]")
            continue
        source, target = line.split("|")
        links = (link.split("-") for link in next(lines).split())
        joined = frozenset((int(word), int(other)) for word, other in links)
        (source, source_spans), (target, target_spans) = map(_words, (source, target))
        pairs.append(HandAligned(source, target, source_spans, target_spans, joined, kind))
    return tuple(pairs)


def _words(marked: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A side as it is written, and the span of each of its words."""
    text, spans, at = marked.strip().replace("·", ""), [], 0
    for word in marked.replace("·", " ").split():
        at = text.index(word, at)
        spans.append((at, at + len(word)))
        at += len(word)
    return text, tuple(spans)
