"""Multi-head attention whose every call returns its record.

There is one path: what is recorded is what was computed, in training, in a full pass and in a
cached step. Nothing here knows whether it is self-attention or cross-attention; that is who calls
it with what.
"""

import math
import threading
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.config import ModelConfig
from model_core.masks import Mask
from model_core.positions import RotaryPositions


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """Everything one attention sub-layer computed, all heads."""

    q_BHQE: Tensor  # after the rotation, where there is one; so k
    k_BHKE: Tensor
    v_BHKE: Tensor
    scores_BHQK: Tensor  # scaled, before the mask: finite
    mask: Mask
    weights_BHQK: Tensor  # before dropout: rows sum to 1, masked cells are 0, empty rows are all 0


class KeyValues:
    """The keys and values of every position so far.

    Appending returns a new value and leaves the old one as it was. Values that grew from one
    another share storage: the first to append to a given length takes the free room behind it, a
    second one (a branch) copies. So a step costs one row, and going back costs nothing.
    """

    def __init__(self) -> None:
        self.length = 0
        self._storage: _Storage | None = None

    @cached_property
    def k_BHKE(self) -> Tensor:
        return self._stored().k_BHKE[:, :, : self.length]

    @cached_property
    def v_BHKE(self) -> Tensor:
        return self._stored().v_BHKE[:, :, : self.length]

    @property
    def storage_identity(self) -> int:
        """Equal for values that share storage, while one of them lives."""
        return id(self._storage)

    @property
    def storage_nbytes(self) -> int:
        """Bytes of the storage, its free room included."""
        return 0 if self._storage is None else 2 * self._storage.k_BHKE.nbytes

    def append(self, k_BHTE: Tensor, v_BHTE: Tensor) -> "KeyValues":
        """These keys and values followed by T more."""
        longer = KeyValues()
        longer.length = self.length + k_BHTE.shape[2]
        if self._storage is None:  # nothing to copy, and gradients flow
            longer._storage = _Storage(k_BHTE, v_BHTE)
            return longer
        storage = self._storage
        if not storage.claim(self.length, longer.length):
            storage = self._storage.copy(self.length, capacity=max(8, 2 * longer.length))
            storage.claim(self.length, longer.length)
        storage.k_BHKE[:, :, self.length : longer.length] = k_BHTE
        storage.v_BHKE[:, :, self.length : longer.length] = v_BHTE
        longer._storage = storage
        return longer

    def _stored(self) -> "_Storage":
        if self._storage is None:
            raise ValueError("no keys and values have been appended yet")
        return self._storage


class _Storage:
    """Room for keys and values, of which the first `filled` rows are taken for good."""

    def __init__(self, k_BHKE: Tensor, v_BHKE: Tensor, filled: int | None = None):
        self.k_BHKE, self.v_BHKE = k_BHKE, v_BHKE
        self.filled = k_BHKE.shape[2] if filled is None else filled
        self._lock = threading.Lock()

    def claim(self, old: int, new: int) -> bool:
        """Whether rows old..new were free; if so they are now the caller's."""
        with self._lock:
            if self.filled != old or new > self.k_BHKE.shape[2]:
                return False
            self.filled = new
            return True

    def copy(self, length: int, capacity: int) -> "_Storage":
        B, H, _, E = self.k_BHKE.shape
        k_BHKE = self.k_BHKE.new_empty(B, H, capacity, E)
        v_BHKE = self.v_BHKE.new_empty(B, H, capacity, E)
        k_BHKE[:, :, :length] = self.k_BHKE[:, :, :length]
        v_BHKE[:, :, :length] = self.v_BHKE[:, :, :length]
        return _Storage(k_BHKE, v_BHKE, filled=length)


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


class Dropout(nn.Dropout):
    """Dropout that takes no time where it does nothing: then it is not even called."""

    def __call__(self, x: Tensor) -> Tensor:
        return super().__call__(x) if self.training else x


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
        self.rotary = RotaryPositions(config.max_positions, self.E) if rotary else None
        self.similarity, self.hard = config.similarity, config.attention == "hard"
        if self.similarity == "additive":
            self.additive_HE = nn.Parameter(torch.empty(self.H, self.E))
        elif self.similarity == "bilinear":
            self.bilinear_HEE = nn.Parameter(torch.empty(self.H, self.E, self.E))
        self.dropout = Dropout(config.dropout_attention)

    def _split(self, x_BTC: Tensor, parts: int) -> tuple[Tensor, ...]:
        """`parts` tensors (B, H, T, E) from one product of width parts x H x E."""
        B, T, _ = x_BTC.shape
        return x_BTC.view(B, T, parts, self.H, self.E).permute(2, 0, 3, 1, 4).unbind(0)

    def _projected(self, x_BTD: Tensor, first: int, parts: int) -> tuple[Tensor, ...]:
        """Parts first..first+parts of (queries, keys, values)."""
        projection, inner = self.projection, self.H * self.E
        rows = slice(first * inner, (first + parts) * inner)
        bias = None if projection.bias is None else projection.bias[rows]
        return self._split(functional.linear(x_BTD, projection.weight[rows], bias), parts)

    def keys_values(self, memory_BSD: Tensor) -> KeyValues:
        """The keys and values of cross-attention, projected once for all steps."""
        return KeyValues().append(*self._projected(memory_BSD, 1, 2))

    def attend_self(
        self, x_BTD: Tensor, mask: Mask, past: KeyValues
    ) -> tuple[Tensor, AttentionRecord, KeyValues]:
        """Output (B, T, D), record, and the past with T more keys and values.

        The queries see those T too, as far as the mask lets them.
        """
        q_BHQE, k_BHTE, v_BHTE = self._split(self.projection(x_BTD), 3)
        if self.rotary is not None:
            q_BHQE = self.rotary(q_BHQE, past.length)
            k_BHTE = self.rotary(k_BHTE, past.length)
        past = past.append(k_BHTE, v_BHTE)
        return *self._attend(q_BHQE, past, mask), past

    def attend_cross(
        self, x_BTD: Tensor, mask: Mask, memory: KeyValues
    ) -> tuple[Tensor, AttentionRecord]:
        """Output (B, T, D) and record of queries from `x_BTD` over the source's keys and values."""
        (q_BHQE,) = self._projected(x_BTD, 0, 1)
        return self._attend(q_BHQE, memory, mask)

    def _attend(
        self, q_BHQE: Tensor, keys_values: KeyValues, mask: Mask
    ) -> tuple[Tensor, AttentionRecord]:
        k_BHKE, v_BHKE = keys_values.k_BHKE, keys_values.v_BHKE
        scores_BHQK = self.scores(q_BHQE, k_BHKE)
        weights_BHQK = self.weights(scores_BHQK, mask)
        context_BHQE = self.dropout(weights_BHQK) @ v_BHKE
        joined_BQC = context_BHQE.transpose(1, 2).flatten(2)
        record = AttentionRecord(q_BHQE, k_BHKE, v_BHKE, scores_BHQK, mask, weights_BHQK)
        return self.output(joined_BQC), record

    def scores(self, q_BHQE: Tensor, k_BHKE: Tensor) -> Tensor:
        """Similarity of every query with every key, (B, H, Q, K).

        scaled_dot: q.k / sqrt(E). dot: q.k. bilinear: q W k (Luong et al. 2015, "general").
        additive: a.tanh(q + k) (Bahdanau et al. 2015; q and k are already projected).
        """
        if self.similarity == "additive":
            sum_BHQKE = q_BHQE.unsqueeze(3) + k_BHKE.unsqueeze(2)
            return (sum_BHQKE.tanh() * self.additive_HE[:, None, None, :]).sum(dim=-1)
        if self.similarity == "bilinear":
            q_BHQE = q_BHQE @ self.bilinear_HEE
        dots_BHQK = q_BHQE @ k_BHKE.transpose(-2, -1)
        return dots_BHQK / math.sqrt(self.E) if self.similarity == "scaled_dot" else dots_BHQK

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
