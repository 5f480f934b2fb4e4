"""One sentence in a full pass, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model_core.models.protocol import Model
from model_core.transformer.attention import AttentionRecord
from model_core.values.trace import Site, Tokens, copied

MOST_LOGITS = 2**24  # numbers of one pass


def rows_at_once(model: Model, fed: Sequence[int]) -> int:
    """How many rows that feed this target one pass may have: their logits are many."""
    return max(1, MOST_LOGITS // (max(1, len(fed)) * model.anatomy.target_vocabulary))


def nats_of(logits_BTV: Tensor, follows: Sequence[int]) -> Tensor:
    """The log-probabilities (B, T) of the tokens that follow, nats."""
    ids_T = torch.tensor(list(follows), device=logits_BTV.device)
    index_BT1 = ids_T.expand(len(logits_BTV), -1)[..., None]
    return logits_BTV.log_softmax(dim=-1).gather(-1, index_BT1)[..., 0]


@dataclass(frozen=True, eq=False)
class SentencePass:
    """One sentence in a full pass: all attention, and what is predicted at each token.

    The predictions stand after each target token, of an encoder alone at each source token; their
    width is 0 where the model predicts nothing.
    """

    source: Tokens
    weights: Mapping[Site, Sequence[np.ndarray]]  # (H, Q, K) by layer
    allowed: Mapping[Site, Sequence[np.ndarray]]  # (Q, K) by layer; True = may attend
    log_probabilities_TV: np.ndarray  # nats
    segment_SD: np.ndarray | None = None  # what tells two sentences apart, where something does

    def weights_LHQK(self, site: Site) -> np.ndarray:
        """The weights of one site."""
        return np.stack(self.weights[site])


def sentence_pass(model: Model, source: Tokens, target_ids: Sequence[int]) -> SentencePass:
    """The full pass of one sentence, as arrays."""
    segments: list[Tensor] = []

    def tap(name: str, value: Tensor) -> Tensor:
        if name == "source.segment":
            segments.append(value[0])
        return value

    weights: dict[Site, list[np.ndarray]] = {one.site: [] for one in model.anatomy.sites}
    allowed: dict[Site, list[np.ndarray]] = {one.site: [] for one in model.anatomy.sites}

    def keep(site: Site, _: int, record: AttentionRecord) -> None:
        weights_HQK = record.weights_BHQK[0]
        weights[site].append(copied(weights_HQK))
        allowed[site].append(copied(record.mask.allowed_BQK[0].expand(weights_HQK.shape[1:])))

    passed = model.full_pass([source.ids], [tuple(target_ids)], tap=tap, keep=keep)
    log_probabilities_TV = copied(passed.logits_BTV[0].log_softmax(dim=-1))
    segment_SD = copied(segments[0]) if segments else None
    return SentencePass(source, weights, allowed, log_probabilities_TV, segment_SD)
