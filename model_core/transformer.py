"""The encoder-decoder Transformer in the order and the words of Vaswani et al. 2017.

Every call returns the records of all its attention sub-layers. Nothing here chooses a token: that is decoding.py.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.attention import AttentionRecord, KeyValues, MultiHeadAttention
from model_core.config import ModelConfig
from model_core.masks import Mask, causal_mask, mask_from, pad_mask
from model_core.positions import AddedPositions

_NO_PAST = KeyValues()


class ScalarNorm(nn.Module):
    """gain x (x - mean) / (std + eps) + bias with one gain and one bias for all dimensions.

    Departs from layer normalisation (Ba et al. 2016) as widely read tutorials do: sample standard deviation
    (divisor D - 1) and eps added outside the root.
    """

    def __init__(self, eps: float):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.ones(1))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, x_BTD: Tensor) -> Tensor:
        centred_BTD = x_BTD - x_BTD.mean(dim=-1, keepdim=True)
        return self.gain * centred_BTD / (x_BTD.std(dim=-1, keepdim=True) + self.eps) + self.bias


def _norm(config: ModelConfig) -> nn.Module:
    if config.norm == "scalar":
        return ScalarNorm(config.norm_eps)
    return nn.LayerNorm(config.width, eps=config.norm_eps)


class Residual(nn.Module):
    """The residual connection around a sub-layer, with the norm after the sum (post) or before the sub-layer (pre)."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.pre = config.norm_place == "pre"
        self.norm = _norm(config)
        self.dropout = nn.Dropout(config.dropout_residual)

    def into(self, x_BTD: Tensor) -> Tensor:
        """What the sub-layer reads."""
        return self.norm(x_BTD) if self.pre else x_BTD

    def out_of(self, x_BTD: Tensor, sublayer_BTD: Tensor) -> Tensor:
        """What the next sub-layer gets, from the residual stream and the sub-layer's output."""
        sum_BTD = x_BTD + self.dropout(sublayer_BTD)
        return sum_BTD if self.pre else self.norm(sum_BTD)


class FeedForward(nn.Module):
    """Two position-wise maps with an activation between: linear layers, or convolutions of width 1 (equal numbers)."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        D, F = config.width, config.feed_forward_width
        self.convolution = config.feed_forward == "convolution"
        if self.convolution:
            self.inner, self.outer = nn.Conv1d(D, F, 1), nn.Conv1d(F, D, 1)
        else:
            self.inner, self.outer = nn.Linear(D, F), nn.Linear(F, D)
        self.activation = functional.relu if config.activation == "relu" else functional.gelu
        self.dropout = nn.Dropout(config.dropout_feed_forward)

    def forward(self, x_BTD: Tensor) -> Tensor:
        x = x_BTD.transpose(1, 2) if self.convolution else x_BTD
        x = self.outer(self.dropout(self.activation(self.inner(x))))
        return x.transpose(1, 2) if self.convolution else x


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        rotary = config.positions == "rotary"
        self.self_attention = MultiHeadAttention(config, config.encoder_heads, rotary)
        self.feed_forward = FeedForward(config)
        self.around_self, self.around_feed_forward = Residual(config), Residual(config)

    def forward(self, x_BSD: Tensor, mask: Mask) -> tuple[Tensor, AttentionRecord]:
        attended_BSD, record, _ = self.self_attention.attend_self(
            self.around_self.into(x_BSD), mask, _NO_PAST
        )
        x_BSD = self.around_self.out_of(x_BSD, attended_BSD)
        fed_BSD = self.feed_forward(self.around_feed_forward.into(x_BSD))
        return self.around_feed_forward.out_of(x_BSD, fed_BSD), record


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
        self, x_BTD: Tensor, mask: Mask, past: KeyValues, memory: KeyValues, memory_mask: Mask
    ) -> tuple[Tensor, AttentionRecord, AttentionRecord, KeyValues]:
        attended_BTD, self_record, past = self.self_attention.attend_self(
            self.around_self.into(x_BTD), mask, past
        )
        x_BTD = self.around_self.out_of(x_BTD, attended_BTD)
        attended_BTD, cross_record = self.cross_attention.attend_cross(
            self.around_cross.into(x_BTD), memory_mask, memory
        )
        x_BTD = self.around_cross.out_of(x_BTD, attended_BTD)
        fed_BTD = self.feed_forward(self.around_feed_forward.into(x_BTD))
        return self.around_feed_forward.out_of(x_BTD, fed_BTD), self_record, cross_record, past


@dataclass(frozen=True, eq=False)
class EncoderPass:
    """What the encoder made of a batch of sources."""

    memory_BSD: Tensor
    mask: Mask  # pad mask of the source, for the encoder and for cross-attention
    records: tuple[AttentionRecord, ...]  # one a layer
    cross: tuple[KeyValues, ...]  # the memory as each decoder layer sees it


@dataclass(frozen=True, eq=False)
class DecoderPast:
    """What the decoder keeps of the target positions it has read. A value: decoding from it changes nothing in it."""

    length: int
    layers: tuple[KeyValues, ...]
    pads: Mask | None  # pad mask of those positions, None where there was no pad


@dataclass(frozen=True, eq=False)
class DecoderPass:
    """What the decoder made of T target positions."""

    logits_BTV: Tensor
    self_records: tuple[AttentionRecord, ...]  # one a layer
    cross_records: tuple[AttentionRecord, ...]
    past: DecoderPast


class Transformer(nn.Module):
    """An encoder-decoder Transformer of any architecture that `ModelConfig` describes."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        D = config.width
        self.target_embedding = nn.Embedding(config.target_vocabulary, D)
        self.source_embedding = (
            self.target_embedding
            if config.tied == "all"
            else nn.Embedding(config.source_vocabulary, D)
        )
        self.source_positions, self.target_positions = (
            AddedPositions(config),
            AddedPositions(config),
        )
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.encoder_norm = _norm(config) if config.final_norm else nn.Identity()
        self.decoder_norm = _norm(config) if config.final_norm else nn.Identity()
        self.dropout = nn.Dropout(config.dropout_embedding)
        self.logits = nn.Linear(D, config.target_vocabulary, bias=config.logits_bias)
        self._initialise()
        if config.tied != "none":
            self.logits.weight = self.target_embedding.weight

    def _initialise(self) -> None:
        """Glorot-uniform matrices, as in the tutorials; embeddings such that what enters the first layer has variance 1."""
        for name, parameter in self.named_parameters():
            if "embedding" in name:
                like_logits = self.config.scale_embedding or self.config.tied != "none"
                nn.init.normal_(parameter, std=self.config.width**-0.5 if like_logits else 1.0)
            elif name.endswith("_HEE"):
                nn.init.zeros_(parameter)
                parameter.data += torch.eye(parameter.shape[-1]) / math.sqrt(parameter.shape[-1])
            elif parameter.dim() > 1 and not name.endswith("table_PD"):
                nn.init.xavier_uniform_(parameter)

    def forward(self, source_BS: Tensor, target_BT: Tensor) -> DecoderPass:
        """One teacher-forced pass: the logits at position t predict the target token t + 1."""
        return self.decode(target_BT, self.encode(source_BS))

    def encode(self, source_BS: Tensor) -> EncoderPass:
        """The encoder's output and records for token ids; pads anywhere get no weight."""
        mask = pad_mask(source_BS, self.config.pad_id)
        x_BSD = self._embed(self.source_embedding, self.source_positions, source_BS, 0)
        records = []
        for layer in self.encoder:
            x_BSD, record = layer(x_BSD, mask)
            records.append(record)
        memory_BSD = self.encoder_norm(x_BSD)
        cross = tuple(layer.cross_attention.keys_values(memory_BSD) for layer in self.decoder)
        return EncoderPass(memory_BSD, mask, tuple(records), cross)

    def decode(
        self, target_BT: Tensor, encoded: EncoderPass, past: DecoderPast | None = None
    ) -> DecoderPass:
        """The logits and records of T more target positions after those in `past` (none by default)."""
        B, T = target_BT.shape
        past = past or DecoderPast(0, (_NO_PAST,) * len(self.decoder), None)
        mask = causal_mask(T, past.length, target_BT.device)
        pads = self._pads(target_BT, past)
        if pads is not None:
            mask = mask & pads
        x_BTD = self._embed(self.target_embedding, self.target_positions, target_BT, past.length)
        self_records, cross_records, layers = [], [], []
        for layer, layer_past, memory in zip(self.decoder, past.layers, encoded.cross, strict=True):
            x_BTD, self_record, cross_record, layer_past = layer(
                x_BTD, mask, layer_past, memory, encoded.mask
            )
            self_records.append(self_record)
            cross_records.append(cross_record)
            layers.append(layer_past)
        logits_BTV = self.logits(self.decoder_norm(x_BTD))
        grown = DecoderPast(past.length + T, tuple(layers), pads)
        return DecoderPass(logits_BTV, tuple(self_records), tuple(cross_records), grown)

    def _embed(
        self, embedding: nn.Module, positions: nn.Module, ids_BT: Tensor, first: int
    ) -> Tensor:
        x_BTD = embedding(ids_BT)
        if self.config.scale_embedding:
            x_BTD = x_BTD * math.sqrt(self.config.width)
        return self.dropout(positions(x_BTD, first))

    def _pads(self, target_BT: Tensor, past: DecoderPast) -> Mask | None:
        """The pad mask of all target positions so far, or None where there is no pad."""
        new = pad_mask(target_BT, self.config.pad_id)
        if new.hides_nothing and past.pads is None:
            return None
        B = target_BT.shape[0]
        before = (
            past.pads.allowed_BQK
            if past.pads
            else torch.ones(B, 1, past.length, dtype=torch.bool, device=target_BT.device)
        )
        allowed_BQK = torch.cat([before, new.allowed_BQK], dim=-1)
        return mask_from("pad", allowed_BQK)
