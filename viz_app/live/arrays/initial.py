"""torch.nn.init: what new weights are filled with; random numbers differ from torch's.

As with torch, a mode that is entered is asked in place of each function: see `Mode`.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from viz_app.live.arrays.functions import random
from viz_app.live.arrays.tensor import Tensor

_Fills = Callable[..., Tensor]


class Mode:
    """torch.overrides.TorchFunctionMode, of which only what fills weights takes notice."""

    entered: "list[Mode]" = []  # noqa: RUF012 - one list for all

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))

    def __enter__(self) -> "Mode":
        Mode.entered.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        Mode.entered.pop()


def _heard(fill: _Fills) -> _Fills:
    @wraps(fill)
    def asked(*arguments: Any, **named: Any) -> Any:
        if Mode.entered:
            return Mode.entered[-1].__torch_function__(fill, (), arguments, named)
        return fill(*arguments, **named)

    return asked


def _filled(tensor: Tensor, numbers: np.ndarray) -> Tensor:
    tensor.a = numbers.astype(tensor.a.dtype)
    return tensor


@_heard
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    return _filled(tensor, random.generator.normal(mean, std, tensor.a.shape))


@_heard
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Tensor:
    return _filled(tensor, random.generator.uniform(a, b, tensor.a.shape))


@_heard
def xavier_uniform_(tensor: Tensor, gain: float = 1.0) -> Tensor:
    out, into, *more = tensor.a.shape
    bound = gain * (6 / ((out + into) * int(np.prod(more)))) ** 0.5
    return uniform_(tensor, -bound, bound)


@_heard
def zeros_(tensor: Tensor) -> Tensor:
    return _filled(tensor, np.zeros(tensor.a.shape))
