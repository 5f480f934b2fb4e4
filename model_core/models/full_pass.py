"""The one way in which our model is run on sources and targets that are given whole."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch

from model_core.transformer.masks import Mask
from model_core.transformer.passes import EncoderPass, FullPass
from model_core.transformer.taps import Tap, untapped
from model_core.transformer.transformer import Transformer
from model_core.values.trace import Site


@torch.inference_mode()
def full_pass(
    model: Transformer,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    masks: Mapping[Site, Mask] | None = None,
    tap: Tap = untapped,
    encoded: EncoderPass | None = None,
) -> FullPass:
    """What the model makes of token ids, one row per sentence, each side padded to one length.

    `masks` take the place of those the model makes itself, site by site. `tap` is called with every
    intermediate result; transformer/taps.py lists their names. `encoded` is what an earlier pass of
    the same sources kept: the encoder is not run again, and there are no records of it.
    """
    masks = {site: mask.to(model.device) for site, mask in (masks or {}).items()}
    source_BS = torch.tensor([list(row) for row in sources], device=model.device)
    target_BT = torch.tensor([list(row) for row in targets], device=model.device)
    encoded = encoded or model.encode(source_BS, masks.get("encoder"), tap)
    crossing = replace(encoded, mask=masks.get("cross") or model.source_mask(source_BS))
    decoded = model.decode(target_BT, crossing, mask=masks.get("decoder"), tap=tap)
    return FullPass.of(encoded, decoded)
