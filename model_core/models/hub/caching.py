"""The keys and values of a model of `transformers` as values: a step changes no earlier one.

The library grows its caches in place. Here every step gets a new cache made of what the state
before it has, and what the step added is read off it again.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, EncoderDecoderCache
from transformers.cache_utils import DynamicLayer

from model_core.transformer.key_values import KeyValues

Layers = tuple[KeyValues, ...]


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
