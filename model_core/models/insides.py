"""The arithmetic around one attention sub-layer, which a study needs beside its AttentionRecord."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.transformer.attention import AttentionRecord, MultiHeadAttention
from model_core.transformer.layers import Residual, SampleNorm
from model_core.transformer.positions import RotaryPositions


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


@dataclass(frozen=True, eq=False)
class Turning:
    """How queries and keys are turned by their places, pair by pair of dimensions.

    Of pair n, dimensions firsts[n] and seconds[n], place p turns by the angle with this cosine and
    sine; some models make the vectors longer by it, so that their squares need not add up to 1.
    """

    cos_PN: Tensor
    sin_PN: Tensor
    firsts: tuple[int, ...]
    seconds: tuple[int, ...]

    @classmethod
    def of_neighbours(cls, rotary: RotaryPositions, P: int) -> "Turning":
        """The turning of our own rotary positions: pairs of neighbouring dimensions."""
        N = rotary.cos_PE.shape[1]
        firsts, seconds = tuple(range(0, 2 * N, 2)), tuple(range(1, 2 * N, 2))
        return cls(rotary.cos_PE[:P], rotary.sin_PE[:P], firsts, seconds)

    @property
    def frequencies_N(self) -> Tensor:
        """Radians from place to place; float64."""
        return torch.atan2(self.sin_PN[1].double(), self.cos_PN[1].double())

    def __call__(self, x_BHTE: Tensor) -> Tensor:
        """The vectors, turned; the first stands at place 0."""
        T = x_BHTE.shape[2]
        return self._turned(x_BHTE, self.cos_PN[:T], self.sin_PN[:T])

    def back(self, x_BHTE: Tensor) -> Tensor:
        """Vectors that were turned as they were before."""
        T = x_BHTE.shape[2]
        cos_TN, sin_TN = self.cos_PN[:T], self.sin_PN[:T]
        grown_TN = cos_TN**2 + sin_TN**2
        return self._turned(x_BHTE, cos_TN / grown_TN, -sin_TN / grown_TN)

    def _turned(self, x_BHTE: Tensor, cos_TN: Tensor, sin_TN: Tensor) -> Tensor:
        firsts, seconds = list(self.firsts), list(self.seconds)
        one, other = x_BHTE[..., firsts], x_BHTE[..., seconds]
        made_BHTE = x_BHTE.clone()
        made_BHTE[..., firsts] = one * cos_TN - other * sin_TN
        made_BHTE[..., seconds] = one * sin_TN + other * cos_TN
        return made_BHTE


@dataclass(frozen=True, eq=False)
class DistanceBias:
    """What a model adds to the scores of its heads by the distance from query to key."""

    distances: tuple[int, ...]  # the place of the key minus that of the query
    buckets: tuple[int, ...]  # the number that a distance shares with its likes
    bias_RH: Tensor  # one row per distance


class Insides(ABC):
    """The arithmetic of one attention sub-layer.

    `divisor` is what the sum of the products is divided by, 1 where nothing is; `pre` says whether
    the norm stands before the sub-layer. `output_DC` projects the joined heads; without it they
    are only laid side by side.
    """

    def __init__(
        self,
        divisor: float,
        pre: bool,
        norm: NormParts,
        output_DC: Tensor | None,
        bias_D: Tensor | None,
    ):
        self.divisor, self.pre, self.norm = divisor, pre, norm
        self._output_DC, self._bias_D = output_DC, bias_D

    @abstractmethod
    def scores(self, q_BHQE: Tensor, k_BHKE: Tensor) -> Tensor:
        """What the model would make of these queries and keys, (B, H, Q, K), without a bias."""

    @abstractmethod
    def weights(self, scores_BHQK: Tensor, record: AttentionRecord) -> Tensor:
        """What the model would make of other scores, under the same bias and mask."""

    @abstractmethod
    def turning(self, P: int) -> Turning | None:
        """How it turns queries and keys at the first P places; None where it does not."""

    def factors(self, record: AttentionRecord, head: int, query: int) -> tuple[Tensor, Tensor]:
        """The two (K, E) factors of the products that a row of scores adds up: q and k."""
        k_KE = record.k_BHKE[0, head]
        return record.q_BHQE[0, head, query].expand_as(k_KE), k_KE

    def shares(self, context_HE: Tensor) -> Tensor:
        """What each head adds to the output, (H, D); of (H, K, E) at once (H, K, D)."""
        H, E = context_HE.shape[0], context_HE.shape[-1]
        weight_DC = self._output_DC
        weight_DC = torch.eye(H * E).to(context_HE) if weight_DC is None else weight_DC
        pairs = zip(context_HE, weight_DC.unflatten(1, (H, E)).unbind(1), strict=True)
        return torch.stack([functional.linear(context_E, weight) for context_E, weight in pairs])

    def output_bias(self, width: int) -> Tensor:
        """What is added to the output beside the heads' shares, (D)."""
        return torch.zeros(width) if self._bias_D is None else self._bias_D


class OwnInsides(Insides):
    """The insides of our own model."""

    def __init__(self, attention: MultiHeadAttention, around: Residual):
        output, parts = attention.output, _norm_parts(around.norm)
        projects = isinstance(output, nn.Linear)
        projection = (output.weight, output.bias) if projects else (None, None)
        super().__init__(attention.divisor, around.pre, parts, *projection)
        self._attention = attention

    def scores(self, q_BHQE: Tensor, k_BHKE: Tensor) -> Tensor:
        return self._attention.scores(q_BHQE, k_BHKE)

    def weights(self, scores_BHQK: Tensor, record: AttentionRecord) -> Tensor:
        return self._attention.weights(scores_BHQK, record.mask)

    def turning(self, P: int) -> Turning | None:
        rotary = self._attention.rotary
        return None if rotary is None else Turning.of_neighbours(rotary, P)

    def factors(self, record: AttentionRecord, head: int, query: int) -> tuple[Tensor, Tensor]:
        """q and k (dot, scaled_dot), q W and k (bilinear), a and tanh(q + k) (additive)."""
        attention = self._attention
        q_E, k_KE = record.q_BHQE[0, head, query], record.k_BHKE[0, head]
        if attention.similarity == "additive":
            return attention.additive_HE[head].expand_as(k_KE), (q_E + k_KE).tanh()
        if attention.similarity == "bilinear":
            q_E = (record.q_BHQE @ attention.bilinear_HEE)[0, head, query]
        return q_E.expand_as(k_KE), k_KE


def _norm_parts(norm: nn.Module) -> NormParts:
    if isinstance(norm, SampleNorm):
        return NormParts(
            "scalar" if len(norm.gain) == 1 else "sample", norm.eps, norm.gain, norm.bias
        )
    assert isinstance(norm, nn.LayerNorm)
    return NormParts("layer", norm.eps, norm.weight, norm.bias)
