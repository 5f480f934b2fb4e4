"""How many numbers each part of a stored model has, read without torch."""

import json
import math
import re
import struct
from collections import Counter
from pathlib import Path

from model_core.checkpoints.folder import WEIGHTS, describe, read_settled, weights_limit
from model_core.checkpoints.regular_file import open_regular
from model_core.errors import CheckpointBroken

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
_MOST_HEADER = 2**20  # bytes


def parameters_by_part(folder: Path) -> dict[str, int]:
    """The stored numbers of each part, those without any left out; tied tensors count once.

    Raises CheckpointBroken where the file of the weights does not begin as one does.
    """
    return read_settled(folder, _parameters)


def _parameters(place: Path) -> dict[str, int]:
    path = place / WEIGHTS
    counts: Counter[str] = Counter()
    with open_regular(path, weights_limit(describe(place).model)) as file:
        try:
            (size,) = struct.unpack("<Q", file.read(8))
            tensors = json.loads(file.read(min(size, _MOST_HEADER)))
            for name, tensor in tensors.items():
                if name != "__metadata__":
                    part = next(part for part, names in _PARTS if re.search(names, name))
                    counts[part] += math.prod(map(int, tensor["shape"]))
        except (struct.error, ValueError, TypeError, AttributeError, KeyError, RecursionError) as e:
            raise CheckpointBroken(f"{path} is truncated or not a safetensors file.") from e
    return {part: counts[part] for part in PARTS if counts[part]}
