"""The keys and values of a model of `transformers` as values: a step changes no earlier one.

The library grows its caches in place. Here every step gets a new cache made of what the state
before it has, and what the step added is read off it again.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache
from transformers.cache_utils import DynamicLayer

from model_core.transformer.key_values import KeyValues
from model_core.transformer.passes import DecoderPast

Layers = tuple[KeyValues, ...]


@cache
def called_in(forward: Callable[..., Any]) -> str:
    """What the pass of a network calls its cache; transformers renamed it in 5.24."""
    return "cache" if "cache" in inspect.signature(forward).parameters else "past_key_values"


@dataclass(frozen=True, eq=False)
class Memory:
    """What is read once for all steps; nothing in a model without cross-attention."""

    memory_BSD: Tensor | None = None  # what cross-attention reads
    allowed_BS: Tensor | None = None  # which of it
    cross: Layers | None = None  # as each layer sees it; None without cross-attention

    def take(self, rows_B: Tensor) -> "Memory":
        """The same of these rows, in this order and as often as asked."""
        return Memory(
            None if self.memory_BSD is None else self.memory_BSD[rows_B],
            None if self.allowed_BS is None else self.allowed_BS[rows_B],
            None if self.cross is None else tuple(layer.take(rows_B) for layer in self.cross),
        )


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


def cache_of(encoded: Memory, past: DecoderPast) -> DynamicCache | EncoderDecoderCache:
    """A cache for one call of a model."""
    own, cross = _cache(past.layers), encoded.cross
    return own if cross is None else EncoderDecoderCache(own, _cache(cross))


def read_by(
    cache: DynamicCache | EncoderDecoderCache, encoded: Memory
) -> tuple[Memory, DecoderPast]:
    """What a cache holds after the call."""
    if not isinstance(cache, EncoderDecoderCache):
        return encoded, _past(_pasts(cache))
    cross = _pasts(cache.cross_attention_cache)
    return replace(encoded, cross=cross), _past(_pasts(cache.self_attention_cache))


def _past(layers: Layers) -> DecoderPast:
    return DecoderPast(layers[0].length if layers else 0, layers)


def _cache(layers: Sequence[KeyValues]) -> DynamicCache:
    cache = DynamicCache()
    cache.layers = [_Layer(past) for past in layers]
    return cache


def _pasts(cache: DynamicCache) -> Layers:
    return tuple(layer.past for layer in cache.layers)
