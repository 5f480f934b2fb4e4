"""Rows of different lengths as one tensor."""

from collections.abc import Sequence

import numpy
import torch
from torch import Tensor


def pad_rows(rows: Sequence[Sequence[int]], pad_id: int) -> Tensor:
    """The rows as one tensor (rows, longest), the shorter ones followed by pads."""
    padded_BS = numpy.full((len(rows), max(map(len, rows))), pad_id, dtype=numpy.int64)
    for row, ids in enumerate(rows):
        padded_BS[row, : len(ids)] = ids
    return torch.from_numpy(padded_BS)
