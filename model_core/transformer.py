"""The encoder-decoder Transformer in the order and the words of Vaswani et al. 2017.

Every call returns the records of all its attention sub-layers. Nothing here chooses a token: that
is decoding.py.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.attention import AttentionRecord, KeyValues, MultiHeadAttention
from model_core.config import ModelConfig
from model_core.layers import Dropout, Embedding, LayerNorm, Linear, Module, Number
from model_core.masks import Mask, causal_mask, mask_from, pad_mask
from model_core.positions import AddedPositions

_NO_PAST = KeyValues()

# Told the name and value of each intermediate result, under the names listed in
# `Transformer.encode` and `Transformer.decode`. It may keep them; it must not change them.
Watch = Callable[[str, Tensor], None]


def _unwatched(name: str, value: Tensor) -> None:
    """Let an intermediate result go by."""


class ScalarNorm(Module):
    """gain x (x - mean) / (std + eps) + bias with one gain and one bias for all dimensions.

    Departs from layer normalisation (Ba et al. 2016) as widely read tutorials do: sample standard
    deviation (divisor D - 1) and eps added outside the root.
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
    return LayerNorm(config.width, eps=config.norm_eps)


class Residual(Module):
    """The residual connection around a sub-layer.

    Its norm stands after the sum (post) or before the sub-layer (pre).
    """

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.pre = config.norm_place == "pre"
        self.norm = _norm(config)
        self.dropout = Dropout(config.dropout_residual)

    def into(self, x_BTD: Tensor) -> Tensor:
        """What the sub-layer reads."""
        return self.norm(x_BTD) if self.pre else x_BTD

    def out_of(self, x_BTD: Tensor, sublayer_BTD: Tensor) -> Tensor:
        """What the next sub-layer gets, from the residual stream and the sub-layer's output."""
        sum_BTD = x_BTD + self.dropout(sublayer_BTD)
        return sum_BTD if self.pre else self.norm(sum_BTD)


class FeedForward(Module):
    """Two position-wise maps with an activation between.

    Linear layers, or convolutions of width 1, which compute the same numbers.
    """

    def __init__(self, config: ModelConfig):
        super().__init__()
        D, F = config.width, config.feed_forward_width
        self.convolution = config.feed_forward == "convolution"
        self.inner: nn.Module = nn.Conv1d(D, F, 1) if self.convolution else Linear(D, F)
        self.outer: nn.Module = nn.Conv1d(F, D, 1) if self.convolution else Linear(F, D)
        self.activation = torch.relu if config.activation == "relu" else functional.gelu
        self.dropout = Dropout(config.dropout_feed_forward)

    def forward(self, x_BTD: Tensor) -> Tensor:
        if self.convolution:  # which wants its channels before the positions
            inner_BFT = self.dropout(self.activation(self.inner(x_BTD.transpose(1, 2))))
            return self.outer(inner_BFT).transpose(1, 2)
        return self.outer(self.dropout(self.activation(self.inner(x_BTD))))


class EncoderLayer(Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        rotary = config.positions == "rotary"
        self.self_attention = MultiHeadAttention(config, config.encoder_heads, rotary)
        self.feed_forward = FeedForward(config)
        self.around_self, self.around_feed_forward = Residual(config), Residual(config)

    def forward(
        self, x_BSD: Tensor, mask: Mask, watch: Watch = _unwatched, name: str = ""
    ) -> tuple[Tensor, AttentionRecord]:
        read_BSD = self.around_self.into(x_BSD)
        attended_BSD, record, _ = self.self_attention.attend_self(read_BSD, mask, _NO_PAST)
        x_BSD = self.around_self.out_of(x_BSD, attended_BSD)
        _tell(watch, name, "self", read_BSD, attended_BSD, x_BSD)
        return _feed_forward(self, x_BSD, watch, name), record


class DecoderLayer(Module):
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
        watch: Watch = _unwatched,
        name: str = "",
    ) -> tuple[Tensor, AttentionRecord, AttentionRecord, KeyValues]:
        read_BTD = self.around_self.into(x_BTD)
        attended_BTD, self_record, past = self.self_attention.attend_self(read_BTD, mask, past)
        x_BTD = self.around_self.out_of(x_BTD, attended_BTD)
        _tell(watch, name, "self", read_BTD, attended_BTD, x_BTD)
        read_BTD = self.around_cross.into(x_BTD)
        attended_BTD, cross_record = self.cross_attention.attend_cross(
            read_BTD, memory_mask, memory
        )
        x_BTD = self.around_cross.out_of(x_BTD, attended_BTD)
        _tell(watch, name, "cross", read_BTD, attended_BTD, x_BTD)
        return _feed_forward(self, x_BTD, watch, name), self_record, cross_record, past


def _feed_forward(
    layer: EncoderLayer | DecoderLayer, x_BTD: Tensor, watch: Watch, name: str
) -> Tensor:
    """The last sub-layer of a layer of either stack, with its residual connection."""
    read_BTD = layer.around_feed_forward.into(x_BTD)
    fed_BTD = layer.feed_forward(read_BTD)
    x_BTD = layer.around_feed_forward.out_of(x_BTD, fed_BTD)
    _tell(watch, name, "feed_forward", read_BTD, fed_BTD, x_BTD)
    return x_BTD


def _tell(
    watch: Watch, layer: str, part: str, read_BTD: Tensor, made_BTD: Tensor, passed_BTD: Tensor
) -> None:
    """What a sub-layer read, what it made, and what left its residual connection."""
    if watch is not _unwatched:
        watch(f"{layer}.{part}.read", read_BTD)
        watch(f"{layer}.{part}.made", made_BTD)
        watch(f"{layer}.{part}.passed", passed_BTD)


@dataclass(frozen=True, eq=False)
class EncoderPass:
    """What the encoder made of a batch of sources."""

    memory_BSD: Tensor
    mask: Mask  # pad mask of the source, for the encoder and for cross-attention
    records: tuple[AttentionRecord, ...]  # one a layer
    cross: tuple[KeyValues, ...]  # the memory as each decoder layer sees it

    def take(self, rows_B: Tensor) -> "EncoderPass":
        """The same of these sentences, in this order and as often as asked, without the records."""
        mask = mask_from(self.mask.name, self.mask.allowed_BQK[rows_B])
        cross = tuple(layer.take(rows_B) for layer in self.cross)
        return EncoderPass(self.memory_BSD[rows_B], mask, (), cross)


@dataclass(frozen=True, eq=False)
class DecoderPast:
    """What the decoder keeps of the target positions it has read.

    A value: decoding from it changes nothing in it.
    """

    length: int
    layers: tuple[KeyValues, ...]
    pads: Mask | None  # pad mask of those positions, None where there was no pad

    def take(self, rows_B: Tensor) -> "DecoderPast":
        """The same of these sentences, in this order and as often as asked."""
        pads = self.pads and mask_from(self.pads.name, self.pads.allowed_BQK[rows_B])
        return DecoderPast(self.length, tuple(layer.take(rows_B) for layer in self.layers), pads)


@dataclass(frozen=True, eq=False)
class DecoderPass:
    """What the decoder made of T target positions."""

    logits_BTV: Tensor
    self_records: tuple[AttentionRecord, ...]  # one a layer
    cross_records: tuple[AttentionRecord, ...]
    past: DecoderPast


class Transformer(Module):
    """An encoder-decoder Transformer of any architecture that `ModelConfig` describes."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        D = config.width
        self.target_embedding = Embedding(config.target_vocabulary, D)
        self.source_embedding = (
            self.target_embedding
            if config.tied == "all"
            else Embedding(config.source_vocabulary, D)
        )
        self.source_positions = AddedPositions(config)
        self.target_positions = AddedPositions(config)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.encoder_norm = _norm(config) if config.final_norm else nn.Identity()
        self.decoder_norm = _norm(config) if config.final_norm else nn.Identity()
        self.scale = Number(math.sqrt(D))
        self.dropout = Dropout(config.dropout_embedding)
        self.logits = Linear(D, config.target_vocabulary, bias=config.logits_bias)
        self._initialise()
        if config.tied != "none":
            self.logits.weight = self.target_embedding.weight

    def _initialise(self) -> None:
        """Set Glorot-uniform matrices, as in the tutorials, and normal embeddings.

        Scaled embeddings then enter the first layer with variance 1; where embeddings are the
        logits' weights too, they are small enough for these.
        """
        for name, parameter in self.named_parameters():
            if "embedding" in name:
                like_logits = self.config.scale_embedding or self.config.tied != "none"
                nn.init.normal_(parameter, std=self.config.width**-0.5 if like_logits else 1.0)
            elif name.endswith("_HEE"):
                nn.init.zeros_(parameter)
                parameter.data += torch.eye(parameter.shape[-1]) / math.sqrt(parameter.shape[-1])
            elif parameter.dim() > 1 and not name.endswith("table_PD"):
                nn.init.xavier_uniform_(parameter)

    def lay_out_for_steps(self) -> None:
        """Make one-token products and the way to them short: the same numbers, names and shapes.

        Matrices that do not narrow are stored column by column. A product with one token takes as
        long as its matrix takes to read, and short rows read slowly: at D = 512 this halves the
        time of widening ones (AVX-512, one thread). Matrices that narrow have long rows and stay
        as they are.
        """
        for module in self.modules():
            if isinstance(module, Linear) and module.out_features >= module.in_features:
                # .data keeps the parameter itself, which the embedding may share.
                module.weight.data = module.weight.data.t().contiguous().t()
            if isinstance(module, Module):
                module.keep_parts_at_hand()

    def forward(self, source_BS: Tensor, target_BT: Tensor) -> DecoderPass:
        """One teacher-forced pass: the logits at position t predict the target token t + 1."""
        return self.decode(target_BT, self.encode(source_BS))

    def encode(
        self, source_BS: Tensor, mask: Mask | None = None, watch: Watch = _unwatched
    ) -> EncoderPass:
        """The encoder's output and records for token ids; pads anywhere get no weight.

        `mask` replaces the pad mask, of the encoder and of cross-attention. `watch` is told
        "source.embedding" (scaled), "source.sum" (with positions), for each layer n from 1
        "encoder.n.self" and "encoder.n.feed_forward" with ".read", ".made" and ".passed", and
        "encoder.memory"; all (B, S, D).
        """
        mask = mask or pad_mask(source_BS, self.config.pad_id)
        x_BSD = self._embed("source", source_BS, 0, watch)
        records = []
        for number, layer in enumerate(self.encoder, start=1):
            x_BSD, record = layer(x_BSD, mask, watch, f"encoder.{number}")
            records.append(record)
        memory_BSD = self.encoder_norm(x_BSD)
        watch("encoder.memory", memory_BSD)
        decoder = cast(Iterable[DecoderLayer], self.decoder)
        cross = tuple(layer.cross_attention.keys_values(memory_BSD) for layer in decoder)
        return EncoderPass(memory_BSD, mask, tuple(records), cross)

    def decode(
        self,
        target_BT: Tensor,
        encoded: EncoderPass,
        past: DecoderPast | None = None,
        mask: Mask | None = None,
        watch: Watch = _unwatched,
    ) -> DecoderPass:
        """The logits and records of T more target positions after those in `past`.

        `mask` replaces the causal and pad mask of self-attention. `watch` is told as in `encode`:
        "target.embedding", "target.sum", "decoder.n.self", ".cross" and ".feed_forward", and
        "decoder.output", from which the logits are made; all (B, T, D).
        """
        T = target_BT.shape[1]
        past = past or DecoderPast(0, (_NO_PAST,) * len(self.decoder), None)
        pads = self._pads(target_BT, past)
        if mask is None:
            mask = causal_mask(T, past.length, target_BT.device)
            if pads is not None:
                mask = mask & pads
        x_BTD = self._embed("target", target_BT, past.length, watch)
        self_records, cross_records, layers = [], [], []
        parts = zip(self.decoder, past.layers, encoded.cross, strict=True)
        for number, (layer, layer_past, memory) in enumerate(parts, start=1):
            x_BTD, self_record, cross_record, layer_past = layer(
                x_BTD, mask, layer_past, memory, encoded.mask, watch, f"decoder.{number}"
            )
            self_records.append(self_record)
            cross_records.append(cross_record)
            layers.append(layer_past)
        output_BTD = self.decoder_norm(x_BTD)
        watch("decoder.output", output_BTD)
        logits_BTV = self.logits(output_BTD)
        grown = DecoderPast(past.length + T, tuple(layers), pads)
        return DecoderPass(logits_BTV, tuple(self_records), tuple(cross_records), grown)

    def _embed(self, side: str, ids_BT: Tensor, first: int, watch: Watch) -> Tensor:
        """What enters the first layer of a stack; `first` is the position of the first token."""
        T, P = first + ids_BT.shape[1], self.config.max_positions
        if T > P:  # a table too short by all but one row would be broadcast without a word
            raise ValueError(f"{T} positions; this model has {P}")
        of_source = side == "source"
        x_BTD = (self.source_embedding if of_source else self.target_embedding)(ids_BT)
        if self.config.scale_embedding:
            x_BTD = x_BTD * self.scale.like(x_BTD)
        watch(f"{side}.embedding", x_BTD)
        x_BTD = (self.source_positions if of_source else self.target_positions)(x_BTD, first)
        watch(f"{side}.sum", x_BTD)
        return self.dropout(x_BTD)

    def _pads(self, target_BT: Tensor, past: DecoderPast) -> Mask | None:
        """The pad mask of all target positions so far, or None where there is no pad."""
        if past.pads is None and not any(self.config.pad_id in ids for ids in target_BT.tolist()):
            return None
        new = pad_mask(target_BT, self.config.pad_id)
        B = target_BT.shape[0]
        before = (
            past.pads.allowed_BQK
            if past.pads
            else torch.ones(B, 1, past.length, dtype=torch.bool, device=target_BT.device)
        )
        allowed_BQK = torch.cat([before, new.allowed_BQK], dim=-1)
        return mask_from("pad", allowed_BQK)
