"""Lines of a tab-separated file as clean pairs of sentences; what is left out is named, not fatal.

Text is repaired, not judged: whether a pair is a good translation does not matter here.
"""

import codecs
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from model_core.errors import CorpusError
from model_core.training.data.words import words

_SLACK = 10  # characters by which short sentences may differ, whatever the ratio
# Zero-width spaces, soft hyphens, marks of writing direction, byte order marks. They show nothing.
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u00ad]")
# Joiners are part of the spelling from Arabic on (Persian, Hindi, emoji), and junk elsewhere.
_JOINER = re.compile("(?<![\u0600-\U0010ffff])[\u200c\u200d]|[\u200c\u200d](?![\u0600-\U0010ffff])")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")  # those that are not spaces
_SPACES = re.compile(r"\s+")
_MENDING: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("control characters removed", lambda text: _CONTROL.sub("", text)),
    ("invisible characters removed", lambda text: _JOINER.sub("", _INVISIBLE.sub("", text))),
    ("brought to Unicode's form NFC", lambda text: unicodedata.normalize("NFC", text)),
    ("odd spaces made plain", lambda text: _SPACES.sub(" ", text)),
)


@dataclass(frozen=True, eq=False)
class SentencePair:
    """A source and its target, and the line they come from."""

    line: int  # counted from 1
    source: str
    target: str

    @property
    def sides(self) -> tuple[str, str]:
        return self.source, self.target


@dataclass(frozen=True, eq=False)
class LeftOut:
    """A line that is not used, and why."""

    line: int
    why: str
    text: str


@dataclass(frozen=True, eq=False)
class CleanedLines:
    """What became of every line of a file."""

    pairs: tuple[SentencePair, ...]  # in the order of the file, none twice
    readable: tuple[SentencePair, ...]  # including those that are odd, too long or duplicates
    left_out: tuple[LeftOut, ...]
    mended: dict[str, int]  # what was done -> to how many sides
    lines: int


@dataclass(frozen=True)
class PairLimits:
    """What a usable pair looks like."""

    source_column: int = 0  # counted from 0
    target_column: int = 1
    longest: int = 60  # words on a side; characters where a script writes no spaces
    ratio: float = 3.0  # by which lengths may differ from what is usual for these two languages

    def __post_init__(self) -> None:
        if min(self.source_column, self.target_column) < 0:
            raise CorpusError("Columns are counted from 0; give 0 or more.")
        if self.longest < 1 or not self.ratio >= 1:
            raise CorpusError(
                f"longest is {self.longest} and ratio {self.ratio:g}; both must be 1 or more."
            )


def clean_text(text: str) -> tuple[str, tuple[str, ...]]:
    """The text in Unicode's form NFC without what cannot be seen, and what was done to it.

    Spaces at its ends go without being counted.
    """
    text, done = text.strip(), []
    for what, mend in _MENDING:
        better = mend(text)
        if better != text:
            done.append(what)
        text = better.strip()
    return text, tuple(done)


def clean_file(path: Path, limits: PairLimits) -> CleanedLines:
    """Every usable pair of a UTF-8 file, one a line, tabs between the columns.

    Raises CorpusError where the file cannot be read or has no usable line.
    """
    lines = lines_of(path, "Check the name.")
    readable, left_out, mended = _mended_pairs(lines, limits)
    pairs = _without_duplicates(_usual_pairs(readable, left_out, limits), left_out)
    if not pairs:
        first = f" Line {left_out[0].line}: {left_out[0].why}." if left_out else ""
        raise none_usable(path, limits.source_column, limits.target_column, first)
    left_out.sort(key=lambda one: one.line)
    return CleanedLines(tuple(pairs), tuple(readable), tuple(left_out), dict(mended), len(lines))


def lines_of(path: Path, remedy: str) -> list[bytes]:
    """The lines of a file; CorpusError, with the remedy, where it cannot be read."""
    try:
        lines = path.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n")
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error.strerror}). {remedy}") from error
    return lines[:-1] if lines[-1] == b"" else lines


def none_usable(path: Path, source: int, target: int, first: str = "") -> CorpusError:
    """What is said of a file without a pair in these columns; `first` says why of one line."""
    return CorpusError(
        f"No line of {path} is usable.{first} Each line needs a source in column {source} and a "
        f"target in column {target}, counted from 0, with a tab between; --source-column and "
        "--target-column choose others."
    )


def _mended_pairs(
    lines: Iterable[bytes], limits: PairLimits
) -> tuple[list[SentencePair], list[LeftOut], Counter[str]]:
    """The lines that hold a pair, those that do not, and what was mended."""
    needed = max(limits.source_column, limits.target_column) + 1
    pairs: list[SentencePair] = []
    left_out: list[LeftOut] = []
    mended: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        text = line.decode("utf-8", errors="replace")
        columns = text.split("\t")
        why = ""
        if "\ufffd" in text:
            why = "not UTF-8, or broken by an earlier conversion"
        elif not text.strip():
            why = "empty line"
        elif len(columns) < needed:
            why = f"too few columns: {len(columns)} of the {needed} that are needed"
        else:
            source, done_source = clean_text(columns[limits.source_column])
            target, done_target = clean_text(columns[limits.target_column])
            if source and target:
                mended.update((*done_source, *done_target))
                pairs.append(SentencePair(number, source, target))
            else:
                why = f"the {'target' if source else 'source'} is empty"
        if why:
            left_out.append(LeftOut(number, why, text))
    return pairs, left_out, mended


def _usual_pairs(
    pairs: list[SentencePair], left_out: list[LeftOut], limits: PairLimits
) -> list[SentencePair]:
    """The pairs that may well be translations, by their lengths; the others are appended."""
    if not pairs:
        return []
    # Two scripts may differ in length by much: a ratio is odd next to that of the other pairs.
    usual = statistics.median(len(pair.source) / len(pair.target) for pair in pairs)
    kept, most = [], limits.longest
    for pair in pairs:
        short, long = sorted((len(pair.source), len(pair.target) * usual))
        if pair.source == pair.target:
            why = "both sides are the same"
        # The number of characters is known at once and mostly enough.
        elif any(len(side) > most and len(words(side)) > most for side in pair.sides):
            why = f"too long: more than {most} words on a side"
        elif long > limits.ratio * short + _SLACK:
            why = f"odd lengths: {len(pair.source)} and {len(pair.target)} characters"
        else:
            kept.append(pair)
            continue
        left_out.append(LeftOut(pair.line, why, "\t".join(pair.sides)))
    return kept


def _without_duplicates(pairs: list[SentencePair], left_out: list[LeftOut]) -> list[SentencePair]:
    """The first pair of each kind; the others are appended with the line that they repeat."""
    first: dict[tuple[str, str], SentencePair] = {}
    for pair in pairs:
        known = first.setdefault(pair.sides, pair)
        if known is not pair:
            why = f"duplicate: the same pair as line {known.line}"
            left_out.append(LeftOut(pair.line, why, "\t".join(pair.sides)))
    return list(first.values())
