"""Translations that are drawn, many sentences at once and with nothing recorded."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from model_core.decoding.beam import of_like_length, started
from model_core.transformer.evaluating import evaluating
from model_core.transformer.transformer import Transformer
from model_core.values.draw import draw_from, without
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
                token = draw_from(logits_V, strategies[place], len(written)).token
                if token not in special.ends:
                    written.append(token)
                    if len(written) < most[place]:
                        rows.append(row)
                        newest.append(token)
            places = [places[row] for row in rows]
            if places:
                living = living.fed(rows, newest)
    return tuple(map(tuple, outputs))


def each_its_own(strategy: Strategy, first: int, count: int) -> list[Strategy]:
    """The strategy for sentences `first`, `first` + 1, ...: each draws with a seed of its own."""
    return [
        replace(strategy, seed=strategy.seed + number) for number in range(first, first + count)
    ]
