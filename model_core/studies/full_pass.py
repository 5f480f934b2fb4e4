"""One sentence in a full pass, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from model_core.models.full_pass import full_pass
from model_core.transformer.transformer import Transformer
from model_core.values.trace import SITES, Site, Tokens, copied


@dataclass(frozen=True, eq=False)
class SentencePass:
    """One sentence in a full pass: all attention, and the prediction after each target token."""

    source: Tokens
    encoder_LHSS: np.ndarray
    decoder_LHTT: np.ndarray
    cross_LHTS: np.ndarray
    log_probabilities_TV: np.ndarray  # nats

    def weights_LHQK(self, site: Site) -> np.ndarray:
        """The weights of one site."""
        arrays = {
            "encoder": self.encoder_LHSS,
            "decoder": self.decoder_LHTT,
            "cross": self.cross_LHTS,
        }
        return arrays[site]


def sentence_pass(model: Transformer, source: Tokens, target_ids: Sequence[int]) -> SentencePass:
    """The full pass of one sentence, as arrays."""
    passed = full_pass(model, [source.ids], [target_ids])
    encoder_LHSS, decoder_LHTT, cross_LHTS = (
        copied(torch.stack([record.weights_BHQK[0] for record in passed.records(site)]))
        for site in SITES
    )
    log_probabilities_TV = copied(passed.logits_BTV[0].log_softmax(dim=-1))
    return SentencePass(source, encoder_LHSS, decoder_LHTT, cross_LHTS, log_probabilities_TV)
