"""The one attention function of all models of `transformers`, and what it records.

It is registered by name with the library and computes what the library's own "eager" function
computes, in the same order, so every bit is the same.
"""

from collections import defaultdict
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, Self
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface, PreTrainedModel
from transformers.masking_utils import eager_mask

from model_core.errors import CheckpointError
from model_core.models.hub.edited import NONE, AttentionEdits
from model_core.models.hub.families import Family
from model_core.transformer.attention import AttentionRecord, masked_softmax
from model_core.transformer.masks import Mask, mask_from
from model_core.transformer.passes import Keep, whole
from model_core.transformer.taps import Tap, chained, inside, sublayer_of, untapped
from model_core.values.trace import SITES, Site

NAME = "recorded"
# What the library hands every attention function, and what has been done when it is called: the
# window of a mask stands in the mask, places are in queries and keys.
_DONE = {"position_ids", "sliding_window", "use_cache"}


@dataclass(frozen=True)
class _Place:
    """Which sub-layer a module is."""

    site: Site
    layer: int  # counted from 0
    softmax_in_float32: bool

    @property
    def name(self) -> str:
        """What a tap gets: "decoder.2.cross"."""
        return sublayer_of(self.site, self.layer)


_places: "WeakKeyDictionary[nn.Module, _Place]" = WeakKeyDictionary()
_recorder: "ContextVar[Recorder | None]" = ContextVar("recorder", default=None)


class Recorder:
    """Collects the records of one pass, and changes it where it is told to.

    Everything that models attend to inside `with` it, in this thread, is recorded. `masks` take the
    place of the model's own, site by site. `tap` sees and may replace what transformer/taps.py
    lists, but what entered a sub-layer, which it only sees; `changes` come before it. `first` is
    the position of the first token of the target that is read. Of each record only what `keep`
    makes of it is held up to the end of the pass.
    """

    def __init__(
        self,
        masks: Mapping[Site, Mask] | None = None,
        tap: Tap = untapped,
        changes: AttentionEdits = NONE,
        first: int = 0,
        keep: Keep = whole,
    ):
        self._keep = keep
        self.masks, self.changes = masks or {}, changes
        self.tap = chained(changes.tap(first), tap)
        self.read_early: Tensor | None = None  # what cross-attention is to read
        self._kept: dict[Site, list[tuple[int, Any]]] = defaultdict(list)

    def __enter__(self) -> Self:
        self._token = _recorder.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _recorder.reset(self._token)

    def mask(self, site: Site, added: Tensor | None, query: Tensor, key: Tensor) -> Mask | None:
        """What takes the place of the model's own mask, which is `added` to the scores, if any."""
        mask = self.masks.get(site)
        if mask is not None or not self.changes.edits:
            return mask
        own = _mask(added, key)
        edited = self.changes.mask(site, own, query.shape[2])
        return None if edited is own else edited

    def add(self, place: _Place, record: AttentionRecord) -> None:
        """Keep what is wanted of the record of a sub-layer."""
        self._kept[place.site].append((place.layer, self._keep(place.site, place.layer, record)))

    def kept(self, site: Site, layers: int) -> tuple[Any, ...]:
        """What was kept of the records of a site, one per layer.

        Raises CheckpointError where the model did not attend exactly once in every layer: then it
        attends in a way that cannot be seen.
        """
        found = self._kept[site]
        if [layer for layer, _ in found] != list(range(layers)):
            raise CheckpointError(
                f"The model attends in {len(found)} places of the {site} where it has {layers} "
                "layers: its attention goes a way that cannot be seen.",
                "hub_attention",
            )
        return tuple(kept for _, kept in found)


@dataclass(frozen=True)
class AttentionModules:
    """The modules of one attention sub-layer."""

    attention: nn.Module
    output: nn.Module  # projects the joined heads
    norm: nn.Module


def sublayers(model: PreTrainedModel, family: Family) -> dict[Site, list[AttentionModules]]:
    """The attention sub-layers of every site, one per layer, found by the table's paths."""
    found: dict[Site, list[AttentionModules]] = {}
    for site in SITES:
        if site in family.paths:
            above, below = family.paths[site].split(".{}.")
            paths = below, family.outputs[site], family.norms[site]
            layers = model.base_model.get_submodule(above)
            found[site] = [
                AttentionModules(*(layer.get_submodule(path) for path in paths)) for layer in layers
            ]
    return found


def record_modules(model: PreTrainedModel, family: Family) -> None:
    """Let the model attend by this function from now on, and show a tap what is around it."""
    name_modules(model, family)
    for found in sublayers(model, family).values():
        for each in found:
            place = _places[each.attention]
            each.attention.register_forward_pre_hook(partial(_read, place), with_kwargs=True)
            each.output.register_forward_hook(partial(_made, place))
            each.norm.register_forward_hook(partial(normed, place.name, family.pre))
    model.set_attn_implementation(NAME)


def name_modules(model: PreTrainedModel, family: Family) -> None:
    """Let the function that attends know the modules of a model; a copy of one has its hooks."""
    for site, found in sublayers(model, family).items():
        for layer, each in enumerate(found):
            _places[each.attention] = _Place(site, layer, family.softmax_in_float32)


def _read(place: _Place, _: nn.Module, args: Any, kwargs: dict[str, Any]) -> Any:
    """What the sub-layer reads; of cross-attention also what its keys and values are made of."""
    recorder = _recorder.get()
    if recorder is None or recorder.tap is untapped:
        return None
    memory = kwargs.get("key_value_states")
    if memory is not None:
        recorder.tap(f"{place.name}.memory", memory)
    if "hidden_states" in kwargs:
        changed = recorder.tap(f"{place.name}.read", kwargs["hidden_states"])
        return args, {**kwargs, "hidden_states": changed}
    return (recorder.tap(f"{place.name}.read", args[0]), *args[1:]), kwargs


def _made(place: _Place, _: nn.Module, __: Any, made: Tensor) -> Tensor | None:
    """The output of the sub-layer, the heads projected together."""
    recorder = _recorder.get()
    return None if recorder is None else recorder.tap(f"{place.name}.made", made)


def normed(name: str, pre: bool, _: nn.Module, args: Any, made: Tensor) -> Tensor | None:
    """Before the sub-layer the norm reads the stream; behind it, the sum."""
    tap = tap_now()
    if tap is untapped:
        return None
    if pre:
        tap(f"{name}.entered", args[0])
        return None
    return tap(f"{name}.passed", made)


def recorder_now() -> Recorder | None:
    """The recorder of the pass that is running in this thread."""
    return _recorder.get()


def tap_now() -> Tap:
    """The tap of the pass that is running in this thread."""
    recorder = _recorder.get()
    return untapped if recorder is None else recorder.tap


def attend(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    dropout: float = 0.0,
    position_bias: Tensor | None = None,
    **more: Any,
) -> tuple[Tensor, Tensor]:
    """What the heads give, (B, Q, H, E), and the weights (B, H, Q, K), as the library asks.

    Raises CheckpointError for a term that is not known here, such as a cap of the scores.
    """
    _check_known(more)
    place, recorder = _places[module], _recorder.get()
    tap = inside(tap_now(), place.name)
    changes = NONE if recorder is None else recorder.changes
    if "no-split-transpose" in changes.kinds:
        query, key, value = (_as_they_lie(heads) for heads in (query, key, value))
    scaling = query.shape[-1] ** -0.5 if scaling is None else scaling
    if "no-scale" in changes.kinds:
        scaling = 1.0
    if position_bias is not None and place.site != "cross":  # T5's is all zero there
        position_bias = tap("bias", position_bias)
    groups = query.shape[1] // key.shape[1]
    all_keys, all_values = (
        (key, value) if groups == 1 else (t.repeat_interleave(groups, 1) for t in (key, value))
    )
    scores_BHQK = tap("scores", torch.matmul(query, all_keys.transpose(2, 3)) * scaling)
    logits_BHQK = scores_BHQK if position_bias is None else scores_BHQK + position_bias
    all_values = tap("values", all_values)
    mask = None if recorder is None else recorder.mask(place.site, attention_mask, query, key)
    if mask is not None:
        weights_BHQK = masked_softmax(logits_BHQK, mask)
    else:
        made_BHQK = _as_the_library(logits_BHQK, attention_mask, place.softmax_in_float32)
        weights_BHQK = made_BHQK.to(query.dtype)
    weights_BHQK = tap("weights", weights_BHQK)
    dropped_BHQK = nn.functional.dropout(weights_BHQK, p=dropout, training=module.training)
    heads_BHQE = tap("heads", torch.matmul(tap("dropped", dropped_BHQK), all_values))
    if recorder is not None:
        mask = mask or _mask(attention_mask, key)
        bias = None if place.site == "cross" else position_bias
        made = query, key, value, scores_BHQK, mask, weights_BHQK, bias
        recorder.add(place, AttentionRecord(*made))
    B, H, Q, E = heads_BHQE.shape
    if "no-transpose" in changes.kinds:
        return heads_BHQE.contiguous().view(B, Q, H, E), weights_BHQK
    return heads_BHQE.transpose(1, 2).contiguous(), weights_BHQK


def _check_known(terms: Mapping[str, Any]) -> None:
    unknown = [name for name, term in terms.items() if term is not None and name not in _DONE]
    if unknown:
        raise CheckpointError(
            f"The attention of this model has a term {unknown[0]!r}, which cannot be shown. "
            "Choose another model.",
            "hub_attention",
        )


def _as_the_library(logits_BHQK: Tensor, added: Tensor | None, in_float32: bool) -> Tensor:
    """The weights of logits to which the model's own mask is added."""
    if added is not None:
        logits_BHQK = logits_BHQK + added
    dtype = torch.float32 if in_float32 else None
    return logits_BHQK.softmax(dim=-1, dtype=dtype)


def _as_they_lie(heads_BHTE: Tensor) -> Tensor:
    """What splitting into heads without transposing would have made."""
    return heads_BHTE.transpose(1, 2).reshape(heads_BHTE.shape)


def _mask(attention_mask: Tensor | None, key: Tensor) -> Mask:
    """What was added to the scores: 0 where a query may attend, the least number elsewhere."""
    if attention_mask is None:
        allowed = torch.ones(1, 1, key.shape[2], dtype=torch.bool, device=key.device)
        return Mask("model", allowed, hides_nothing=True)
    return mask_from("model", attention_mask[:, 0] == 0)


AttentionInterface.register(NAME, attend)
AttentionMaskInterface.register(NAME, eager_mask)
