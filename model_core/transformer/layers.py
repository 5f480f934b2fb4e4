"""The layers of both stacks: sub-layers, each with a residual connection and a norm around it."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.transformer.attention import AttentionRecord, MultiHeadAttention
from model_core.transformer.key_values import KeyValues
from model_core.transformer.masks import Mask
from model_core.transformer.taps import Tap, inside, untapped
from model_core.values.config import ModelConfig

NO_PAST = KeyValues()


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        rotary = config.positions == "rotary"
        self.self_attention = MultiHeadAttention(config, config.encoder_heads, rotary)
        self.feed_forward = FeedForward(config)
        self.around_self, self.around_feed_forward = Residual(config), Residual(config)

    def forward(
        self, x_BSD: Tensor, mask: Mask, tap: Tap = untapped
    ) -> tuple[Tensor, AttentionRecord]:
        """The stream after this layer, and the record of its attention."""
        within = inside(tap, "self")
        read_BSD = self.around_self.read(x_BSD, within)
        made_BSD, record, _ = self.self_attention.attend_self(read_BSD, mask, NO_PAST, within)
        x_BSD = self.around_self.add(x_BSD, made_BSD, within)

        within = inside(tap, "feed_forward")
        made_BSD = self.feed_forward(self.around_feed_forward.read(x_BSD, within), within)
        return self.around_feed_forward.add(x_BSD, made_BSD, within), record


class DecoderLayer(nn.Module):
    """Masked self-attention, then cross-attention over the encoder's output, then feed-forward."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        rotary = config.positions == "rotary"
        self.self_attention = MultiHeadAttention(config, config.decoder_heads, rotary)
        self.cross_attention = MultiHeadAttention(config, config.decoder_heads, rotary=False)
        self.feed_forward = FeedForward(config)
        self.around_self, self.around_cross = Residual(config), Residual(config)
        self.around_feed_forward = Residual(config)

    def forward(
        self,
        x_BTD: Tensor,
        mask: Mask,
        past: KeyValues,
        memory: KeyValues,
        memory_mask: Mask,
        tap: Tap = untapped,
    ) -> tuple[Tensor, AttentionRecord, AttentionRecord, KeyValues]:
        """The stream after this layer, the records of self- and cross-attention, and the past."""
        within = inside(tap, "self")
        read_BTD = self.around_self.read(x_BTD, within)
        made_BTD, record, past = self.self_attention.attend_self(read_BTD, mask, past, within)
        x_BTD = self.around_self.add(x_BTD, made_BTD, within)

        within = inside(tap, "cross")
        read_BTD = self.around_cross.read(x_BTD, within)
        made_BTD, cross_record = self.cross_attention.attend_cross(
            read_BTD, memory_mask, memory, within
        )
        x_BTD = self.around_cross.add(x_BTD, made_BTD, within)

        within = inside(tap, "feed_forward")
        made_BTD = self.feed_forward(self.around_feed_forward.read(x_BTD, within), within)
        return self.around_feed_forward.add(x_BTD, made_BTD, within), record, cross_record, past


class Residual(nn.Module):
    """The residual connection around a sub-layer.

    Its norm stands after the sum (post) or before the sub-layer (pre).
    """

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.pre = config.norm_place == "pre"
        self.norm = norm_of(config)
        self.dropout = nn.Dropout(config.dropout_residual)

    def read(self, x_BTD: Tensor, tap: Tap = untapped) -> Tensor:
        """What the sub-layer reads of the stream."""
        return tap("read", self.norm(x_BTD) if self.pre else x_BTD)

    def add(self, x_BTD: Tensor, made_BTD: Tensor, tap: Tap = untapped) -> Tensor:
        """The stream with the sub-layer's output in it: what the next sub-layer gets."""
        sum_BTD = x_BTD + self.dropout(tap("made", made_BTD))
        return tap("passed", sum_BTD if self.pre else self.norm(sum_BTD))


class FeedForward(nn.Module):
    """Two position-wise maps with an activation between.

    Linear layers, or convolutions of width 1, which compute the same numbers.
    """

    def __init__(self, config: ModelConfig):
        super().__init__()
        D, F = config.width, config.feed_forward_width
        self.convolution = config.feed_forward == "convolution"
        self.inner: nn.Module = nn.Conv1d(D, F, 1) if self.convolution else nn.Linear(D, F)
        self.outer: nn.Module = nn.Conv1d(F, D, 1) if self.convolution else nn.Linear(F, D)
        self.activation = torch.relu if config.activation == "relu" else functional.gelu
        self.dropout = nn.Dropout(config.dropout_feed_forward)

    def forward(self, x_BTD: Tensor, tap: Tap = untapped) -> Tensor:
        """The same number of vectors, each made from the one at its place alone."""
        if self.convolution:  # which wants its channels before the positions
            hidden_BFT = self.activation(self.inner(x_BTD.transpose(1, 2)))
            hidden_BFT = tap("hidden", hidden_BFT.transpose(1, 2)).transpose(1, 2)
            return self.outer(self.dropout(hidden_BFT)).transpose(1, 2)
        hidden_BTF = tap("hidden", self.activation(self.inner(x_BTD)))
        return self.outer(self.dropout(hidden_BTF))


class SampleNorm(nn.Module):
    """gain x (x - mean) / (std + eps) + bias, with `size` gains and biases: one, or D.

    Departs from layer normalisation (Ba et al. 2016) as widely read tutorials do: sample standard
    deviation (divisor D - 1) and eps added outside the root.
    """

    def __init__(self, size: int, eps: float):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, x_BTD: Tensor) -> Tensor:
        """The vectors, each normalised by its own mean and deviation."""
        centred_BTD = x_BTD - x_BTD.mean(dim=-1, keepdim=True)
        return self.gain * centred_BTD / (x_BTD.std(dim=-1, keepdim=True) + self.eps) + self.bias


def norm_of(config: ModelConfig) -> nn.Module:
    """A new norm of the kind that the configuration names."""
    if config.norm != "layer":
        return SampleNorm(1 if config.norm == "scalar" else config.width, config.norm_eps)
    return nn.LayerNorm(config.width, eps=config.norm_eps)
