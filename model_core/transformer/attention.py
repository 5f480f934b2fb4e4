"""Multi-head attention whose every call returns its record.

There is one path: what is recorded is what was computed, in training, in a full pass and in a
cached step. Whether it is self-attention or cross-attention depends on what it is called with.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.transformer.key_values import KeyValues
from model_core.transformer.masks import Mask
from model_core.transformer.positions import RotaryPositions
from model_core.transformer.taps import Tap, untapped
from model_core.values.config import ModelConfig


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """Everything one attention sub-layer computed, all heads."""

    q_BHQE: Tensor  # after the rotation, where there is one; so k
    k_BHKE: Tensor  # k and v may have fewer heads, each for as many heads of queries
    v_BHKE: Tensor
    scores_BHQK: Tensor  # scaled, before bias and mask: finite
    mask: Mask
    # Before dropout: rows sum to 1, masked cells are 0, empty rows are all 0; all are alike where
    # the mask has a finite `hidden_score`.
    weights_BHQK: Tensor
    bias_BHQK: Tensor | None = None  # added to the scores; ours adds none

    def part(self, queries: int, keys: int) -> "AttentionRecord":
        """The record of the first queries and the first keys."""
        return AttentionRecord(
            self.q_BHQE[:, :, :queries],
            self.k_BHKE[:, :, :keys],
            self.v_BHKE[:, :, :keys],
            self.scores_BHQK[:, :, :queries, :keys],
            self.mask.part(queries, keys),
            self.weights_BHQK[:, :, :queries, :keys],
        )


class MultiHeadAttention(nn.Module):
    """Attention of H heads of width E (Vaswani et al. 2017, section 3.2.2)."""

    def __init__(self, config: ModelConfig, heads: int, rotary: bool):
        super().__init__()
        D, self.H, self.E = config.width, heads, config.width_of_head(heads)
        inner = self.H * self.E
        # One matrix, its rows in the order queries, keys, values: one product instead of three.
        self.projection = nn.Linear(D, 3 * inner, bias=config.attention_bias)
        self.output = (
            nn.Linear(inner, D, bias=config.output_bias)
            if config.output_projection
            else nn.Identity()
        )
        self.rotary = (
            RotaryPositions(config.max_positions, self.E, config.rotation) if rotary else None
        )
        self.similarity, self.hard = config.similarity, config.attention == "hard"
        scaled = self.similarity == "scaled_dot"
        self.divisor = math.sqrt(self.E if config.divisor == "head" else D) if scaled else 1.0
        self.splits_transposed = config.split == "transposed"
        self.joins_transposed = config.joined == "transposed"
        self.queries_from_source = config.cross_queries == "source"
        if self.similarity == "additive":
            self.additive_HE = nn.Parameter(torch.empty(self.H, self.E))
        elif self.similarity == "bilinear":
            self.bilinear_HEE = nn.Parameter(torch.empty(self.H, self.E, self.E))
        self.dropout = nn.Dropout(config.dropout_attention)

    def attend_self(
        self, x_BTD: Tensor, mask: Mask, past: KeyValues, tap: Tap = untapped
    ) -> tuple[Tensor, AttentionRecord, KeyValues]:
        """Output (B, T, D), record, and the past with T more keys and values.

        The queries see those T too, as far as the mask lets them.
        """
        heads_BHTE = self._heads(self.projection(x_BTD))
        q_BHQE, kv_BGTE = heads_BHTE.split_with_sizes((self.H, 2 * self.H), dim=1)
        if self.rotary is not None:
            q_BHQE = self.rotary(q_BHQE, past.length)
            k_BHTE, v_BHTE = kv_BGTE.chunk(2, dim=1)
            kv_BGTE = torch.cat([self.rotary(k_BHTE, past.length), v_BHTE], dim=1)
        past = past.append(kv_BGTE)
        return *self._attend(q_BHQE, past, mask, tap), past

    def attend_cross(
        self, x_BTD: Tensor, mask: Mask, memory: KeyValues, tap: Tap = untapped
    ) -> tuple[Tensor, AttentionRecord]:
        """Output (B, T, D) and record of queries from `x_BTD` over the source's keys and values.

        Where the queries are the source's, `x_BTD` gives the values, and T is S.
        """
        inner = self.H * self.E
        if self.queries_from_source:
            values_BHTE = self._projected(x_BTD, slice(2 * inner, None))
            both = KeyValues().append(torch.cat([memory.k_BHKE, values_BHTE], dim=1))
            return self._attend(memory.v_BHKE, both, mask, tap)
        return self._attend(self._projected(x_BTD, slice(inner)), memory, mask, tap)

    def keys_values(self, memory_BSD: Tensor) -> KeyValues:
        """The keys and values of cross-attention, projected once for all steps.

        Where the queries are the source's, they stand in the place of the values.
        """
        inner = self.H * self.E
        if self.queries_from_source:
            q_BHSE, k_BHSE = self._projected(memory_BSD, slice(2 * inner)).chunk(2, dim=1)
            return KeyValues().append(torch.cat([k_BHSE, q_BHSE], dim=1))
        return KeyValues().append(self._projected(memory_BSD, slice(inner, None)))

    def _attend(
        self, q_BHQE: Tensor, keys_values: KeyValues, mask: Mask, tap: Tap
    ) -> tuple[Tensor, AttentionRecord]:
        k_BHKE, v_BHKE = keys_values.k_BHKE, keys_values.v_BHKE
        scores_BHQK = tap("scores", self.scores(q_BHQE, k_BHKE))
        weights_BHQK = tap("weights", self.weights(scores_BHQK, mask))
        dropped_BHQK = tap("dropped", self.dropout(weights_BHQK))
        context_BHQE = tap("heads", dropped_BHQK @ tap("values", v_BHKE))
        B, _, Q, _ = context_BHQE.shape
        # The heads of a single query lie side by side already.
        alone = Q == 1 or not self.joins_transposed
        by_query_BQHE = context_BHQE if alone else context_BHQE.transpose(1, 2)
        joined_BQC = by_query_BQHE.reshape(B, Q, -1)
        record = AttentionRecord(q_BHQE, k_BHKE, v_BHKE, scores_BHQK, mask, weights_BHQK)
        return self.output(joined_BQC), record

    def scores(self, q_BHQE: Tensor, k_BHKE: Tensor) -> Tensor:
        """Similarity of every query with every key, (B, H, Q, K).

        scaled_dot: q.k / sqrt(E), or / sqrt(D). dot: q.k. bilinear: q W k (Luong et al. 2015,
        "general").
        additive: a.tanh(q + k) (Bahdanau et al. 2015; q and k are already projected).
        """
        if self.similarity == "additive":
            sum_BHQKE = q_BHQE.unsqueeze(3) + k_BHKE.unsqueeze(2)
            return (sum_BHQKE.tanh() * self.additive_HE[:, None, None, :]).sum(dim=-1)
        if self.similarity == "bilinear":
            q_BHQE = q_BHQE @ self.bilinear_HEE
        dots_BHQK = q_BHQE @ k_BHKE.mT
        return dots_BHQK / self.divisor if self.similarity == "scaled_dot" else dots_BHQK

    def weights(self, scores_BHQK: Tensor, mask: Mask) -> Tensor:
        """Weights (B, H, Q, K), soft or hard.

        Hard ones pass the gradient of soft ones while training (Bengio et al. 2013, "straight
        through").
        """
        if not self.hard:
            return masked_softmax(scores_BHQK, mask)
        hard_BHQK = masked_argmax(scores_BHQK, mask)
        if not self.training:
            return hard_BHQK
        soft_BHQK = masked_softmax(scores_BHQK, mask)
        # The bracket is exactly 0, so the numbers stay those of hard attention.
        return hard_BHQK + (soft_BHQK - soft_BHQK.detach())

    def _projected(self, x_BTD: Tensor, rows: slice) -> Tensor:
        """The heads made by some rows of the projection."""
        weight, bias = self.projection.weight[rows], self.projection.bias
        return self._heads(functional.linear(x_BTD, weight, None if bias is None else bias[rows]))

    def _heads(self, x_BTC: Tensor) -> Tensor:
        """(B, H, T, E), or with 2 H or 3 H heads where C is as many times H x E."""
        B, T, C = x_BTC.shape
        if self.splits_transposed:
            return x_BTC.view(B, T, -1, self.E).transpose(1, 2)
        inner = self.H * self.E  # each of queries, keys and values for itself
        parts_BPTC = x_BTC.view(B, T, C // inner, inner).transpose(1, 2)
        return parts_BPTC.reshape(B, -1, T, self.E)


def masked_softmax(scores_BHQK: Tensor, mask: Mask) -> Tensor:
    """The softmax over the allowed keys of each row.

    Masked cells are exactly 0, and so is every cell of a row that has no allowed key, unless the
    mask has a finite `hidden_score`.
    """
    if mask.hides_nothing:
        return scores_BHQK.softmax(dim=-1)
    hidden_BHQK = ~mask.allowed_BQK.unsqueeze(1)
    if not mask.has_empty_rows or math.isfinite(mask.hidden_score):
        return scores_BHQK.masked_fill(hidden_BHQK, mask.hidden_score).softmax(dim=-1)
    empty_BHQK = hidden_BHQK.all(dim=-1, keepdim=True)
    # A row of minus infinities would be NaN, in the gradient too: such rows keep their scores until
    # they are zeroed.
    weights_BHQK = scores_BHQK.masked_fill(hidden_BHQK & ~empty_BHQK, -math.inf).softmax(dim=-1)
    return weights_BHQK.masked_fill(empty_BHQK, 0.0)


def masked_argmax(scores_BHQK: Tensor, mask: Mask) -> Tensor:
    """Weights of hard attention: 1 at the highest allowed score of each row, 0 elsewhere.

    Of equal scores the first counts; a row that has no allowed key is all 0.
    """
    hidden_BHQK = ~mask.allowed_BQK.unsqueeze(1)
    best_BHQ = scores_BHQK.masked_fill(hidden_BHQK, -math.inf).argmax(dim=-1)
    weights_BHQK = functional.one_hot(best_BHQ, scores_BHQK.shape[-1]).to(scores_BHQK.dtype)
    return weights_BHQK.masked_fill(hidden_BHQK, 0.0)
