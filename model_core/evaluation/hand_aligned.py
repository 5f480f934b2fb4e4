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
    path, back = (
        _FOLDER / f"{one}-{other}.txt"
        for one, other in (
            (source_language, target_language),
            (target_language, source_language),
        )
    )
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
        pairs.append(HandAligned(*_words(source.strip(), target.strip()), joined, kind))
    return tuple(pairs)


def _words(
    source: str, target: str
) -> tuple[str, str, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Both sides as they are written, and the span of each of their words."""
    texts, spans = [], []
    for marked in (source, target):
        text, found = marked.replace("·", ""), []
        at = 0
        for word in marked.replace("·", " ").split():
            at = text.index(word, at)
            found.append((at, at + len(word)))
            at += len(word)
        texts.append(text)
        spans.append(tuple(found))
    return texts[0], texts[1], spans[0], spans[1]
