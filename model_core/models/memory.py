"""How much memory is behind a value, so that a cache can count what it keeps."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from torch import Tensor, nn

_NOTHING = frozenset((type(None), bool, int, float, str))  # behind which there are no arrays


def memory_of(value: object) -> dict[int, int]:
    """Bytes of each piece of memory that a value keeps alive, by where the piece begins.

    Arrays and tensors count, whatever they are in, a view for all of the memory behind it. The
    weights of models are left out: they live anyway.
    """
    pieces: dict[int, int] = {}
    seen: set[int] = set()
    left: list[Any] = [value]
    while left:
        part = left.pop()
        if type(part) in _NOTHING or id(part) in seen or isinstance(part, nn.Module):
            continue
        seen.add(id(part))
        if isinstance(part, Tensor):
            storage = part.untyped_storage()
            pieces[storage.data_ptr()] = storage.nbytes()
        elif isinstance(part, np.ndarray):
            if part.base is None:
                pieces[part.ctypes.data] = part.nbytes
            else:
                left.append(part.base)
        elif isinstance(part, Mapping):
            left += [*part.keys(), *part.values()]
        elif isinstance(part, tuple | list | set | frozenset):
            left += part
        else:
            left += getattr(part, "__dict__", {}).values()
    return pieces
