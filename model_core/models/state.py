"""What decoding goes on from: `SteppingState`, of one sentence with all that was recorded of it,
for the page; `Batched`, of many hypotheses at once without records, for searches and scores.

Each keeps what is read once for all steps (`encoded`), and what grows with each (`past`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from model_core.models.memory import memory_of
from model_core.transformer.passes import DecoderPast
from model_core.values.trace import Decoding, Site


class Fed(NamedTuple):
    """What a model made of tokens that it was fed."""

    logits_NTV: Tensor  # one row per token that was fed
    kept: Mapping[Site, Sequence[Any]]  # of the records of decoder and cross-attention, by layer
    encoded: Any  # what the next step reads
    past: DecoderPast  # the past with these tokens; as it was in a model that reads all anew


Feed = Callable[[Tensor, Any, DecoderPast], Fed]  # (N, T) ids, `encoded` and `past` of a state
Rules = Callable[[Tensor, Tensor], Tensor]  # log-probabilities (N, V) after ids (N, T), changed


@dataclass(frozen=True, eq=False)
class SteppingState:
    """A decoding and what the model needs to go on from it."""

    decoding: Decoding
    encoded: Any  # what every step reads: an `EncoderPass`, or what a model of others has
    past: DecoderPast
    rules: Rules | None = None  # what the model's settings ask of its scores

    def grew_from(self, earlier: "SteppingState") -> bool:
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

    `ids_NT` is what each row has written, the prompt included. `rules` change the log-probabilities
    that follow it.
    """

    def __init__(
        self,
        feed: Feed,
        encoded: Any,
        past: DecoderPast,
        logits_NV: Tensor,
        ids_NT: Tensor,
        rules: Rules | None = None,
        sentences: Sequence[int] | None = None,
    ):
        self.ruled, self.logits_NV = rules is not None, logits_NV
        if rules is not None:
            self.logits_NV = rules(ids_NT, logits_NV.log_softmax(dim=-1))
        self._feed, self._encoded, self._past = feed, encoded, past
        self._sentences = list(range(len(logits_NV))) if sentences is None else list(sentences)
        self._rules, self._ids_NT = rules, ids_NT

    @torch.inference_mode()
    def fed(self, rows: Sequence[int], tokens: Sequence[int]) -> "Batched":
        """Some of the rows, each as often as it is named, and each with one token more."""
        rows_N = torch.tensor(list(rows), device=self.logits_NV.device)
        sentences = [self._sentences[row] for row in rows]
        encoded, past, ids_NT = self._encoded, self._past, self._ids_NT
        if sentences != self._sentences:  # rows of one sentence read the same
            encoded = encoded.take(rows_N)
        if list(rows) != list(range(len(self._sentences))):
            past, ids_NT = past.take(rows_N), ids_NT[rows_N]
        newest_N1 = torch.tensor(list(tokens), device=rows_N.device).unsqueeze(1)
        ids_NT = torch.cat([ids_NT, newest_N1], dim=1)
        made = self._feed(ids_NT[:, past.length :], encoded, past)
        logits_NV = made.logits_NTV[:, -1]
        return Batched(
            self._feed, made.encoded, made.past, logits_NV, ids_NT, self._rules, sentences
        )
