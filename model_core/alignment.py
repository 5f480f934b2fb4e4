"""Which cross-attention head aligns words: every head against IBM model 1 on the same tokens.

Attention is not alignment; where a head agrees with an aligner that never saw the model, readers
may read it as one. Rows are read two ways, because a row has two names: the target token fed in,
and the one predicted from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from model_core.corpus import EncodedPair, make_batch
from model_core.transformer import Transformer

NULL = 0  # the id of the pad: stands for "no source token", as in Brown et al. 1993
Reading = Literal["fed", "predicted"]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """t(target token | source token) of IBM model 1, for the pairs of tokens seen together."""

    keys_N: np.ndarray  # source id x `targets` + target id, sorted
    probabilities_N: np.ndarray
    targets: int

    def probability(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """t(target | source) of broadcast ids; 0 for a pair never seen together."""
        wanted = source.astype(np.int64) * self.targets + target
        places = np.searchsorted(self.keys_N, wanted).clip(max=len(self.keys_N) - 1)
        return np.where(self.keys_N[places] == wanted, self.probabilities_N[places], 0.0)


def learn_lexicon(pairs: Sequence[EncodedPair], targets: int, rounds: int = 5) -> Lexicon:
    """IBM model 1 (Brown et al. 1993) by expectation maximisation over pairs of token sequences."""
    keys, rows, row = [], [], 0
    for pair in pairs:
        source = np.array([NULL, *pair.source[:-1]], dtype=np.int64)
        target = np.array(pair.target[1:-1], dtype=np.int64)
        keys.append((target[:, None] + source * targets).ravel())
        rows.append(np.repeat(np.arange(row, row + len(target)), len(source)))
        row += len(target)
    keys_N, places_M = np.unique(np.concatenate(keys), return_inverse=True)
    rows_M = np.concatenate(rows)
    sources_N = keys_N // targets
    probabilities_N = np.full(len(keys_N), 1.0)
    for _ in range(rounds):
        weights_M = probabilities_N[places_M]
        weights_M /= np.bincount(rows_M, weights_M)[rows_M]  # who explains this target token
        counts_N = np.bincount(places_M, weights_M, len(keys_N))
        probabilities_N = counts_N / np.bincount(sources_N, counts_N)[sources_N]
    return Lexicon(keys_N, probabilities_N, targets)


def align(lexicon: Lexicon, pair: EncodedPair) -> np.ndarray:
    """For each target token the source position that explains it best, -1 where none does."""
    source = np.array([NULL, *pair.source[:-1]])
    target = np.array(pair.target[1:-1])
    table_TS = lexicon.probability(source[None, :], target[:, None])
    return np.where(table_TS.max(axis=1) > 0, table_TS.argmax(axis=1) - 1, -1)


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
    model: Transformer, pairs: Sequence[EncodedPair], lexicon: Lexicon
) -> list[HeadScore]:
    """Every cross-attention head, the one that agrees best with the aligner first."""
    config = model.config
    shape = (config.decoder_layers, config.decoder_heads)
    hits = {"fed": np.zeros(shape), "predicted": np.zeros(shape)}
    entropy, end_mass = np.zeros(shape), np.zeros(shape)
    aligned = rows = 0
    for pair in pairs:
        batch = make_batch([pair], config.pad_id)
        records = model(batch.source_BS, batch.target_BT).cross_records
        weights_LHTS = np.stack([record.weights_BHQK[0].numpy() for record in records])
        links_T = align(lexicon, pair)
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
