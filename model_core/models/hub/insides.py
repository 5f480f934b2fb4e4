"""The arithmetic around an attention sub-layer of a model of `transformers`."""

from typing import cast

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from model_core.models.hub.attention import AttentionModules
from model_core.models.hub.stream import angles_of
from model_core.models.insides import Insides, NormParts, Turning
from model_core.transformer.attention import AttentionRecord, masked_softmax

_QUERIES = ("q_proj", "q", "query", "q_lin", "c_attn")  # what the projections are called


class HubInsides(Insides):
    """The insides of one sub-layer; scores are q k over the divisor, whatever the model."""

    def __init__(
        self,
        sublayer: AttentionModules,
        pre: bool,
        scaled: bool = True,
        turns: nn.Module | None = None,
    ):
        output = sublayer.output
        weight = cast(Tensor, output.weight)
        super().__init__(
            1 / float(cast(float, sublayer.attention.scaling)) if scaled else 1.0,
            pre,
            _norm_parts(sublayer.norm),
            weight.T if isinstance(output, Conv1D) else weight,
            cast("Tensor | None", output.bias),
        )
        self._turns = turns

    def scores(self, q_BHQE: Tensor, k_BHKE: Tensor) -> Tensor:
        """q k over the divisor; each key head is read by its group of query heads."""
        groups = q_BHQE.shape[1] // k_BHKE.shape[1]
        return q_BHQE @ k_BHKE.repeat_interleave(groups, 1).transpose(2, 3) / self.divisor

    def weights(self, scores_BHQK: Tensor, record: AttentionRecord) -> Tensor:
        bias = record.bias_BHQK
        return masked_softmax(scores_BHQK if bias is None else scores_BHQK + bias, record.mask)

    def turning(self, P: int) -> Turning | None:
        """The turning of its rotary module: dimensions n and n + E / 2 are a pair."""
        if self._turns is None:
            return None
        cos_PE, sin_PE = angles_of(self._turns, P)
        N = cos_PE.shape[1] // 2
        return Turning(cos_PE[:, :N], sin_PE[:, :N], tuple(range(N)), tuple(range(N, 2 * N)))


def has_bias(sublayer: AttentionModules) -> bool:
    """Whether something is added to the projections to queries, keys and values."""
    parts = dict(sublayer.attention.named_children())
    projection = next(parts[name] for name in _QUERIES if name in parts)
    return getattr(projection, "bias", None) is not None


def _norm_parts(norm: nn.Module) -> NormParts:
    """A layer norm, or one that divides by the root of the mean square (RMS) and adds nothing."""
    gain_D = cast(Tensor, norm.weight)
    if isinstance(norm, nn.LayerNorm):
        return NormParts("layer", norm.eps, gain_D, norm.bias)
    return NormParts("rms", cast(float, norm.variance_epsilon), gain_D, torch.zeros_like(gain_D))
