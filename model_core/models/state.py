"""Decodings that go on: one of them with all that was recorded, or many at once with nothing.

A state keeps two things to go on from: what is read once for all steps, and what grows with each.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model_core.models.memory import memory_of
from model_core.transformer.passes import DecoderPast
from model_core.transformer.transformer import Transformer
from model_core.values.trace import Decoding

# The logits (N, V) after one token more (N, 1), and the past with it.
Feed = Callable[[Tensor, Any, DecoderPast], tuple[Tensor, DecoderPast]]
Rules = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class State:
    """A decoding and what the model needs to go on from it."""

    decoding: Decoding
    encoded: Any  # what every step reads: an `EncoderPass`, or what a model of others has
    past: DecoderPast
    rules: Any = None  # what the model's settings ask of its scores

    def grew_from(self, earlier: "State") -> bool:
        """Whether this state is `earlier` advanced by any number of tokens, those very arrays."""
        steps = earlier.decoding.steps
        return self.decoding.steps[len(steps) - 1 : len(steps)] == steps[-1:]

    def pieces(self, newest_only: bool) -> Iterator[tuple[int, int]]:
        """Identity and bytes of the large objects behind this state."""
        for layer in self.past.layers:
            yield layer.storage_identity, layer.storage_nbytes
        for step in self.decoding.steps[-1:] if newest_only else self.decoding.steps:
            yield id(step), step.nbytes
        if newest_only:
            return
        decoding = self.decoding
        yield from memory_of((self.encoded, decoding.encoder, decoding.cross_keys)).items()


class Batched:
    """Hypotheses in one batch, one per row; `sentences` says which source each row reads.

    `rules` change the log-probabilities (N, V) that follow `ids_NT`, what each row has written.
    """

    def __init__(
        self,
        feed: Feed,
        encoded: Any,
        past: DecoderPast,
        logits_NV: Tensor,
        sentences: Sequence[int] | None = None,
        rules: Rules | None = None,
        ids_NT: Tensor | None = None,
    ):
        self.ruled, self.logits_NV = rules is not None, logits_NV
        if rules is not None and ids_NT is not None:
            self.logits_NV = rules(ids_NT, logits_NV.log_softmax(dim=-1))
        self._feed, self._encoded, self._past = feed, encoded, past
        self._sentences = list(range(len(logits_NV))) if sentences is None else list(sentences)
        self._rules, self._ids_NT = rules, ids_NT

    @classmethod
    def of_ours(
        cls, model: Transformer, encoded: Any, past: DecoderPast, logits_NV: Tensor
    ) -> "Batched":
        """Rows of our own model, each with a source of its own."""

        def feed(newest_N1: Tensor, encoded: Any, past: DecoderPast) -> tuple[Tensor, DecoderPast]:
            passed = model.decode(newest_N1, encoded, past)
            return passed.logits_BTV[:, -1], passed.past

        return cls(feed, encoded, past, logits_NV)

    @torch.inference_mode()
    def fed(self, rows: Sequence[int], tokens: Sequence[int]) -> "Batched":
        """Some of the rows, each as often as it is named, and each with one token more."""
        rows_N = torch.tensor(list(rows), device=self.logits_NV.device)
        sentences = [self._sentences[row] for row in rows]
        encoded, past, ids_NT = self._encoded, self._past, self._ids_NT
        if sentences != self._sentences:  # rows of one sentence read the same
            encoded = encoded.take(rows_N)
        if list(rows) != list(range(len(self._sentences))):
            past = past.take(rows_N)
        newest_N1 = torch.tensor(list(tokens), device=rows_N.device).unsqueeze(1)
        logits_NV, past = self._feed(newest_N1, encoded, past)
        if ids_NT is not None:
            ids_NT = torch.cat([ids_NT[rows_N], newest_N1], dim=1)
        return Batched(self._feed, encoded, past, logits_NV, sentences, self._rules, ids_NT)
