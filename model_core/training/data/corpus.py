"""Sentence pairs for training and for scoring, and the batches they are read in.

Everything random follows from a seed, and no validation sentence ever reaches the training pairs.
"""

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy
import torch
from torch import Tensor

from model_core.errors import CorpusError
from model_core.tokenizer import Tokenizers
from model_core.training.data.cleaning import lines_of, none_usable
from model_core.transformer.padding import pad_rows
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.strings import new_strings, written


@dataclass(frozen=True, eq=False)
class Example:
    """One source with every translation of it that counts as right."""

    source: str
    references: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Corpus:
    """What a model is trained on and scored with."""

    train: tuple[tuple[str, str], ...]  # (source, target), no pair twice
    valid: tuple[Example, ...]  # decide which weights are kept; no source twice
    held_out: tuple[Example, ...]  # decide nothing: what a card's scores are of
    checksum: str  # SHA-256 of exactly these sentences
    bad_lines: tuple[str, ...] = ()  # "train.tsv line 7: 1 of the 2 columns that are needed"
    left_out: int = 0  # training pairs: duplicates, beyond the cap, or sharing a side with valid


@dataclass(frozen=True, eq=False)
class EncodedPair:
    """A pair as ids: the source with its end token, the target with its start and end token."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    links: tuple[int, ...] = ()  # for each predicted token a source position or -1, or none known

    @property
    def predicted(self) -> int:
        """How many target tokens the model is asked for, the end token among them."""
        return len(self.target) - 1


@dataclass(frozen=True, eq=False)
class Batch:
    """Pairs of like lengths, padded to the longest: what is read and what is to be predicted."""

    source_BS: Tensor
    target_BT: Tensor  # starts with the start token
    predicted_BT: Tensor  # the same tokens one position earlier, with the end token
    links_BT: Tensor | None = None  # the source position of each predicted token, -1 for none

    def to(self, device: torch.device) -> "Batch":
        """The same batch on that device."""
        return Batch(
            self.source_BS.to(device),
            self.target_BT.to(device),
            self.predicted_BT.to(device),
            None if self.links_BT is None else self.links_BT.to(device),
        )


def corpus_of(config: TrainConfig, data: Path | None) -> Corpus:
    """What a training with these settings learns from: strings that are made up, or `data`.

    Raises CorpusError where sentence pairs are needed and no folder is named.
    """
    if config.is_of_strings:
        return string_corpus(config)
    if data is None:
        raise CorpusError("Name the folder with train.tsv and valid.tsv: --data DIR.")
    return read_corpus(data, config)


def read_corpus(folder: Path, config: TrainConfig) -> Corpus:
    """The pairs of `train.tsv` and the examples of `valid.tsv`, both UTF-8 and tab-separated.

    Unusable lines are named in the result. Raises CorpusError when a file is missing or nothing in
    it is usable.
    """
    bad_lines: list[str] = []
    valid_pairs = _read_pairs(folder / "valid.tsv", config, bad_lines)
    train_pairs = _read_pairs(folder / "train.tsv", config, bad_lines)
    valid = _grouped(valid_pairs)
    held_out = {example.source for example in valid}, {target for _, target in valid_pairs}
    new = [
        (source, target)
        for source, target in dict.fromkeys(train_pairs)
        if source not in held_out[0] and target not in held_out[1]
    ]
    train = _capped(new, config.references_per_source, config.seed)
    if not train:
        raise CorpusError(
            f"Every pair of {folder / 'train.tsv'} shares a side with valid.tsv. "
            "Hold out other sentences."
        )
    left_out = len(train_pairs) - len(train)
    return Corpus(train, *in_two(valid), _checksum(train, valid), tuple(bad_lines), left_out)


def with_examples(corpus: Corpus, path: Path, config: TrainConfig) -> Corpus:
    """The corpus with all examples of a file in place of those that it holds out."""
    examples = _grouped(_read_pairs(path, config, []))
    return replace(corpus, held_out=examples, checksum=_checksum(corpus.train, examples))


def in_two(examples: Sequence[Example]) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """The examples that decide which weights are kept, and those that a card is scored on.

    Half of them are held out for the card: the first when all are sorted by the SHA-256 of
    "held out: " and the source, so that neither their order nor the seed of a training matters.
    Both parts keep the order of the examples. A single example is in both.
    """

    def digest(example: Example) -> str:
        return hashlib.sha256(f"held out: {example.source}".encode()).hexdigest()

    first = {example.source for example in sorted(examples, key=digest)[: len(examples) // 2]}
    held_out = tuple(example for example in examples if example.source in first)
    valid = tuple(example for example in examples if example.source not in first)
    return valid, held_out or valid


def string_corpus(config: TrainConfig) -> Corpus:
    """Strings of lower-case letters and digits, each with what the task makes of it.

    All lengths are equally frequent and no string occurs twice. Of the short lengths, where there
    are few strings, at most a tenth is held out, and training has what is left.
    """
    rng = random.Random(config.seed)
    seen: set[str] = set()
    held_out = new_strings(rng, seen, config.strings // 100, config.longest_string, share=0.1)
    learnt = new_strings(rng, seen, config.strings, config.longest_string, share=1.0)
    pairs = tuple((text, written(config.task, text)) for text in learnt)
    examples = tuple(Example(text, (written(config.task, text),)) for text in held_out)
    return Corpus(pairs, *in_two(examples), _checksum(pairs, examples))


def encode_pairs(
    pairs: Iterable[tuple[str, str]], tokenizers: Tokenizers, config: ModelConfig, max_tokens: int
) -> tuple[EncodedPair, ...]:
    """The pairs as ids, without those that have more than `max_tokens` tokens on a side.

    The end token counts, the start token does not. Raises CorpusError when no pair is left.
    """
    encoded, start_id, end_id = [], config.start_id, config.end_id
    for source, target in pairs:
        source_ids, target_ids = tokenizers[0].ids(source), tokenizers[1].ids(target)
        if max(len(source_ids), len(target_ids)) < max_tokens:
            encoded.append(EncodedPair((*source_ids, end_id), (start_id, *target_ids, end_id)))
    if not encoded:
        raise CorpusError(
            f"No pair has at most {max_tokens} tokens on both sides. Raise max_tokens."
        )
    return tuple(encoded)


def plan_batches(
    pairs: Sequence[EncodedPair], batch_tokens: int, seed: int, epoch: int
) -> tuple[numpy.ndarray, ...]:
    """The rows of `pairs` that make each batch of one epoch, every row exactly once.

    Neighbours in length share a batch, so there are hardly any pads; which equals meet, and the
    order of the batches, follow from (seed, epoch). A batch has at most `batch_tokens` tokens on
    either side, its pads included; a pair longer than that is a batch by itself.
    """
    rng = numpy.random.default_rng((seed, epoch))
    predicted = numpy.array([pair.predicted for pair in pairs])
    source = numpy.array([len(pair.source) for pair in pairs])
    order = numpy.lexsort((rng.random(len(pairs)), source, predicted))
    batches, first, longest = [], 0, 0
    for place, row in enumerate(order):
        longest = max(longest, predicted[row], source[row])
        if place > first and longest * (place + 1 - first) > batch_tokens:
            batches.append(order[first:place])
            first, longest = place, max(predicted[row], source[row])
    batches.append(order[first:])
    return tuple(batches[i] for i in rng.permutation(len(batches)))


def make_batch(pairs: Sequence[EncodedPair], pad_id: int) -> Batch:
    """These pairs as padded tensors."""
    linked = all(pair.links for pair in pairs)
    return Batch(
        pad_rows([pair.source for pair in pairs], pad_id),
        pad_rows([pair.target[:-1] for pair in pairs], pad_id),
        pad_rows([pair.target[1:] for pair in pairs], pad_id),
        pad_rows([pair.links for pair in pairs], -1) if linked else None,
    )


def _read_pairs(path: Path, config: TrainConfig, bad_lines: list[str]) -> list[tuple[str, str]]:
    """The (source, target) of every usable line; the others are appended to `bad_lines`."""
    remedy = "A data folder holds train.tsv and valid.tsv, one pair per line, separated by a tab."
    needed, pairs = max(config.source_column, config.target_column) + 1, []
    for number, line in enumerate(lines_of(path, remedy), 1):
        place = f"{path.name} line {number}"
        try:
            columns = [column.strip() for column in line.decode("utf-8").split("\t")]
        except UnicodeDecodeError:
            bad_lines.append(f"{place}: not UTF-8")
            continue
        if len(columns) < needed:
            bad_lines.append(f"{place}: {len(columns)} of the {needed} columns that are needed")
            continue
        source, target = columns[config.source_column], columns[config.target_column]
        if source and target:
            pairs.append((source, target))
        else:
            bad_lines.append(f"{place}: the {'target' if source else 'source'} is empty")
    if not pairs:
        raise none_usable(path, config.source_column, config.target_column)
    return pairs


def _grouped(pairs: Iterable[tuple[str, str]]) -> tuple[Example, ...]:
    references: dict[str, list[str]] = {}
    for source, target in dict.fromkeys(pairs):
        references.setdefault(source, []).append(target)
    return tuple(Example(source, tuple(targets)) for source, targets in references.items())


def _capped(pairs: Sequence[tuple[str, str]], cap: int, seed: int) -> tuple[tuple[str, str], ...]:
    """At most `cap` targets of each source (0: all), chosen by the seed and the source alone."""
    if cap == 0:
        return tuple(pairs)
    kept: list[tuple[str, str]] = []
    for example in _grouped(pairs):
        targets = example.references
        if len(targets) > cap:
            chosen = random.Random(f"{seed} {example.source}").sample(range(len(targets)), cap)
            targets = tuple(targets[i] for i in sorted(chosen))
        kept.extend((example.source, target) for target in targets)
    return tuple(kept)


def _checksum(train: Iterable[tuple[str, str]], valid: Iterable[Example]) -> str:
    digest = hashlib.sha256()
    for pair in train:
        digest.update("\t".join(pair).encode() + b"\n")
    digest.update(b"\n")
    for example in valid:
        digest.update("\t".join((example.source, *example.references)).encode() + b"\n")
    return digest.hexdigest()
