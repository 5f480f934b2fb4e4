"""Translations that are drawn, many at once and with nothing recorded."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from model_core.decoding.beam import SearchSpace, of_like_length, started
from model_core.decoding.queue import check_time
from model_core.transformer.evaluating import evaluating
from model_core.transformer.transformer import Transformer
from model_core.values.draw import draws_from, without
from model_core.values.recipe import Strategy


@evaluating
@torch.inference_mode()
def sample(
    model: Transformer, sources: Sequence[Sequence[int]], strategies: Sequence[Strategy]
) -> tuple[tuple[int, ...], ...]:
    """The ids that are drawn for every source by the strategy at its place, without the end token.

    The sources hold their end token. A strategy draws what it draws where every step is recorded;
    what is drawn for one source does not depend on the others.
    """
    special = model.config.special
    outputs: list[list[int]] = [[] for _ in sources]
    for block in of_like_length(sources):
        living, limits = started(model, [sources[place] for place in block])
        most = dict(zip(block, limits, strict=True))
        places = list(block)
        while places:
            logits_NV: np.ndarray = living.logits_NV.numpy(force=True)
            rows, newest = [], []
            for row, place in enumerate(places):
                written = outputs[place]
                logits_V = without(logits_NV[row], special.never)
                (drawn,) = draws_from(logits_V, [strategies[place]], len(written))
                if drawn.token not in special.ends:
                    written.append(drawn.token)
                    if len(written) < most[place]:
                        rows.append(row)
                        newest.append(drawn.token)
            places = [places[row] for row in rows]
            if places:
                living = living.fed(rows, newest)
    return tuple(map(tuple, outputs))


def sample_from(
    space: SearchSpace, strategies: Sequence[Strategy], first: int
) -> tuple[tuple[int, ...], ...]:
    """The tokens that each strategy draws from one beginning on, with the token that ends them.

    `first` is the index of the step that they begin with. They are drawn together, those that drew
    alike so far as one row, and each is what it would be alone.
    """
    outputs: list[list[int]] = [[] for _ in strategies]
    living, groups = space.start, [list(range(len(strategies)))]  # those of a row drew alike so far
    end = first + space.limit - space.before.tokens
    for index in range(first, end):
        check_time()
        logits_NV: np.ndarray = living.logits_NV.numpy(force=True)
        rows, tokens, going_on = [], [], []
        for row, places in enumerate(groups):
            logits_V = without(logits_NV[row], space.never)
            found = draws_from(logits_V, [strategies[place] for place in places], index)
            parted: dict[int, list[int]] = {}
            for place, drawn in zip(places, found, strict=True):
                outputs[place].append(drawn.token)
                parted.setdefault(drawn.token, []).append(place)
            for token, alike in parted.items():
                if token not in space.ends:
                    rows.append(row)
                    tokens.append(token)
                    going_on.append(alike)
        groups = going_on
        if not groups or index + 1 == end:
            break
        living = living.fed(rows, tokens)
    return tuple(map(tuple, outputs))


def each_its_own(strategy: Strategy, first: int, count: int) -> list[Strategy]:
    """The strategy for sentences `first`, `first` + 1, ...: each draws with a seed of its own.

    The next one's each time; 0 comes after the largest there is.
    """
    seeds = range(strategy.seed + first, strategy.seed + first + count)
    return [replace(strategy, seed=seed % 2**63) for seed in seeds]
