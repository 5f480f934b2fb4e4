"""Which cross-attention head aligns words: every head against an aligner, and against a reader.

Attention is not alignment; where a head agrees with a reader who drew the links, its picture may be
read as one. A row is read as the token that it writes: row t, which is fed target token t, writes
token t + 1.
"""

import math
from collections.abc import Sequence

import numpy as np

from model_core.tokenizer import Tokenizers
from model_core.training.data.corpus import EncodedPair
from model_core.training.evaluation.aligner import Aligner
from model_core.training.evaluation.hand_aligned import HandAligned
from model_core.training.evaluation.scores import attention_of
from model_core.transformer.transformer import Transformer
from model_core.values.evaluation import HeadScore
from model_core.values.habits import entropy
from model_core.values.trace import Tokens

Head = tuple[int, int]  # layer and head of cross-attention, counted from 1


def score_heads(
    model: Transformer, pairs: Sequence[EncodedPair], aligner: Aligner
) -> list[HeadScore]:
    """Every cross-attention head, the one that agrees best with the aligner first."""
    config = model.config
    shape = (config.decoder_layers, config.decoder_heads)
    hits, bits, end_mass = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    aligned = rows = 0
    for pair in pairs:
        weights_LHTS = attention_of(model, pair)["cross"][:, :, :-1]  # the last row writes the end
        links_T = aligner.links(pair)
        places = np.flatnonzero(links_T >= 0)
        hits += (weights_LHTS.argmax(axis=-1)[:, :, places] == links_T[places]).sum(axis=-1)
        aligned += len(places)
        rows += weights_LHTS.shape[2]
        bits += entropy(weights_LHTS).sum(axis=-1)
        end_mass += weights_LHTS[..., len(pair.source) - 1].sum(axis=-1)
    scores = [
        HeadScore(
            layer + 1,
            head + 1,
            float(hits[layer, head] / max(aligned, 1)),
            float(bits[layer, head] / max(rows, 1)),
            float(end_mass[layer, head] / max(rows, 1)),
        )
        for layer, head in np.ndindex(*shape)
    ]
    return sorted(scores, key=lambda score: -score.agreement)


def error_rate(links: Sequence[set[tuple[int, int]]], pairs: Sequence[HandAligned]) -> float:
    """The alignment error rate (Och and Ney 2003) of word links, where all links are sure ones."""
    right = sum(len(found & pair.links) for found, pair in zip(links, pairs, strict=True))
    found, wanted = sum(map(len, links)), sum(len(pair.links) for pair in pairs)
    return 1 - 2 * right / (found + wanted) if wanted else math.nan


def encode_hand_aligned(pair: HandAligned, tokenizers: Tokenizers, start_id: int) -> EncodedPair:
    """The pair as the model reads it with this target forced."""
    source = tokenizers[0].encode(pair.source).ids
    return EncodedPair(source, (start_id, *tokenizers[1].encode(pair.target).ids))


def word_links(
    links_T: Sequence[int], pair: HandAligned, tokenizers: Tokenizers
) -> set[tuple[int, int]]:
    """Links between tokens as links between words: two words belong together if tokens of them do.

    `links_T` has the source position of each target token; -1 and the end token join nothing.
    """
    sources = word_of_each(tokenizers[0].encode(pair.source), pair.source_spans)[:-1]
    targets = word_of_each(tokenizers[1].encode(pair.target), pair.target_spans)[:-1]
    found = set()
    for target, link in zip(targets, links_T, strict=True):
        if 0 <= link < len(sources) and sources[link] >= 0 and target >= 0:
            found.add((sources[link], target))
    return found


def word_of_each(tokens: Tokens, spans: Sequence[tuple[int, int]]) -> list[int]:
    """For each token the word it is part of, -1 for one that is part of none."""
    words = []
    for span in tokens.spans:
        inside = [i for i, (start, stop) in enumerate(spans) if span and start <= span[0] < stop]
        words.append(inside[0] if inside else -1)
    return words


def head_error_rates(
    model: Transformer, pairs: Sequence[HandAligned], tokenizers: Tokenizers
) -> np.ndarray:
    """The alignment error rate (layers, heads) of every head.

    A head joins each target word to where its largest weights lie as it is written. The pairs are
    `readable`, and some there are.
    """
    weights = _weights(model, pairs, tokenizers)
    rates_LH = np.empty((model.config.decoder_layers, model.config.decoder_heads))
    for layer, head in np.ndindex(*rates_LH.shape):
        one = [weights_LHTS[layer, head] for weights_LHTS in weights]
        rates_LH[layer, head] = _error_rate_of(one, pairs, tokenizers)
    return rates_LH


def mean_error_rate(
    model: Transformer, pairs: Sequence[HandAligned], tokenizers: Tokenizers, heads: Sequence[Head]
) -> float:
    """The alignment error rate of the mean of these heads' weights."""
    weights = _weights(model, pairs, tokenizers)
    layers, numbers = (np.array(part) - 1 for part in zip(*heads, strict=True))
    means = [weights_LHTS[layers, numbers].mean(axis=0) for weights_LHTS in weights]
    return _error_rate_of(means, pairs, tokenizers)


def readable(
    model: Transformer, pairs: Sequence[HandAligned], tokenizers: Tokenizers
) -> list[HandAligned]:
    """The pairs that are no longer than the model reads."""
    start_id, limit = model.config.start_id, model.config.max_positions
    encoded = [encode_hand_aligned(pair, tokenizers, start_id) for pair in pairs]
    longest = [max(len(one.source), one.predicted) for one in encoded]
    return [pair for pair, tokens in zip(pairs, longest, strict=True) if tokens <= limit]


def _weights(
    model: Transformer, pairs: Sequence[HandAligned], tokenizers: Tokenizers
) -> list[np.ndarray]:
    """What every head reads as the words of each pair are written."""
    encoded = (encode_hand_aligned(pair, tokenizers, model.config.start_id) for pair in pairs)
    return [attention_of(model, one)["cross"][:, :, :-1] for one in encoded]


def _error_rate_of(
    weights: Sequence[np.ndarray], pairs: Sequence[HandAligned], tokenizers: Tokenizers
) -> float:
    """The error rate of one (target, source) matrix per pair."""
    links = [
        word_links(weights_TS.argmax(axis=-1).tolist(), pair, tokenizers)
        for weights_TS, pair in zip(weights, pairs, strict=True)
    ]
    return error_rate(links, pairs)
