"""What the encoder and the decoder made of a batch, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

from model_core.transformer.attention import AttentionRecord
from model_core.transformer.key_values import KeyValues
from model_core.transformer.masks import Mask
from model_core.values.trace import Site

Keep = Callable[[Site, int, AttentionRecord], Any]  # what is kept, of a layer from 0


def whole(_: Site, __: int, record: AttentionRecord) -> AttentionRecord:
    """The whole record: a `Keep` that keeps everything."""
    return record


def nothing(_: Site, __: int, ___: AttentionRecord) -> None:
    """None: a `Keep` that keeps nothing."""


@dataclass(frozen=True, eq=False)
class EncoderPass:
    """What the encoder made of a batch of sources."""

    memory_BSD: Tensor
    mask: Mask  # pad mask of the source, for the encoder and for cross-attention
    records: tuple[AttentionRecord, ...]  # one per layer
    cross: tuple[KeyValues, ...]  # the memory as each decoder layer sees it

    def take(self, rows_B: Tensor) -> "EncoderPass":
        """The same of these sentences, in this order and as often as asked, without the records."""
        cross = tuple(layer.take(rows_B) for layer in self.cross)
        return EncoderPass(self.memory_BSD[rows_B], self.mask.take(rows_B), (), cross)


@dataclass(frozen=True, eq=False)
class DecoderPast:
    """What the decoder keeps of the target positions it has read.

    A value: decoding from it changes nothing in it.
    """

    length: int
    layers: tuple[KeyValues, ...]
    pads: Mask | None = None  # pad mask of those positions, None where there was no pad

    def take(self, rows_B: Tensor) -> "DecoderPast":
        """The same of these sentences, in this order and as often as asked."""
        if not self.length:
            return self
        pads = self.pads and self.pads.take(rows_B)
        return DecoderPast(self.length, tuple(layer.take(rows_B) for layer in self.layers), pads)


def no_past(layers: int) -> DecoderPast:
    """The state of a decoder before the first token of the target."""
    return DecoderPast(0, (KeyValues(),) * layers)


@dataclass(frozen=True, eq=False)
class DecoderPass:
    """What the decoder made of T target positions."""

    logits_BTV: Tensor
    self_records: tuple[AttentionRecord, ...]  # one per layer
    cross_records: tuple[AttentionRecord, ...]
    past: DecoderPast


@dataclass(frozen=True, eq=False)
class FullPass:
    """What a model made of sources and targets that it was given whole (teacher forcing)."""

    logits_BTV: Tensor  # those at position t predict the target token t + 1
    by_site: Mapping[Site, tuple[Any, ...]]  # what is kept of each layer, usually its record
    encoded: EncoderPass | None = None  # without its records, for another pass of the same sources

    def records(self, site: Site) -> tuple[AttentionRecord, ...]:
        """The records of a site, one per layer."""
        return self.by_site[site]

    def kept(self, keep: Keep) -> "FullPass":
        """The same with what `keep` makes of each record in its place; the logits stay."""
        records = {
            site: tuple(keep(site, layer, one) for layer, one in enumerate(found))
            for site, found in self.by_site.items()
        }
        return replace(self, by_site=records)

    @classmethod
    def of(cls, encoded: EncoderPass, decoded: DecoderPass) -> "FullPass":
        """What an encoder and a decoder made together."""
        by_site: dict[Site, tuple[Any, ...]] = {
            "encoder": encoded.records,
            "decoder": decoded.self_records,
            "cross": decoded.cross_records,
        }
        return cls(decoded.logits_BTV, by_site, replace(encoded, records=()))
