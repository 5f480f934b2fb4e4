"""One sentence in a full pass, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model_core.models.protocol import Model
from model_core.values.trace import Site, Tokens, copied


@dataclass(frozen=True, eq=False)
class SentencePass:
    """One sentence in a full pass: all attention, and what is predicted at each token.

    The predictions stand after each target token, of an encoder alone at each source token; their
    width is 0 where the model predicts nothing.
    """

    source: Tokens
    weights: Mapping[Site, np.ndarray]  # (L, H, Q, K)
    allowed: Mapping[Site, np.ndarray]  # (L, Q, K); True = may attend
    log_probabilities_TV: np.ndarray  # nats
    segment_SD: np.ndarray | None = None  # what tells two sentences apart, where something does

    def weights_LHQK(self, site: Site) -> np.ndarray:
        """The weights of one site."""
        return self.weights[site]


def sentence_pass(model: Model, source: Tokens, target_ids: Sequence[int]) -> SentencePass:
    """The full pass of one sentence, as arrays."""
    segments: list[Tensor] = []

    def tap(name: str, value: Tensor) -> Tensor:
        if name == "source.segment":
            segments.append(value[0])
        return value

    passed = model.full_pass([source.ids], [tuple(target_ids)], tap=tap)
    weights, allowed = {}, {}
    for site, records in passed.by_site.items():
        masks = [one.mask.allowed_BQK[0].expand(one.weights_BHQK.shape[2:]) for one in records]
        weights[site] = copied(torch.stack([record.weights_BHQK[0] for record in records]))
        allowed[site] = copied(torch.stack(masks))
    log_probabilities_TV = copied(passed.logits_BTV[0].log_softmax(dim=-1))
    segment_SD = copied(segments[0]) if segments else None
    return SentencePass(source, weights, allowed, log_probabilities_TV, segment_SD)
