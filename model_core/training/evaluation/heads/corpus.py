"""The sentences on which heads are measured: some 200 of our own per task, or a file.

Translation: `../aligned_by_hand/`, whose word links are known, and `sentences.txt`.
Tasks on strings: `strings.txt`, where every link is known.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from model_core.errors import CorpusError
from model_core.training.evaluation.hand_aligned import HandAligned, hand_aligned
from model_core.values.strings import LANGUAGES, places_written, written

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
    task = next((task for task, name in LANGUAGES.items() if name == target_language), None)
    if task is not None and source_language == "text":
        texts = _lines(_FOLDER / "strings.txt")
        aligned = tuple(_aligned(task, text) for text in texts)
        pairs = tuple((pair.source, pair.target) for pair in aligned)
        return HeadCorpus(f"our own strings, {target_language}", pairs, aligned)
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
    cells = [[cell.strip() for cell in [*line.split("\t"), ""][:2]] for line in lines]
    pairs = tuple((source, target) for source, target in cells)
    if not all(source for source, _ in pairs):
        raise CorpusError(f"{path}: a line has nothing before its tab. Write the sentence there.")
    if any(target for _, target in pairs) and not all(target for _, target in pairs):
        raise CorpusError(f"{path}: some lines have a translation, others have none.")
    return HeadCorpus(path.name, pairs)


def _lines(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if line and not re.match(r"#|\[", line)]


def _aligned(task: str, text: str) -> HandAligned:
    """A string and what the task makes of it, with every letter's link."""
    spans = tuple((at, at + 1) for at in range(len(text)))
    links = frozenset((place, at) for at, place in enumerate(places_written(task, text)))
    return HandAligned(text, written(task, text), spans, spans, links, "string")
