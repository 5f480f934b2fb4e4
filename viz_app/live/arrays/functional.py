"""Functions of torch.nn.functional: those that model_core uses.

A product with weights goes to the kernel of the browser where there is one: see `use`.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from viz_app.live.arrays.tensor import Tensor

# Makes x wᵀ + b of arrays, or says None where it cannot.
Kernel = Callable[[np.ndarray, np.ndarray, np.ndarray | None], np.ndarray | None]
_erf = np.vectorize(math.erf, otypes=[np.float64])


class Products:
    """What makes products with weights."""

    kernel: Kernel | None = None


def use(kernel: Kernel | None) -> None:
    """Let `linear` ask a kernel first."""
    Products.kernel = kernel


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    x_K, bias_N = x.a, None if bias is None else bias.a
    if Products.kernel is not None:
        if not weight.a.flags.c_contiguous:
            weight.a = np.ascontiguousarray(weight.a)  # once: a kernel reads rows
        made = Products.kernel(x_K, weight.a, bias_N)
        if made is not None:
            return Tensor(made)
    weight_NK = weight.a
    if x_K.size == x_K.shape[-1]:  # one row: NumPy is faster with a vector
        made = (weight_NK @ x_K.reshape(-1)).reshape(*x_K.shape[:-1], -1)
    else:
        made = x_K @ weight_NK.T
    return Tensor(made if bias_N is None else made + bias_N)


def pad(x: Tensor, places: Sequence[int], value: float = 0) -> Tensor:
    """Pads the last dimension before and behind, then the others."""
    last = list(zip(places[::2], places[1::2], strict=True))[::-1]
    widths = [(0, 0)] * (x.a.ndim - len(last)) + last
    return Tensor(np.pad(x.a, widths, constant_values=value))


def one_hot(index: Tensor, classes: int) -> Tensor:
    return Tensor(np.eye(classes, dtype=np.int64)[index.a])


def gelu(x: Tensor) -> Tensor:
    return Tensor((x.a * 0.5 * (1 + _erf(x.a / math.sqrt(2)))).astype(x.a.dtype))
