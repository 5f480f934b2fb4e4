"""Models with other positions that share every weight with the one they are made from."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar, cast

import torch
from torch import nn

from model_core.transformer.attention import MultiHeadAttention
from model_core.transformer.positions import AddedPositions
from model_core.transformer.transformer import Transformer

Part = TypeVar("Part", bound=nn.Module)


def sharing_weights(module: Part) -> Part:
    """A copy of a module and of all inside it, around the very same tensors."""
    twin = sharing_parts(module)
    for name, child in module.named_children():
        setattr(twin, name, sharing_weights(child))
    return twin


def sharing_parts(module: Part) -> Part:
    """A copy of a module around the very same modules and tensors."""
    twin = copy.copy(module)
    for name in ("_modules", "_parameters", "_buffers"):
        twin.__dict__[name] = module.__dict__[name].copy()
    return twin


def without_positions(model: Transformer) -> Transformer:
    """A copy that shares every weight and neither adds positions nor turns by them."""
    bare = sharing_weights(model)
    bare.config = replace(model.config, positions="none", position_table="computed")
    bare.source_positions = AddedPositions(bare.config)
    bare.target_positions = AddedPositions(bare.config)
    for layer in chain(bare.encoder, bare.decoder):
        cast(MultiHeadAttention, layer.self_attention).rotary = None
    return bare


def repositioned(model: Transformer, rows: Sequence[int]) -> Transformer:
    """A copy that shares every weight and takes its source token t for one at position rows[t]."""
    moved = sharing_weights(model)
    index_S = torch.tensor(list(rows), device=model.device)
    added = moved.source_positions
    if added.table_PD is not None:
        table_SD = added.table_PD[index_S]
        own = isinstance(added.table_PD, nn.Parameter)
        added.table_PD = nn.Parameter(table_SD) if own else table_SD
    for layer in moved.encoder:
        rotary = cast(MultiHeadAttention, layer.self_attention).rotary
        if rotary is not None:
            rotary.cos_PE, rotary.sin_PE = rotary.cos_PE[index_S], rotary.sin_PE[index_S]
    return moved
