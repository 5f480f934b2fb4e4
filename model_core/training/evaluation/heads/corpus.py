"""The sentences on which heads are measured: some 200 of our own per task, or somebody's own file.

Translation: `../aligned_by_hand/`, whose word links are known, and `sentences.txt`.
Reversal: `strings.txt`, where every link is known.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from model_core.errors import CorpusError
from model_core.training.evaluation.hand_aligned import HandAligned, hand_aligned

_FOLDER = Path(__file__).parent
_COLUMNS = ("en", "fr", "zh", "de")  # of sentences.txt
MOST = 1000  # sentences of a file


@dataclass(frozen=True, eq=False)
class HeadCorpus:
    """Sentences with a target or none; some with the links between their words."""

    name: str
    sentences: tuple[tuple[str, str], ...]
    aligned: tuple[HandAligned, ...] = ()  # the first of them, in the same order


def head_corpus(source_language: str, target_language: str) -> HeadCorpus:
    """Our own sentences for this pair of languages.

    Raises CorpusError where there are none, and says how to measure on others.
    """
    if (source_language, target_language) == ("text", "reversed"):
        pairs = tuple((text, text[::-1]) for text in _lines(_FOLDER / "strings.txt"))
        return HeadCorpus("our own strings, reversed", pairs, tuple(map(_reversal, pairs)))
    if not {source_language, target_language} <= set(_COLUMNS):
        raise CorpusError(
            f"There are no sentences of our own from {source_language or 'an unknown language'} to "
            f"{target_language or 'an unknown one'}. Give a file: --sentences FILE, a sentence a "
            "line, with its translation behind a tab where there is one."
        )
    aligned = hand_aligned(source_language, target_language)
    columns = [_COLUMNS.index(language) for language in (source_language, target_language)]
    rows = [line.split(" | ") for line in _lines(_FOLDER / "sentences.txt")]
    more = [(row[columns[0]], row[columns[1]]) for row in rows]
    pairs = (*((pair.source, pair.target) for pair in aligned), *more)
    return HeadCorpus(f"our own sentences, {source_language}-{target_language}", pairs, aligned)


def corpus_file(path: Path) -> HeadCorpus:
    """The sentences of a file, one a line; what stands behind a tab is the translation.

    Raises CorpusError where it cannot be read, is empty or has too many lines.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} cannot be read as UTF-8 text: {error}.") from error
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise CorpusError(f"{path} has no sentences. Write one a line.")
    if len(lines) > MOST:
        raise CorpusError(
            f"{path} has {len(lines):,} sentences; heads are measured on {MOST:,} at most. "
            "Take fewer."
        )
    pairs = tuple(([*line.split("\t"), ""])[:2] for line in lines)
    if any(target for _, target in pairs) and not all(target for _, target in pairs):
        raise CorpusError(f"{path}: some lines have a translation, others have none.")
    return HeadCorpus(
        path.name, tuple((source.strip(), target.strip()) for source, target in pairs)
    )


def _lines(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if line and not re.match(r"#|\[", line)]


def _reversal(pair: tuple[str, str]) -> HandAligned:
    """A string and its reversal, with every letter's link."""
    count = len(pair[0])
    spans = tuple((at, at + 1) for at in range(count))
    links = frozenset((count - 1 - at, at) for at in range(count))
    return HandAligned(*pair, spans, spans, links, "string")
