"""The one way in which studies run a model: sources and targets, given whole, in one pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from model_core.transformer.masks import Mask, pad_mask
from model_core.transformer.passes import FullPass
from model_core.transformer.taps import Tap, untapped
from model_core.transformer.transformer import Transformer
from model_core.values.trace import SITES, Site, Tokens, copied


@torch.inference_mode()
def full_pass(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    masks: Mapping[Site, Mask] | None = None,
    tap: Tap = untapped,
) -> FullPass:
    """What the model makes of token ids, one row per sentence, each side padded to one length.

    `masks` take the place of those the model makes itself, site by site. `tap` is called with every
    intermediate result; transformer/taps.py lists their names.
    """
    masks = masks or {}
    source_BS = torch.tensor([list(row) for row in sources], device=model.device)
    target_BT = torch.tensor([list(row) for row in targets], device=model.device)
    encoded = model.encode(source_BS, masks.get("encoder"), tap)
    crossing = replace(encoded, mask=masks.get("cross") or pad_mask(source_BS, model.config.pad_id))
    decoded = model.decode(target_BT, crossing, mask=masks.get("decoder"), tap=tap)
    return FullPass(encoded, decoded)


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
