"""Hypotheses of a model of `transformers` that are decoded together, a token at a time."""

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from model_core.models.hub.attention import Recorder
from model_core.models.hub.caching import Layers


class _Fed(Protocol):
    def __call__(
        self,
        ids_NT: Tensor,
        memory_NSD: Tensor | None,
        allowed_NS: Tensor | None,
        own: Layers,
        cross: Layers | None,
    ) -> tuple[Tensor, Recorder, Layers, Layers | None]: ...


class HubHypotheses:
    """Hypotheses in one batch, one per row; all rows read the same source."""

    def __init__(
        self,
        feed: _Fed,
        logits_NV: Tensor,
        memory_NSD: Tensor | None,
        allowed_NS: Tensor | None,
        own: Layers,
        cross: Layers | None,
    ):
        self.logits_NV = logits_NV
        self._feed, self._own, self._cross = feed, own, cross
        self._memory_NSD, self._allowed_NS = memory_NSD, allowed_NS

    @torch.inference_mode()
    def fed(self, rows: Sequence[int], tokens: Sequence[int]) -> "HubHypotheses":
        """Some of the rows, each as often as it is named, and each with one token more."""
        rows_N = torch.tensor(list(rows), device=self.logits_NV.device)
        own = tuple(layer.take(rows_N) for layer in self._own)
        cross, memory_NSD, allowed_NS = self._cross, self._memory_NSD, self._allowed_NS
        if len(rows) != len(self.logits_NV):  # rows of one source read the same
            cross = None if cross is None else tuple(layer.take(rows_N) for layer in cross)
            memory_NSD = None if memory_NSD is None else memory_NSD[rows_N]
            allowed_NS = None if allowed_NS is None else allowed_NS[rows_N]
        newest_N1 = torch.tensor(list(tokens), device=rows_N.device).unsqueeze(1)
        logits_NTV, _, own, cross = self._feed(newest_N1, memory_NSD, allowed_NS, own, cross)
        return HubHypotheses(self._feed, logits_NTV[:, -1], memory_NSD, allowed_NS, own, cross)
