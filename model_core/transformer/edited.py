"""A model whose arithmetic a person has changed; it shares every weight with the one it is made of.

An edit is another configuration, another mask or a tap, never another formula: whatever runs the
model (steps, a beam, a full pass, a study) runs the edited one without knowing.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from model_core.transformer.attention import MultiHeadAttention
from model_core.transformer.edited_masks import MaskEdits
from model_core.transformer.layers import DecoderLayer, EncoderLayer
from model_core.transformer.masks import Mask
from model_core.transformer.passes import DecoderPass, DecoderPast, EncoderPass
from model_core.transformer.taps import Tap, chained, sublayer_of, untapped
from model_core.transformer.transformer import Transformer
from model_core.transformer.variants import sharing_parts, sharing_weights, without_positions
from model_core.values.anatomy import anatomy_of, check_edits
from model_core.values.config import ModelConfig
from model_core.values.edits import Edit, Edits, layer_read
from model_core.values.trace import Site

Means = Mapping[Site, Tensor]  # (L, H, E), the mean of what each head makes


@dataclass(frozen=True, eq=False)
class Around:
    """What an edit needs besides itself: head means, dropout rates, first position."""

    means: Means = field(default_factory=dict)
    # Rates of dropout by the last word of the tap's name where each acts, or by the last two.
    rates: Mapping[str, float] = field(default_factory=dict)
    first: int = 0  # the position of the stack's first token in this pass


def edited(model: Transformer, edits: Edits, means: Means | None = None) -> Transformer:
    """The model with these edits; the model itself where there are none.

    `means` are for the edits that put a head's mean in its place. Raises RecipeError for a layer,
    head or property that the model does not have.
    """
    if not edits:
        return model
    check_edits(edits, anatomy_of(model.config), bool(means))
    kinds = {edit.kind for edit in edits}
    twin = without_positions(model) if "no-positions" in kinds else sharing_parts(model)
    twin.config = replace(twin.config, **_switches(kinds))
    if kinds & {"no-scale", "no-transpose", "no-split-transpose"}:
        twin = sharing_weights(twin)  # the others change nothing inside its modules
        for attention in _attentions(twin):
            if "no-scale" in kinds:
                attention.divisor = 1.0
            if "no-transpose" in kinds:
                attention.joins_transposed = False
            if "no-split-transpose" in kinds:
                attention.splits_transposed = False
    twin.__class__ = type("EditedTransformer", (_Edited, type(twin)), {})
    made = cast(_Edited, twin)
    made.edits, made.means, made.changed = edits, means or {}, MaskEdits(edits)
    return made


class _Edited(Transformer):
    """A Transformer that applies its edits as a tap, before the caller's tap."""

    edits: Edits
    means: Means
    changed: MaskEdits

    @property
    def reads_whole(self) -> bool:
        own = float(self.config.hidden_score)
        return super().reads_whole or self.changed.sees_later(own)

    def encode(
        self, source_BS: Tensor, mask: Mask | None = None, tap: Tap = untapped
    ) -> EncoderPass:
        crossing = mask or self.source_mask(source_BS)
        mask = mask or self._without_rows(crossing, source_BS)
        encoded = super().encode(source_BS, mask, chained(self._encoder_tap(), tap))
        return replace(encoded, mask=crossing)

    def decode(
        self,
        target_BT: Tensor,
        encoded: EncoderPass,
        past: DecoderPast | None = None,
        mask: Mask | None = None,
        tap: Tap = untapped,
    ) -> DecoderPass:
        crossing = replace(encoded, mask=self._without_rows(encoded.mask, target_BT))
        return super().decode(target_BT, crossing, past, mask, tap)

    def _decode(
        self,
        target_BT: Tensor,
        encoded: EncoderPass,
        past: DecoderPast,
        mask: Mask | None,
        tap: Tap,
    ) -> DecoderPass:
        own = tap_of(self.edits, self._around(past.length))
        return super()._decode(target_BT, encoded, past, mask, chained(own, tap))

    def source_mask(self, source_BS: Tensor) -> Mask:
        return self.changed(super().source_mask(source_BS), "encoder", source_BS.shape[1])

    def _target_mask(self, target_BT: Tensor, past: int, pads: Mask | None) -> Mask:
        own = super()._target_mask(target_BT, past, pads)
        return self._without_rows(self.changed(own, "decoder", target_BT.shape[1]), target_BT)

    def _without_rows(self, mask: Mask, ids_BQ: Tensor) -> Mask:
        return self.changed.without_rows(mask, ids_BQ != self.config.pad_id)

    def _around(self, first: int) -> Around:
        return Around(self.means, _rates(self.config), first)

    def _encoder_tap(self) -> Tap:
        own = tap_of(self.edits, self._around(0))
        layer = layer_read(self.edits)
        if layer is None:
            return own
        kept: dict[str, Tensor] = {}
        read = f"encoder.{layer + 1}.feed_forward.passed"

        def tap(name: str, value: Tensor) -> Tensor:
            value = own(name, value)
            if name == read:
                kept[read] = value
            return self.encoder_norm(kept[read]) if name == "encoder.memory" else value

        return tap


def _switches(kinds: set[str]) -> dict[str, Any]:
    """What the edits change in the configuration."""
    switches: dict[str, dict[str, Any]] = {
        "no-scale": {"similarity": "dot"},
        "no-embedding-scale": {"scale_embedding": False},
        "no-pad-mask": {"pad_mask": False},
        "pads-rows": {"pad_mask": False},
        "finite-mask": {"hidden_score": "-1e9"},
        "no-transpose": {"joined": "as_they_lie"},
        "no-split-transpose": {"split": "as_they_lie"},
    }
    return {name: value for kind in kinds for name, value in switches.get(kind, {}).items()}


def _attentions(model: Transformer) -> Iterable[MultiHeadAttention]:
    for layer in model.encoder:
        yield cast(EncoderLayer, layer).self_attention
    for layer in model.decoder:
        yield cast(DecoderLayer, layer).self_attention
        yield cast(DecoderLayer, layer).cross_attention


def tap_of(edits: Edits, around: Around) -> Tap:
    """The tap that carries out edits on a stack; kinds that are no taps it leaves to others."""
    return chained(*(_CHANGES[edit.kind](edit, around) for edit in edits if edit.kind in _CHANGES))


def _head_off(edit: Edit, around: Around) -> Tap:
    name = f"{sublayer_of(cast(Site, edit.site), edit.layer)}.heads"
    is_mean = edit.kind == "head-mean"
    mean_E = around.means[cast(Site, edit.site)][edit.layer, edit.head] if is_mean else 0.0

    def change(value_BHQE: Tensor) -> Tensor:
        changed_BHQE = value_BHQE.clone()
        changed_BHQE[:, edit.head] = mean_E
        return changed_BHQE

    return lambda given, value: change(value) if given == name else value


def _part_off(edit: Edit, around: Around) -> Tap:
    name = f"{edit.site}.{edit.layer + 1}.{edit.part}.made"
    return lambda given, value: torch.zeros_like(value) if given == name else value


def _value_zero(edit: Edit, around: Around) -> Tap:
    def change(value_BHKE: Tensor) -> Tensor:
        if edit.token >= value_BHKE.shape[2]:
            return value_BHKE
        changed_BHKE = value_BHKE.clone()
        changed_BHKE[:, slice(None) if edit.head < 0 else edit.head, edit.token] = 0.0
        return changed_BHKE

    def reads_source(given: str) -> bool:
        if edit.site:
            return given == f"{sublayer_of(cast(Site, edit.site), edit.layer)}.values"
        of_encoder = given.startswith("encoder.") and given.endswith(".self.values")
        return of_encoder or given.endswith(".cross.values")

    return lambda given, value: change(value) if reads_source(given) else value


def _dropout(edit: Edit, around: Around) -> Tap:
    def rate_of(name: str) -> float:
        words = name.split(".")
        return around.rates.get(".".join(words[-2:]), around.rates.get(words[-1], 0.0))

    def factors(name: str, value: Tensor, index: int) -> np.ndarray:
        """What one position is multiplied by: (D,), or (H, K) for weights.

        Each position draws for itself and each key in turn, so that a step draws what a full pass
        draws there.
        """
        first = 0 if name.startswith(_OF_SOURCE) else around.first
        random = np.random.default_rng([edit.seed, zlib.crc32(name.encode()), first + index])
        rate = rate_of(name)
        shape = value.shape[-1:] if value.dim() == 3 else (value.shape[-1], value.shape[1])
        return ((random.random(shape) >= rate) / (1 - rate)).T

    def tap(name: str, value: Tensor) -> Tensor:
        if not rate_of(name):
            return value
        drawn = np.stack([factors(name, value, index) for index in range(value.shape[-2])], axis=-2)
        return value * torch.from_numpy(drawn).to(value)

    return tap


_OF_SOURCE = ("encoder.", "source.")  # how the names begin of what is read at once


def _rates(config: ModelConfig) -> dict[str, float]:
    """The rates of dropout by the last word of the tap's name where each acts."""
    return {
        "sum": config.dropout_embedding,
        "dropped": config.dropout_attention,
        "hidden": config.dropout_feed_forward,
        "made": config.dropout_residual,
    }


_CHANGES: dict[str, Callable[[Edit, Around], Tap]] = {
    "head-off": _head_off,
    "head-mean": _head_off,
    "sublayer-off": _part_off,
    "zero-value": _value_zero,
    "dropout": _dropout,
}
