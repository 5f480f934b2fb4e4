"""What changes when the order of the words or the positions do, and what provably does not.

Everything goes through the model itself: a copy that shares all weights gets other positions, or
none, and is run as the model is run. No layer is computed a second time in another way.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from typing import TypeVar, cast

import numpy as np
import torch
from torch import nn

from model_core.attention import MultiHeadAttention
from model_core.decoding import advance, choose, start
from model_core.positions import AddedPositions
from model_core.recent import Recent
from model_core.recipe import MAX_TARGET, Strategy
from model_core.store import Checkpoint
from model_core.trace import SITES, Site, Tokens, copied, frozen
from model_core.transformer import Transformer
from model_core.turns import check_time

Part = TypeVar("Part", bound=nn.Module)


@dataclass(frozen=True, eq=False)
class Run:
    """All attention of one pass, and the prediction after each target token."""

    source: Tokens
    encoder_LHSS: np.ndarray
    decoder_LHTT: np.ndarray
    cross_LHTS: np.ndarray
    log_probabilities_TV: np.ndarray  # nats

    def weights_LHQK(self, site: Site) -> np.ndarray:
        """The weights of one site."""
        arrays = {
            "encoder": self.encoder_LHSS,
            "decoder": self.decoder_LHTT,
            "cross": self.cross_LHTS,
        }
        return arrays[site]


@dataclass(frozen=True)
class Translated:
    """A translation as text."""

    text: str
    is_cut: bool  # the limit of steps ended it


@dataclass(frozen=True)
class Change:
    """By how much one sub-layer's weights differ once each token is back in its old place."""

    site: Site
    layer: int  # counted from 0
    largest: float
    provably_none: bool  # must be the same up to rounding, whatever the weights are


@dataclass(frozen=True, eq=False)
class Effect:
    """One sentence as it was, and with its tokens or their positions changed."""

    before: Run
    after: Run
    put_back: Run  # `after`, its rows and columns in the order of `before`
    changes: tuple[Change, ...]
    # The largest difference between two probabilities of the same token, after each target token.
    predictions_T: np.ndarray
    predictions_provably_same: bool


def without_positions(model: Transformer) -> Transformer:
    """A copy that shares every weight and neither adds positions nor turns by them."""
    bare = _sharing(model)
    bare.config = replace(model.config, positions="none")
    bare.source_positions = AddedPositions(bare.config)
    bare.target_positions = AddedPositions(bare.config)
    for layer in chain(bare.encoder, bare.decoder):
        cast(MultiHeadAttention, layer.self_attention).rotary = None
    return bare


def repositioned(model: Transformer, rows: Sequence[int]) -> Transformer:
    """A copy that shares every weight and takes its source token t for one at position rows[t]."""
    moved = _sharing(model)
    index_S = torch.tensor(list(rows))
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


@torch.inference_mode()
def effect(
    checkpoint: Checkpoint,
    source: Tokens,
    target_ids: Sequence[int],
    order: Sequence[int],
    rows: Sequence[int] | None = None,
    positions: bool = True,
    double: bool = False,
    recent: Recent | None = None,
) -> Effect:
    """The same sentence twice: as it is, and with token order[t] standing at place t.

    Place t has position rows[t], by default t. Without `positions` both runs have none. `double`
    computes in float64, where rounding is nine digits smaller. `recent`, of this checkpoint alone,
    keeps the runs.
    """
    recent = Recent(0) if recent is None else recent
    rows = None if rows is None or not positions else tuple(rows)

    def run(tokens: Tokens, rows: tuple[int, ...] | None) -> Run:
        key = ("run", positions, double, tokens.ids, rows, tuple(target_ids))
        return recent.of(
            key,
            lambda: _run(
                _variant(checkpoint.model, positions, rows, recent, double), tokens, target_ids
            ),
        )

    before, after = run(source, None), run(_taken(source, order), rows)
    put_back = _put_back(after, source, order)
    places = list(range(len(source)))
    untouched = list(order) == places and (rows is None or list(rows) == places)
    bare = not positions or checkpoint.config.positions == "none"
    # Hard attention takes the first of the keys that score highest, and equal tokens tie.
    nowhere = untouched or (bare and checkpoint.config.attention == "soft")
    changes = []
    for site in SITES:
        pairs = zip(before.weights_LHQK(site), put_back.weights_LHQK(site), strict=True)
        for layer, (was_HQK, is_HQK) in enumerate(pairs):
            # The decoder's first self-attention has read nothing of the source.
            none = nowhere or (site == "decoder" and layer == 0)
            changes.append(Change(site, layer, float(np.abs(was_HQK - is_HQK).max()), none))
    was_TV, is_TV = (np.exp(run.log_probabilities_TV) for run in (before, after))
    predictions_T = frozen(np.abs(was_TV - is_TV).max(axis=-1))
    return Effect(before, after, put_back, tuple(changes), predictions_T, nowhere)


def translation(
    checkpoint: Checkpoint,
    source: Tokens,
    order: Sequence[int],
    rows: Sequence[int] | None = None,
    positions: bool = True,
    recent: Recent | None = None,
    most_steps: int = MAX_TARGET,
) -> Translated:
    """The greedy translation of the sentence with its tokens, or their positions, changed.

    `recent` is that of `effect`.
    """
    recent = Recent(0) if recent is None else recent
    rows = None if rows is None or not positions else tuple(rows)
    moved = _taken(source, order)
    return recent.of(
        ("translation", positions, moved.ids, rows, most_steps),
        lambda: _greedy(
            checkpoint, _variant(checkpoint.model, positions, rows, recent), moved, most_steps
        ),
    )


def _greedy(
    checkpoint: Checkpoint, model: Transformer, source: Tokens, most_steps: int
) -> Translated:
    config, labels = model.config, checkpoint.target_tokenizer
    state = start(model, source, labels)
    # Far longer than the source it is only repeating itself.
    enough = 2 * len(source) + 7
    for _ in range(min(enough, most_steps)):
        if state.decoding.finished is not None:
            break
        check_time()
        token, how = choose(state.decoding.step, Strategy(), (config.pad_id, config.start_id))
        state = advance(model, state, labels, token, how)
    is_cut = state.decoding.finished is None and most_steps < enough
    return Translated(labels.decode(state.decoding.target.ids), is_cut)


def _variant(
    model: Transformer,
    positions: bool,
    rows: tuple[int, ...] | None,
    recent: Recent,
    double: bool = False,
) -> Transformer:
    if not positions:
        model = recent.of("without positions", partial(without_positions, model))
    if double:
        model = copy.deepcopy(model).double()
    return model if rows is None else repositioned(model, rows)


def _sharing(module: Part) -> Part:
    """A copy of a module and of all inside it, around the very same tensors."""
    twin = copy.copy(module)
    for name in ("_modules", "_parameters", "_buffers"):
        twin.__dict__[name] = module.__dict__[name].copy()
        for part in twin.__dict__[name]:
            twin.__dict__.pop(part, None)  # kept at hand, it would be the first model's
    for name, child in module.named_children():
        twin.__dict__["_modules"][name] = _sharing(child)
    return twin


def _run(model: Transformer, source: Tokens, target_ids: Sequence[int]) -> Run:
    encoded = model.encode(torch.tensor([source.ids]))
    passed = model.decode(torch.tensor([list(target_ids)]), encoded)
    layers = (encoded.records, passed.self_records, passed.cross_records)
    encoder_LHSS, decoder_LHTT, cross_LHTS = (
        copied(torch.stack([record.weights_BHQK[0] for record in records])) for records in layers
    )
    log_probabilities_TV = copied(passed.logits_BTV[0].log_softmax(dim=-1))
    return Run(source, encoder_LHSS, decoder_LHTT, cross_LHTS, log_probabilities_TV)


def _put_back(run: Run, source: Tokens, order: Sequence[int]) -> Run:
    place = np.argsort(np.array(order))
    return Run(
        source=source,
        encoder_LHSS=frozen(run.encoder_LHSS[:, :, place][..., place]),
        decoder_LHTT=run.decoder_LHTT,
        cross_LHTS=frozen(run.cross_LHTS[..., place]),
        log_probabilities_TV=run.log_probabilities_TV,
    )


def _taken(tokens: Tokens, order: Sequence[int]) -> Tokens:
    lists = (getattr(tokens, field.name) for field in fields(Tokens))
    return Tokens(*(tuple(values[i] for i in order) for values in lists))
