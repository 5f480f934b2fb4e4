"""The arithmetic around an attention sub-layer of a model of `transformers`."""

from typing import cast

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from model_core.models.hub.attention import SubLayer
from model_core.models.hub.stream import angles_of
from model_core.models.insides import NormParts, Turning, projected
from model_core.transformer.attention import AttentionRecord, masked_softmax

_QUERIES = ("q_proj", "q", "query", "q_lin", "c_attn")  # what the projections are called


class HubInsides:
    """That of one sub-layer; scores are q k over the divisor, whatever the model."""

    def __init__(
        self, sublayer: SubLayer, pre: bool, scaled: bool = True, turns: nn.Module | None = None
    ):
        self.pre, self._output, self._turns = pre, sublayer.output, turns
        self.divisor = 1 / float(cast(float, sublayer.attention.scaling)) if scaled else 1.0
        self.norm = _norm_parts(sublayer.norm)

    def scores(self, q_BHQE: Tensor, k_BHKE: Tensor) -> Tensor:
        """q k over the divisor; each key head is read by its group of query heads."""
        groups = q_BHQE.shape[1] // k_BHKE.shape[1]
        return q_BHQE @ k_BHKE.repeat_interleave(groups, 1).transpose(2, 3) / self.divisor

    def turning(self, P: int) -> Turning | None:
        """That of its rotary module: dimensions n and n + E / 2 are a pair."""
        if self._turns is None:
            return None
        cos_PE, sin_PE = angles_of(self._turns, P)
        N = cos_PE.shape[1] // 2
        return Turning(cos_PE[:, :N], sin_PE[:, :N], tuple(range(N)), tuple(range(N, 2 * N)))

    def factors(self, record: AttentionRecord, head: int, query: int) -> tuple[Tensor, Tensor]:
        """q and k."""
        k_KE = record.k_BHKE[0, head]
        return record.q_BHQE[0, head, query].expand_as(k_KE), k_KE

    def weights(self, scores_BHQK: Tensor, record: AttentionRecord) -> Tensor:
        bias = record.bias_BHQK
        return masked_softmax(scores_BHQK if bias is None else scores_BHQK + bias, record.mask)

    def shares(self, context_HE: Tensor) -> Tensor:
        """Each head's context through its columns of the projection."""
        weight = cast(Tensor, self._output.weight)
        weight_DC = weight.T if isinstance(self._output, Conv1D) else weight
        H, E = context_HE.shape[0], context_HE.shape[-1]
        return projected(context_HE, weight_DC.unflatten(1, (H, E)))

    def output_bias(self, width: int) -> Tensor:
        bias = cast("Tensor | None", self._output.bias)
        return torch.zeros(width) if bias is None else bias


def has_bias(sublayer: SubLayer) -> bool:
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
