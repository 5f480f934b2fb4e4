"""What is noted of a model on the way through its training, and the history that notes make."""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import safetensors.numpy

from model_core.tokenizer import Tokenizers
from model_core.training.data.corpus import Corpus, EncodedPair
from model_core.training.evaluation.aligner import Aligner, learn_aligner, with_links
from model_core.training.evaluation.scores import (
    attention_of,
    copying_weight,
    evaluate,
    reference_pairs,
)
from model_core.transformer.transformer import Transformer
from model_core.values.config import TrainConfig
from model_core.values.habits import entropy
from model_core.values.history import CURVES, LEVELS, History
from model_core.values.trace import SITES, Site

_SAMPLE = 64  # sentences of validation that each note is a mean over
_SHOWN = 3  # sentences whose attention is kept
_LENGTHS = range(6, 14)  # of their sources, in tokens, where there are such
_LEXICON_PAIRS = 50_000  # what the aligner of words learns from


@dataclass(frozen=True, eq=False)
class Glance:
    """What heads read now in one sentence of validation, the right target fed."""

    source: tuple[str, ...]  # tokens
    fed: tuple[str, ...]
    weights: Mapping[Site, np.ndarray]  # (L, H, Q, K) each; as it learns


class NoteTaker:
    """Notes of one training, each over the same sentences; it changes no model, draws nothing."""

    def __init__(
        self,
        model: Transformer,
        tokenizers: Tokenizers,
        corpus: Corpus,
        train: Sequence[EncodedPair],
        of: TrainConfig,
    ):
        self.tokenizers, self.config = tokenizers, of
        self.examples = corpus.valid[:: max(1, len(corpus.valid) // _SAMPLE)][:_SAMPLE]
        pairs = reference_pairs(model, tokenizers, self.examples, 1)
        fitting = [pair for pair in pairs if len(pair.source) in _LENGTHS]
        self.shown = (fitting if len(fitting) >= _SHOWN else pairs)[:_SHOWN]
        self.pairs, self.train = pairs, train

    @cached_property
    def aligner(self) -> Aligner:
        """Learnt from a part of what the model learns from, when the first note is taken."""
        part = self.train[:: max(1, len(self.train) // _LEXICON_PAIRS)]
        return learn_aligner(part, *(tokenizer.size for tokenizer in self.tokenizers))

    def note(self, model: Transformer, learning: Transformer, learnt: float, rate: float) -> bytes:
        """The file of a note. `learning` is the model with the masks it learns with; `learnt` are
        nats per token of its updates since the last note, NaN where there were none.
        """
        scores = evaluate(model, self.tokenizers, self.examples, self.config)
        score = scores.exact_match if scores.chrf is None else scores.chrf
        curves = {"learnt": learnt, "rate": rate, "loss": scores.loss, "score": score}
        tensors = {name: np.array(value, np.float32) for name, value in curves.items()}
        weights = [attention_of(learning, pair) for pair in self.pairs]
        if self.config.is_of_strings:
            texts = [example.source for example in self.examples]
            copied = copying_weight(learning, self.tokenizers[0], texts, self.config.task)
        else:
            linked = with_links(self.pairs, self.aligner)
            copied = _weight_on_links([one["cross"] for one in weights], linked)
        tensors["copied_LH"] = np.array(copied, np.float32)
        for site, entropy_LH in _entropies(weights).items():
            tensors[f"{site}.entropy_LH"] = entropy_LH
        for i, pair in enumerate(self.shown):
            for site, weights_LHQK in attention_of(learning, pair).items():
                levels = np.rint(LEVELS * weights_LHQK).astype(np.uint8)
                tensors[f"{site}.weights_{i}"] = levels
        return safetensors.numpy.save(tensors)

    def glance(self, learning: Transformer) -> Glance:
        """What heads read in the first of the sentences whose attention is kept."""
        pair = self.shown[0]
        source, target = (
            one.tokens(ids)
            for one, ids in zip(self.tokenizers, (pair.source, pair.target[:-1]), strict=True)
        )
        return Glance(source.pieces, target.pieces, attention_of(learning, pair))

    def history(self, notes: Mapping[int, bytes], fingerprint: str) -> History:
        """The history that notes make, each by its update."""
        read = [safetensors.numpy.load(notes[update]) for update in sorted(notes)]
        stacked = {name: np.stack([note[name] for note in read]) for name in read[0]}
        is_exact = self.config.is_of_strings
        return History(
            fingerprint=fingerprint,
            score="exact" if is_exact else "chrf",
            broken=self.config.broken_causal_mask,
            updates_N=np.array(sorted(notes), np.int32),
            **{name: stacked[name.removesuffix("_N")] for name in CURVES[1:]},
            entropy_NLH={site: stacked[f"{site}.entropy_LH"] for site in SITES},
            copied_NLH=stacked.get("copied_LH"),
            sentences=tuple((pair.source, pair.target) for pair in self.shown),
            weights={
                site: tuple(stacked[f"{site}.weights_{i}"] for i in range(len(self.shown)))
                for site in SITES
            },
        )

    def guided(
        self, history: History, model: Transformer, updates: int, fingerprint: str
    ) -> History:
        """The history with a note of the model now, after heads were taught for some updates."""
        update = int(history.updates_N[-1]) + updates
        now = self.history({update: self.note(model, model, math.nan, math.nan)}, fingerprint)
        both = (history, now)
        copied = [one.copied_NLH for one in both if one.copied_NLH is not None]
        curves: dict[str, Any] = {
            name: np.concatenate([getattr(one, name) for one in both]) for name in CURVES
        }
        return dataclasses.replace(
            now,
            **curves,
            entropy_NLH={
                site: np.concatenate([one.entropy_NLH[site] for one in both]) for site in SITES
            },
            copied_NLH=np.concatenate(copied) if len(copied) == len(both) else None,
            weights={
                site: tuple(
                    map(np.concatenate, zip(*(one.weights[site] for one in both), strict=True))
                )
                for site in SITES
            },
        )


def _weight_on_links(
    weights: Sequence[np.ndarray], linked: Iterable[EncodedPair]
) -> tuple[tuple[float, ...], ...]:
    """(L, H): the mean cross-attention weight on the source token that an aligner links.

    `weights` are those of each pair, (L, H, T, S). Over the tokens written that have a link; 0
    where none has one.
    """
    total_LH, rows = np.zeros(weights[0].shape[:2]), 0
    for weights_LHTS, pair in zip(weights, linked, strict=True):
        links_T = np.array(pair.links)
        (linked_R,) = np.nonzero(links_T >= 0)
        total_LH += weights_LHTS[:, :, linked_R, links_T[linked_R]].sum(axis=-1, dtype=np.float64)
        rows += len(linked_R)
    return tuple(map(tuple, (total_LH / max(rows, 1)).tolist()))


def _entropies(weights: Sequence[Mapping[Site, np.ndarray]]) -> dict[Site, np.ndarray]:
    """The mean over all rows of all pairs, in bits, (L, H) for each site."""
    sums: dict[Site, np.ndarray] = {}
    rows = dict.fromkeys(SITES, 0)
    for one in weights:
        for site, weights_LHQK in one.items():
            sums[site] = sums.get(site, 0.0) + entropy(weights_LHQK).sum(axis=-1, dtype=np.float64)
            rows[site] += weights_LHQK.shape[2]
    return {site: (sums[site] / rows[site]).astype(np.float32) for site in SITES}
