"""What changes when the order of the words or the positions do, and what cannot.

Everything goes through the model itself: a copy that shares all weights gets other positions, or
none, and is run as the model is run.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from model_core.decoding.cache import Cache
from model_core.decoding.choosing import choose
from model_core.decoding.queue import check_time
from model_core.models.own import OwnModel
from model_core.models.stepping import advance, start
from model_core.studies.compare import Comparison, compare
from model_core.studies.full_pass import SentencePass, sentence_pass
from model_core.transformer.transformer import Transformer
from model_core.transformer.variants import repositioned, without_positions
from model_core.values.recipe import MAX_TARGET, Strategy
from model_core.values.trace import Site, Tokens, frozen


@dataclass(frozen=True)
class Translated:
    """A translation as text."""

    text: str
    is_cut: bool  # the limit of steps ended it


@dataclass(frozen=True, eq=False)
class Effect:
    """One sentence as it was, and with its tokens or their positions changed."""

    before: SentencePass
    after: SentencePass
    put_back: SentencePass  # `after`, its rows and columns in the order of `before`
    comparison: Comparison  # of `before` and `put_back`
    # What must be the same up to rounding, whatever the weights are.
    cannot_change: frozenset[tuple[Site, int]]  # sub-layers, by site and layer
    predictions_cannot_change: bool


@torch.inference_mode()
def effect(
    model: OwnModel,
    source: Tokens,
    target_ids: Sequence[int],
    order: Sequence[int],
    rows: Sequence[int] | None = None,
    positions: bool = True,
    double: bool = False,
    cache: Cache | None = None,
) -> Effect:
    """The same sentence twice: as it is, and with token order[t] standing at place t.

    Place t has position rows[t], by default t. Without `positions` both runs have none. `double`
    computes in float64, where rounding is nine digits smaller. `cache`, of this model alone,
    keeps the runs.
    """
    cache = Cache(0) if cache is None else cache
    rows = None if rows is None or not positions else tuple(rows)

    def run(tokens: Tokens, rows: tuple[int, ...] | None) -> SentencePass:
        return cache.of(
            ("order", positions, double, tokens.ids, rows, tuple(target_ids)),
            lambda: sentence_pass(
                _variant(model.transformer, positions, rows, cache, double), tokens, target_ids
            ),
        )

    before, after = run(source, None), run(_taken(source, order), rows)
    put_back = _put_back(after, source, order)
    places = list(range(len(source)))
    untouched = list(order) == places and (rows is None or list(rows) == places)
    bare = not positions or model.config.positions == "none"
    # Hard attention takes the first of the keys that score highest, and equal tokens tie.
    nothing_can = untouched or (bare and model.config.attention == "soft")
    comparison = compare(before, put_back)
    cannot = frozenset(
        (change.site, change.layer)
        for change in comparison.weights
        # The decoder's first self-attention has read nothing of the source.
        if nothing_can or (change.site == "decoder" and change.layer == 0)
    )
    return Effect(before, after, put_back, comparison, cannot, nothing_can)


def translation(
    model: OwnModel,
    source: Tokens,
    order: Sequence[int],
    rows: Sequence[int] | None = None,
    positions: bool = True,
    cache: Cache | None = None,
    most_steps: int = MAX_TARGET,
) -> Translated:
    """The greedy translation of the sentence with its tokens, or their positions, changed.

    `cache` is that of `effect`.
    """
    cache = Cache(0) if cache is None else cache
    rows = None if rows is None or not positions else tuple(rows)
    moved = _taken(source, order)
    return cache.of(
        ("translation", positions, moved.ids, rows, most_steps),
        lambda: _greedy(
            model, _variant(model.transformer, positions, rows, cache), moved, most_steps
        ),
    )


def _greedy(model: OwnModel, variant: Transformer, source: Tokens, most_steps: int) -> Translated:
    labels, never = model.checkpoint.target_tokenizer, model.anatomy.special.never
    state = start(variant, source, labels)
    # Far longer than the source it is only repeating itself.
    enough = 2 * len(source) + 7
    for _ in range(min(enough, most_steps)):
        if state.decoding.finished is not None:
            break
        check_time()
        token, how = choose(state.decoding.step, Strategy(), never)
        state = advance(variant, state, labels, token, how)
    is_cut = state.decoding.finished is None and most_steps < enough
    return Translated(model.text(state.decoding.target.ids), is_cut)


def _variant(
    model: Transformer,
    positions: bool,
    rows: tuple[int, ...] | None,
    cache: Cache,
    double: bool = False,
) -> Transformer:
    if not positions:
        model = cache.of("without positions", partial(without_positions, model))
    if double:
        model = copy.deepcopy(model).double()
    return model if rows is None else repositioned(model, rows)


def _put_back(run: SentencePass, source: Tokens, order: Sequence[int]) -> SentencePass:
    place = np.argsort(np.array(order))
    return SentencePass(
        source=source,
        encoder_LHSS=frozen(run.encoder_LHSS[:, :, place][..., place]),
        decoder_LHTT=run.decoder_LHTT,
        cross_LHTS=frozen(run.cross_LHTS[..., place]),
        log_probabilities_TV=run.log_probabilities_TV,
    )


def _taken(tokens: Tokens, order: Sequence[int]) -> Tokens:
    return Tokens(*(tuple(values[i] for i in order) for values in vars(tokens).values()))
