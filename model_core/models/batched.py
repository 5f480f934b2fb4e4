"""Many target sentences of our own model that are decoded together, a token at a time."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model_core.transformer.passes import DecoderPast, EncoderPass
from model_core.transformer.transformer import Transformer


class Batched:
    """Hypotheses in one batch, one per row; `sentences` says which source each row reads."""

    ruled = False

    def __init__(
        self,
        model: Transformer,
        encoded: EncoderPass,
        past: DecoderPast,
        logits_NV: Tensor,
        sentences: Sequence[int] | None = None,
    ):
        self.logits_NV = logits_NV
        self._model, self._encoded, self._past = model, encoded, past
        self._sentences = list(range(len(logits_NV))) if sentences is None else list(sentences)

    def fed(self, rows: Sequence[int], tokens: Sequence[int]) -> "Batched":
        """Some of the rows, each as often as it is named, and each with one token more."""
        rows_N = torch.tensor(list(rows), device=self.logits_NV.device)
        sentences = [self._sentences[row] for row in rows]
        encoded, past = self._encoded, self._past
        if sentences != self._sentences:  # rows of one sentence read the same
            encoded = encoded.take(rows_N)
        if list(rows) != list(range(len(self._sentences))):
            past = past.take(rows_N)
        newest_N1 = torch.tensor(list(tokens), device=rows_N.device).unsqueeze(1)
        passed = self._model.decode(newest_N1, encoded, past)
        return Batched(self._model, encoded, passed.past, passed.logits_BTV[:, -1], sentences)
