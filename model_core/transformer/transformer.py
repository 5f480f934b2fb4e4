"""The encoder-decoder Transformer in the order and the words of Vaswani et al. 2017.

Every call returns the records of all its attention sub-layers. It predicts; `decoding` chooses.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_core.transformer.layers import DecoderLayer, EncoderLayer, norm_of
from model_core.transformer.masks import Mask, causal_mask, mask_from, pad_mask
from model_core.transformer.passes import (
    DecoderPass,
    DecoderPast,
    EncoderPass,
    FullPass,
    no_past,
)
from model_core.transformer.positions import AddedPositions
from model_core.transformer.taps import Tap, inside, untapped
from model_core.values.config import ModelConfig


class Transformer(nn.Module):
    """An encoder-decoder Transformer of any architecture that `ModelConfig` describes."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        D = config.width
        self.target_embedding = nn.Embedding(config.target_vocabulary, D)
        self.source_embedding = self.target_embedding
        if config.tied != "all":
            self.source_embedding = nn.Embedding(config.source_vocabulary, D)
        self.source_positions = AddedPositions(config)
        self.target_positions = AddedPositions(config)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.encoder_norm = norm_of(config) if config.final_norm else nn.Identity()
        self.decoder_norm = norm_of(config) if config.final_norm else nn.Identity()
        self.dropout = nn.Dropout(config.dropout_embedding)
        self.logits = nn.Linear(D, config.target_vocabulary, bias=config.logits_bias)
        self._initialise()
        if config.tied != "none":
            self.logits.weight = self.target_embedding.weight

    @property
    def device(self) -> torch.device:
        """Where the weights are, and token ids have to be."""
        return self.logits.weight.device

    def forward(self, source_BS: Tensor, target_BT: Tensor, tap: Tap = untapped) -> FullPass:
        """One teacher-forced pass: the logits at position t predict the target token t + 1.

        `tap` is called with every intermediate result; taps.py lists their names.
        """
        encoded = self.encode(source_BS, tap=tap)
        return FullPass.of(encoded, self.decode(target_BT, encoded, tap=tap))

    def encode(
        self, source_BS: Tensor, mask: Mask | None = None, tap: Tap = untapped
    ) -> EncoderPass:
        """The encoder's output and records for token ids; pads anywhere get no weight.

        `mask` replaces the model's own, of the encoder and of cross-attention.
        """
        mask = mask or self.source_mask(source_BS)
        x_BSD = self._embed("source", source_BS, 0, tap)
        records = []
        for number, layer in enumerate(self.encoder, start=1):
            x_BSD, record = layer(x_BSD, mask, inside(tap, f"encoder.{number}"))
            records.append(record)
        memory_BSD = tap("encoder.memory", self.encoder_norm(x_BSD))
        decoder = cast(Iterable[DecoderLayer], self.decoder)
        cross = tuple(layer.cross_attention.keys_values(memory_BSD) for layer in decoder)
        return EncoderPass(memory_BSD, mask, tuple(records), cross)

    def decode(
        self,
        target_BT: Tensor,
        encoded: EncoderPass,
        past: DecoderPast | None = None,
        mask: Mask | None = None,
        tap: Tap = untapped,
    ) -> DecoderPass:
        """The logits and records of T more target positions after those in `past`.

        `mask` replaces the causal and pad mask of self-attention. ValueError for a past where the
        target has to be read whole.
        """
        past = past or no_past(len(self.decoder))
        if self.reads_whole and past.length:
            raise ValueError("every token changes the rows before it: give the whole target")
        if self.config.cross_queries == "source":
            return self._decode_filled(target_BT, encoded, past, mask, tap)
        return self._decode(target_BT, encoded, past, mask, tap)

    @property
    def reads_whole(self) -> bool:
        """Whether every token of the target changes what is made of those before it."""
        return self.config.reads_whole

    def source_mask(self, source_BS: Tensor) -> Mask:
        """The mask of the encoder and of cross-attention: it hides pads, unless the model does not.

        Its shape is (B, 1, S).
        """
        if self.config.pad_mask:
            mask = pad_mask(source_BS, self.config.pad_id)
        else:
            mask = mask_from("none", torch.ones_like(source_BS, dtype=torch.bool).unsqueeze(1))
        return self._hiding(mask)

    def _target_mask(self, target_BT: Tensor, past: int, pads: Mask | None) -> Mask:
        """The mask of decoder self-attention, (B or 1, T, past + T)."""
        mask = causal_mask(target_BT.shape[1], past, target_BT.device)
        return self._hiding(mask if pads is None else mask & pads)

    def _hiding(self, mask: Mask) -> Mask:
        """The mask with what this model puts in the place of a hidden score."""
        if self.config.hidden_score == "-inf":
            return mask
        return replace(mask, hidden_score=float(self.config.hidden_score))

    def _decode_filled(
        self,
        target_BT: Tensor,
        encoded: EncoderPass,
        nothing: DecoderPast,
        mask: Mask | None,
        tap: Tap,
    ) -> DecoderPass:
        """As `decode`, where cross-attention takes its queries from the source.

        Each query then weighs values of the target, one per token of the source: the target is
        filled with pads to the source's length. ValueError where it is longer.
        """
        (B, T), S = target_BT.shape, encoded.memory_BSD.shape[1]
        if T > S:
            raise ValueError(f"{T} target tokens; a source of {S} allows no more than {S}")
        if T == S:
            return self._decode(target_BT, encoded, nothing, mask, tap)
        filled_BT = functional.pad(target_BT, (0, S - T), value=self.config.pad_id)
        crossing = encoded.mask
        if crossing.allowed_BQK.shape[1] > 1:  # not one row for all
            allowed_BQK = functional.pad(crossing.allowed_BQK, (0, 0, 0, S - T), value=True)
            crossing = mask_from(crossing.name, allowed_BQK, crossing.hidden_score)
            encoded = replace(encoded, mask=crossing)
        # What the target is filled with is read as it always is, whatever mask the target has.
        mask = mask or self._target_mask(target_BT, 0, self._pads(target_BT, nothing))
        filled = Transformer._target_mask(self, filled_BT, 0, self._pads(filled_BT, nothing))
        allowed_BQK = filled.allowed_BQK.repeat(B // len(filled.allowed_BQK), 1, 1)
        allowed_BQK[:, :T, :T] = mask.allowed_BQK
        mask = mask_from(mask.name, allowed_BQK, mask.hidden_score)
        passed = self._decode(filled_BT, encoded, nothing, mask, tap)
        return DecoderPass(
            passed.logits_BTV[:, :T],
            tuple(record.part(T, T) for record in passed.self_records),
            tuple(record.part(T, S) for record in passed.cross_records),
            nothing,
        )

    def _decode(
        self,
        target_BT: Tensor,
        encoded: EncoderPass,
        past: DecoderPast,
        mask: Mask | None,
        tap: Tap,
    ) -> DecoderPass:
        T = target_BT.shape[1]
        pads = self._pads(target_BT, past)
        mask = mask or self._target_mask(target_BT, past.length, pads)
        x_BTD = self._embed("target", target_BT, past.length, tap)
        self_records, cross_records, layers = [], [], []
        parts = zip(self.decoder, past.layers, encoded.cross, strict=True)
        for number, (layer, layer_past, memory) in enumerate(parts, start=1):
            within = inside(tap, f"decoder.{number}")
            x_BTD, self_record, cross_record, layer_past = layer(
                x_BTD, mask, layer_past, memory, encoded.mask, within
            )
            self_records.append(self_record)
            cross_records.append(cross_record)
            layers.append(layer_past)
        logits_BTV = self.logits(tap("decoder.output", self.decoder_norm(x_BTD)))
        grown = DecoderPast(past.length + T, tuple(layers), pads)
        return DecoderPass(logits_BTV, tuple(self_records), tuple(cross_records), grown)

    def _embed(self, side: str, ids_BT: Tensor, first: int, tap: Tap) -> Tensor:
        """What enters the first layer of a stack; `first` is the position of the first token."""
        T, P = first + ids_BT.shape[1], self.config.max_positions
        if T > P:  # a table too short by all but one row would be broadcast without a word
            raise ValueError(f"{T} positions; this model has {P}")
        of_source = side == "source"
        x_BTD = (self.source_embedding if of_source else self.target_embedding)(ids_BT)
        if self.config.scale_embedding:
            x_BTD = x_BTD * math.sqrt(self.config.width)
        x_BTD = tap(f"{side}.embedding", x_BTD)
        x_BTD = (self.source_positions if of_source else self.target_positions)(x_BTD, first)
        return self.dropout(tap(f"{side}.sum", x_BTD))

    def _pads(self, target_BT: Tensor, past: DecoderPast) -> Mask | None:
        """The pad mask of all target positions so far, or None where there is no pad to hide."""
        if not self.config.pad_mask:
            return None
        if past.pads is None and not any(self.config.pad_id in ids for ids in target_BT.tolist()):
            return None
        visible_BT = target_BT != self.config.pad_id
        before = (
            past.pads.allowed_BQK
            if past.pads
            else visible_BT.new_ones(len(visible_BT), 1, past.length)
        )
        return mask_from("pad", torch.cat([before, visible_BT.unsqueeze(1)], dim=-1))

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
