"""Which cross-attention head aligns words: every head against an aligner, and against a reader.

Attention is not alignment; where a head agrees with an aligner that never saw the model, readers
may read it as one. Rows are read two ways, because a row has two names: the target token fed in,
and the one predicted from it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from model_core.aligner import Aligner
from model_core.corpus import EncodedPair, make_batch
from model_core.hand_aligned import HandAligned
from model_core.tokenizer import Tokenizer
from model_core.transformer import Transformer

Reading = Literal["fed", "predicted"]


@dataclass(frozen=True)
class HeadScore:
    """How one cross-attention head reads the references; layer and head are counted from 1."""

    layer: int
    head: int
    agreement: float  # share of aligned target tokens whose largest weight is on the aligner's word
    rows: Reading  # the reading under which that holds
    entropy: float  # bits, mean over rows
    end_mass: float  # mean weight on the source's end token


@torch.inference_mode()
def score_heads(
    model: Transformer, pairs: Sequence[EncodedPair], aligner: Aligner
) -> list[HeadScore]:
    """Every cross-attention head, the one that agrees best with the aligner first."""
    config = model.config
    shape = (config.decoder_layers, config.decoder_heads)
    hits = {"fed": np.zeros(shape), "predicted": np.zeros(shape)}
    entropy, end_mass = np.zeros(shape), np.zeros(shape)
    aligned = rows = 0
    for pair in pairs:
        weights_LHTS = _cross_weights(model, pair)
        links_T = aligner.links(pair)
        places = np.flatnonzero(links_T >= 0)
        best_LHT = weights_LHTS.argmax(axis=-1)
        # Row t is fed target token t and predicts target token t + 1; token 1 is the first word.
        for name, row in (("fed", places + 1), ("predicted", places)):
            hits[name] += (best_LHT[:, :, row] == links_T[places]).sum(axis=-1)
        aligned += len(places)
        rows += weights_LHTS.shape[2]
        bits = -weights_LHTS * np.log2(np.where(weights_LHTS > 0, weights_LHTS, 1))
        entropy += bits.sum(axis=(-1, -2))
        end_mass += weights_LHTS[..., len(pair.source) - 1].sum(axis=-1)
    scores = []
    for layer, head in np.ndindex(*shape):
        reading: Reading = (
            "fed" if hits["fed"][layer, head] > hits["predicted"][layer, head] else ("predicted")
        )
        scores.append(
            HeadScore(
                layer + 1,
                head + 1,
                float(hits[reading][layer, head] / max(aligned, 1)),
                reading,
                float(entropy[layer, head] / rows),
                float(end_mass[layer, head] / rows),
            )
        )
    return sorted(scores, key=lambda score: -score.agreement)


@torch.inference_mode()
def _cross_weights(model: Transformer, pair: EncodedPair) -> np.ndarray:
    """(layers, heads, target rows, source): the weights with this target forced."""
    batch = make_batch([pair], model.config.pad_id)
    records = model(batch.source_BS, batch.target_BT).cross_records
    return np.stack([record.weights_BHQK[0].numpy() for record in records])


def error_rate(links: Sequence[set[tuple[int, int]]], pairs: Sequence[HandAligned]) -> float:
    """The alignment error rate (Och and Ney 2003) of word links, where all links are sure ones."""
    right = sum(len(found & pair.links) for found, pair in zip(links, pairs, strict=True))
    found, wanted = sum(map(len, links)), sum(len(pair.links) for pair in pairs)
    return 1 - 2 * right / (found + wanted) if wanted else math.nan


def encode_hand_aligned(
    pair: HandAligned, source_tokenizer: Tokenizer, target_tokenizer: Tokenizer, start_id: int
) -> EncodedPair:
    """The pair as the model reads it with this target forced."""
    source = source_tokenizer.encode(pair.source).ids
    return EncodedPair(source, (start_id, *target_tokenizer.encode(pair.target).ids))


def word_links(
    links_T: Sequence[int],
    pair: HandAligned,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
) -> set[tuple[int, int]]:
    """Links between tokens as links between words: two words belong together if tokens of them do.

    `links_T` has the source position of each target token; -1 and the end token join nothing.
    """
    sources = _words(source_tokenizer, pair.source, pair.source_spans)
    targets = _words(target_tokenizer, pair.target, pair.target_spans)
    found = set()
    for target, link in zip(targets, links_T, strict=True):
        if 0 <= link < len(sources) and sources[link] >= 0 and target >= 0:
            found.add((sources[link], target))
    return found


def _words(tokenizer: Tokenizer, text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """For each token the word it is part of, -1 for one that is part of none."""
    words = []
    for span in tokenizer.encode(text).spans[:-1]:
        inside = [i for i, (start, stop) in enumerate(spans) if span and start <= span[0] < stop]
        words.append(inside[0] if inside else -1)
    return words


def head_error_rates(
    model: Transformer,
    pairs: Sequence[HandAligned],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
) -> dict[Reading, np.ndarray]:
    """For each reading of the rows, the alignment error rate (layers, heads) of every head.

    A head joins each target word to where its largest weights lie. Pairs longer than the model
    reads do not count; where none is left every rate is NaN.
    """
    tokenizers = (source_tokenizer, target_tokenizer)
    config = model.config
    shape = (config.decoder_layers, config.decoder_heads)
    encoded = [encode_hand_aligned(pair, *tokenizers, config.start_id) for pair in pairs]
    longest = [max(len(pair.source), pair.predicted) for pair in encoded]
    pairs = [pair for pair, n in zip(pairs, longest, strict=True) if n <= config.max_positions]
    encoded = [pair for pair, n in zip(encoded, longest, strict=True) if n <= config.max_positions]
    best = [_cross_weights(model, pair).argmax(axis=-1) for pair in encoded]
    rates: dict[Reading, np.ndarray] = {}
    readings: tuple[tuple[Reading, int], ...] = (("fed", 1), ("predicted", 0))
    for reading, first in readings:
        rates[reading] = np.empty(shape)
        for layer, head in np.ndindex(*shape):
            links = [
                word_links(
                    best_LHT[layer, head, first : first + len(pair.target) - 2], hand, *tokenizers
                )
                for best_LHT, pair, hand in zip(best, encoded, pairs, strict=True)
            ]
            rates[reading][layer, head] = error_rate(links, pairs)
    return rates
