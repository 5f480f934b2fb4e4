"""The keys and values of a model of `transformers` as values: a step changes no earlier one.

The library grows its caches in place. Here every step gets a new cache made of what the state
before it has, and what the step added is read off it again. Hypotheses of a search are decoded
together, a token at a time.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache, LogitsProcessorList
from transformers.cache_utils import DynamicLayer

from model_core.models.hub.attention import Recorder
from model_core.models.memory import memory_of
from model_core.transformer.key_values import KeyValues
from model_core.values.trace import Decoding

Layers = tuple[KeyValues, ...]


@cache
def called_in(forward: Callable[..., Any]) -> str:
    """What the pass of a network calls its cache; transformers renamed it in 5.24."""
    return "cache" if "cache" in inspect.signature(forward).parameters else "past_key_values"


@dataclass(frozen=True, eq=False)
class HubState:
    """A decoding and what the model needs to go on from it."""

    decoding: Decoding
    memory_BSD: Tensor | None  # what cross-attention reads
    allowed_BS: Tensor | None  # which of it
    own: Layers
    cross: Layers | None
    rules: LogitsProcessorList | None = None  # what the model's settings ask of its scores

    @property
    def read(self) -> tuple[Tensor | None, Tensor | None, Layers, Layers | None]:
        """What a pass over more tokens goes on from."""
        return self.memory_BSD, self.allowed_BS, self.own, self.cross

    def grew_from(self, earlier: "HubState") -> bool:
        """Whether this state is `earlier` advanced by any number of tokens, those very arrays."""
        steps = earlier.decoding.steps
        return self.decoding.steps[len(steps) - 1 : len(steps)] == steps[-1:]

    def pieces(self, newest_only: bool) -> Iterator[tuple[int, int]]:
        """Identity and bytes of the large objects behind this state."""
        for layer in self.own:
            yield layer.storage_identity, layer.storage_nbytes
        for step in self.decoding.steps[-1:] if newest_only else self.decoding.steps:
            yield id(step), step.nbytes
        if newest_only:
            return
        for layer in self.cross or ():
            yield layer.storage_identity, layer.storage_nbytes
        decoding = self.decoding
        yield from memory_of((self.memory_BSD, decoding.encoder, decoding.cross_keys)).items()


class _Layer(DynamicLayer):
    """One layer of a cache, over keys and values that are never overwritten."""

    def __init__(self, past: KeyValues):
        super().__init__()
        self.past = past
        if past.length:
            self.lazy_initialization(past.k_BHKE, past.v_BHKE)
            self.keys, self.values = past.k_BHKE, past.v_BHKE

    def update(
        self, key_states: Tensor, value_states: Tensor, *_: Any, **__: Any
    ) -> tuple[Tensor, Tensor]:
        """The keys and values with these behind them."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        self.past = self.past.append(torch.cat([key_states, value_states], dim=1))
        self.keys, self.values = self.past.k_BHKE, self.past.v_BHKE
        return self.keys, self.values


def cache_of(own: Layers, cross: Layers | None) -> DynamicCache | EncoderDecoderCache:
    """A cache for one call of a model; `cross` is None where it has no cross-attention."""
    own_cache = _cache(own)
    return own_cache if cross is None else EncoderDecoderCache(own_cache, _cache(cross))


def layers_of(cache: DynamicCache | EncoderDecoderCache) -> tuple[Layers, Layers | None]:
    """What a cache holds after the call."""
    if isinstance(cache, EncoderDecoderCache):
        return _pasts(cache.self_attention_cache), _pasts(cache.cross_attention_cache)
    return _pasts(cache), None


def no_layers(count: int) -> Layers:
    """Before the first token."""
    return tuple(KeyValues() for _ in range(count))


def _cache(layers: Sequence[KeyValues]) -> DynamicCache:
    cache = DynamicCache()
    cache.layers = [_Layer(past) for past in layers]
    return cache


def _pasts(cache: DynamicCache) -> Layers:
    return tuple(layer.past for layer in cache.layers)


class _Fed(Protocol):
    def __call__(
        self,
        ids_NT: Tensor,
        memory_NSD: Tensor | None,
        allowed_NS: Tensor | None,
        own: Layers,
        cross: Layers | None,
    ) -> tuple[Tensor, Recorder, Layers, Layers | None]: ...


class HubHypotheses:
    """Hypotheses in one batch, one per row; all rows read the same source."""

    def __init__(
        self,
        feed: _Fed,
        rules: LogitsProcessorList | None,
        ids_NT: Tensor,
        logits_NV: Tensor,
        memory_NSD: Tensor | None,
        allowed_NS: Tensor | None,
        own: Layers,
        cross: Layers | None,
    ):
        self.ruled = bool(rules)
        self.logits_NV = rules(ids_NT, logits_NV.log_softmax(dim=-1)) if rules else logits_NV
        self._feed, self._rules, self._ids_NT = feed, rules, ids_NT
        self._own, self._cross = own, cross
        self._memory_NSD, self._allowed_NS = memory_NSD, allowed_NS

    @torch.inference_mode()
    def fed(self, rows: Sequence[int], tokens: Sequence[int]) -> "HubHypotheses":
        """Some of the rows, each as often as it is named, and each with one token more."""
        rows_N = torch.tensor(list(rows), device=self.logits_NV.device)
        own = tuple(layer.take(rows_N) for layer in self._own)
        cross, memory_NSD, allowed_NS = self._cross, self._memory_NSD, self._allowed_NS
        if len(rows) != len(self.logits_NV):  # rows of one source read the same
            cross = None if cross is None else tuple(layer.take(rows_N) for layer in cross)
            memory_NSD = None if memory_NSD is None else memory_NSD[rows_N]
            allowed_NS = None if allowed_NS is None else allowed_NS[rows_N]
        newest_N1 = torch.tensor(list(tokens), device=rows_N.device).unsqueeze(1)
        logits_NTV, _, own, cross = self._feed(newest_N1, memory_NSD, allowed_NS, own, cross)
        ids_NT = torch.cat([self._ids_NT[rows_N], newest_N1], dim=1)
        read = memory_NSD, allowed_NS, own, cross
        return HubHypotheses(self._feed, self._rules, ids_NT, logits_NTV[:, -1], *read)
