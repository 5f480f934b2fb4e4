"""Pairs of which a model wrote one side: what it reads for them, and how they are kept and learnt.

They are kept in a file of the data folder, tab-separated as its other files, with what is true of
each in the column after the last: where the text is from and which model wrote its translation.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from model_core.errors import CorpusError
from model_core.training.data.cleaning import clean_text, lines_of
from model_core.training.data.corpus import Corpus, EncodedPair
from model_core.training.data.leaks import HeldOutSides, same_words
from model_core.values.config import TrainConfig

# Begins the source of every synthetic pair while a model learns (tagged back-translation, Caswell
# et al. 2019). No sentence has it, so that a model asked to translate writes as people do.
TAG = "⟲"


@dataclass(frozen=True, eq=False)
class Synthetic:
    """Synthetic pairs, in the order of their file."""

    pairs: tuple[tuple[str, str], ...]  # (source, target), without the tag
    origins: dict[str, int]  # what is said of pairs, and of how many
    checksum: str  # SHA-256 of exactly these pairs; "" where there are none


NOTHING_SYNTHETIC = Synthetic((), {}, "")


@dataclass(frozen=True, eq=False)
class Monolingual:
    """Sentences to be translated, none twice, and what was left out of the texts."""

    sentences: tuple[tuple[str, str], ...]  # each with the name of the text that it is from
    left_out: dict[str, int]  # why, and how many lines


def read_monolingual(
    texts: Iterable[Path],
    column: int,
    known: Iterable[str],
    held_out: Iterable[str],
    fits: Callable[[str], bool] = bool,
) -> Monolingual:
    """The sentences in a column of these files, or of the train.tsv of these folders, that fit.

    Left out are those that have the words of an earlier or of a `known` one, and those that give
    away a held-out one. CorpusError where none is left.
    """
    seen, valid = set(map(same_words, known)), HeldOutSides(held_out)
    sentences, left_out = [], Counter[str]()
    for path in texts:
        file = path / "train.tsv" if path.is_dir() else path
        for line in lines_of(file, "Check the name."):
            columns = line.decode("utf-8", errors="replace").split("\t")
            text, _ = clean_text(columns[column]) if column < len(columns) else ("", ())
            key = same_words(text)
            if not text or "\ufffd" in text or TAG in text:
                left_out["not usable"] += 1
            elif key in seen:
                left_out["words of another sentence"] += 1
            elif valid.find(text):
                left_out["in validation, or within one word of it"] += 1
            elif not fits(text):
                left_out["longer than the model reads"] += 1
            else:
                sentences.append((text, path.name))
                seen.add(key)
    if not sentences:
        raise CorpusError(f"No sentence in column {column} is left to be translated.")
    return Monolingual(tuple(sentences), dict(left_out))


def read_synthetic(path: Path, config: TrainConfig, corpus: Corpus) -> Synthetic:
    """The pairs of a file that share no side with what decides or is scored.

    CorpusError where the file cannot be read or a line lacks a column.
    """
    remedy = "`backtranslate` writes it; it lies beside train.tsv."
    valid = (*corpus.valid, *corpus.held_out)
    sources = {example.source for example in valid}
    targets = {reference for example in valid for reference in example.references}
    pairs: dict[tuple[str, str], str] = {}
    last = max(config.source_column, config.target_column) + 1
    for number, line in enumerate(lines_of(path, remedy), 1):
        columns = [column.strip() for column in line.decode("utf-8", errors="replace").split("\t")]
        if len(columns) <= last or not all(columns):
            raise CorpusError(
                f"{path} line {number} must have {last + 1} columns: the pair, and after it what "
                "wrote which side. `backtranslate` writes such files."
            )
        source, target = columns[config.source_column], columns[config.target_column]
        if source not in sources and target not in targets:
            pairs.setdefault((source, target), columns[last])
    digest = hashlib.sha256("".join(f"{s}\t{t}\n" for s, t in pairs).encode())
    return Synthetic(tuple(pairs), dict(Counter(pairs.values())), digest.hexdigest())


def tagged(pair: EncodedPair, tag: Sequence[int]) -> EncodedPair:
    """The pair with a tag before its source, and links to where its source tokens stand now."""
    links = tuple(place + len(tag) if place >= 0 else place for place in pair.links)
    return replace(pair, source=(*tag, *pair.source), links=links)
