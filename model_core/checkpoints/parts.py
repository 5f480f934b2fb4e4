"""How many numbers each part of a stored model has, read without torch."""

import math
import re
from collections import Counter
from pathlib import Path

from model_core.checkpoints.folder import (
    WEIGHTS,
    describe,
    read_settled,
    read_shapes,
    weights_limit,
)

# The first that a tensor's name matches; in the order in which a sentence meets them.
_PARTS = (
    ("norm", r"norm\."),
    ("embedding", r"embedding"),
    ("positions", r"positions\."),
    ("encoder_attention", r"^encoder\..*attention"),
    ("encoder_feed_forward", r"^encoder\."),
    ("decoder_attention", r"^decoder\..*self_attention"),
    ("cross_attention", r"^decoder\..*cross_attention"),
    ("decoder_feed_forward", r"^decoder\."),
    ("output", ""),
)
PARTS = tuple(name for name, _ in _PARTS)


def parameters_by_part(folder: Path) -> dict[str, int]:
    """The stored numbers of each part, those without any left out; tied tensors count once.

    Raises CheckpointBroken where the file of the weights does not begin as one does.
    """
    return read_settled(folder, _parameters)


def _parameters(place: Path) -> dict[str, int]:
    counts: Counter[str] = Counter()
    limit = weights_limit(describe(place).model)
    for name, shape in read_shapes(place / WEIGHTS, limit).items():
        counts[next(part for part, names in _PARTS if re.search(names, name))] += math.prod(shape)
    return {part: counts[part] for part in PARTS if counts[part]}
