"""Rows of ids as a pass of `transformers` reads them."""

from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import PreTrainedModel

from model_core.models.hub.words import Words
from model_core.transformer.padding import pad_rows


def padded(
    rows: Sequence[Sequence[int]], words: Words, device: torch.device, start: int
) -> tuple[Tensor, Tensor]:
    """Rows of ids as one tensor, and which of them are no pads; the first `start` never are."""
    ids_BT = pad_rows(rows, words.pad or 0)
    places_T = torch.arange(ids_BT.shape[1])
    allowed_BT = places_T < torch.tensor([[len(row)] for row in rows])
    if words.pad is not None and words.pad not in words.ends:  # an end that is a pad too is read
        allowed_BT = allowed_BT & ((ids_BT != words.pad) | (places_T < start))
    return ids_BT.to(device), allowed_BT.long().to(device)


def types_of(
    ids_BS: Tensor, allowed_BS: Tensor, words: Words, network: PreTrainedModel
) -> dict[str, Tensor]:
    """Which of two sentences a token is of: the second is what stands behind a separator."""
    if getattr(network.config, "type_vocab_size", 1) < 2 or words.separator is None:
        return {}
    ends_BS = (ids_BS == words.separator).long()
    behind_BS = (ends_BS.cumsum(dim=1) - ends_BS > 0) & (allowed_BS > 0)
    return {"token_type_ids": behind_BS.long()}
