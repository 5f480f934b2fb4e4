"""What a study of one attention sub-layer needs beside its record: the arithmetic around it."""

from dataclasses import dataclass
from typing import Literal, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.transformer.attention import AttentionRecord, MultiHeadAttention
from model_core.transformer.layers import Residual, SampleNorm


@dataclass(frozen=True, eq=False)
class NormParts:
    """left = gain x (entered - mean) / spread + bias; "rms" takes no mean away and adds no bias."""

    kind: Literal["layer", "sample", "scalar", "rms"]
    eps: float
    gain_D: Tensor  # may have one number for all dimensions; so the bias
    bias_D: Tensor

    def mean_and_spread(self, x_D: Tensor) -> tuple[float, float]:
        """What is taken away, and the deviation that is divided by, its eps included."""
        if self.kind == "rms":
            return 0.0, float((x_D.pow(2).mean() + self.eps).sqrt())
        if self.kind == "layer":
            return float(x_D.mean()), float((x_D.var(correction=0) + self.eps).sqrt())
        return float(x_D.mean()), float(x_D.std() + self.eps)


class Insides(Protocol):
    """The arithmetic of one attention sub-layer."""

    @property
    def divisor(self) -> float:
        """What the sum of the products is divided by; 1 where nothing is divided."""
        ...

    @property
    def pre(self) -> bool:
        """Whether the norm stands before the sub-layer."""
        ...

    @property
    def norm(self) -> NormParts: ...

    def factors(self, record: AttentionRecord, head: int, query: int) -> tuple[Tensor, Tensor]:
        """The two (K, E) factors of the products that a row of scores adds up."""
        ...

    def weights(self, scores_BHQK: Tensor, record: AttentionRecord) -> Tensor:
        """What the model would make of other scores, under the same bias and mask."""
        ...

    def shares(self, context_HE: Tensor) -> Tensor:
        """What each head adds to the output, (H, D); of (H, K, E) at once (H, K, D)."""
        ...

    def output_bias(self, width: int) -> Tensor:
        """What is added to the output beside the heads' shares, (D)."""
        ...


class OwnInsides:
    """Those of our own model."""

    def __init__(self, attention: MultiHeadAttention, around: Residual):
        self._attention, self.pre = attention, around.pre
        self.divisor = attention.divisor
        norm = around.norm
        if isinstance(norm, SampleNorm):
            kind: Literal["sample", "scalar"] = "scalar" if len(norm.gain) == 1 else "sample"
            self.norm = NormParts(kind, norm.eps, norm.gain, norm.bias)
        else:
            assert isinstance(norm, nn.LayerNorm)
            self.norm = NormParts("layer", norm.eps, norm.weight, norm.bias)

    def factors(self, record: AttentionRecord, head: int, query: int) -> tuple[Tensor, Tensor]:
        """q and k (dot, scaled_dot), q W and k (bilinear), a and tanh(q + k) (additive)."""
        attention = self._attention
        q_E, k_KE = record.q_BHQE[0, head, query], record.k_BHKE[0, head]
        if attention.similarity == "additive":
            return attention.additive_HE[head].expand_as(k_KE), (q_E + k_KE).tanh()
        if attention.similarity == "bilinear":
            q_E = (record.q_BHQE @ attention.bilinear_HEE)[0, head, query]
        return q_E.expand_as(k_KE), k_KE

    def weights(self, scores_BHQK: Tensor, record: AttentionRecord) -> Tensor:
        """By the model's own attention, hard or soft."""
        return self._attention.weights(scores_BHQK, record.mask)

    def shares(self, context_HE: Tensor) -> Tensor:
        """Each head's context through its columns of the projection."""
        H, E = context_HE.shape[0], context_HE.shape[-1]
        output = self._attention.output
        # Without a projection the heads are only laid side by side.
        weight = output.weight if isinstance(output, nn.Linear) else torch.eye(H * E).to(context_HE)
        return projected(context_HE, weight.unflatten(1, (H, E)))

    def output_bias(self, width: int) -> Tensor:
        """That of the projection; zeros where there is none."""
        bias = getattr(self._attention.output, "bias", None)
        return torch.zeros(width) if bias is None else bias


def projected(context_HE: Tensor, weight_DHE: Tensor) -> Tensor:
    """Each head's context through its own part of the output projection, (H, D) or (H, K, D)."""
    pairs = zip(context_HE, weight_DHE.unbind(1), strict=True)
    return torch.stack([functional.linear(context_E, weight) for context_E, weight in pairs])
