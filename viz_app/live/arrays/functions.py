"""Functions of torch that make tensors or take them: those that model_core uses."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from viz_app.live.arrays.kinds import DType, Size, float32, int64
from viz_app.live.arrays.tensor import Tensor, array_of, several

_Called = TypeVar("_Called", bound=Callable[..., Any])


def tensor(values: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """A tensor of its own; fractions are float32 unless they come as an array."""
    if isinstance(values, list | tuple):
        values = [array_of(one) for one in values]
    array = np.array(array_of(values))
    if dtype is not None:
        array = array.astype(dtype.np)
    elif array.dtype == np.float64 and not isinstance(values, Tensor | np.ndarray):
        array = array.astype(np.float32)
    elif array.dtype.kind == "i":
        array = array.astype(np.int64)
    return Tensor(array)


from_numpy = Tensor
exp = Tensor.exp
vector_norm = Tensor.norm


def zeros(*shape: Any, dtype: DType = float32, device: Any = None) -> Tensor:
    return Tensor(np.zeros(several(shape), dtype.np))


empty = zeros


def ones(*shape: Any, dtype: DType = float32, device: Any = None) -> Tensor:
    return Tensor(np.ones(several(shape), dtype.np))


def full(
    shape: Sequence[int], value: Any, dtype: DType | None = None, device: Any = None
) -> Tensor:
    array = np.full(shape, value)
    if dtype is not None or array.dtype.kind == "f":
        array = array.astype((dtype or float32).np)
    return Tensor(array)


def zeros_like(one: Tensor, dtype: DType | None = None) -> Tensor:
    return Tensor(np.zeros(one.a.shape, dtype.np if dtype else one.a.dtype))


def ones_like(one: Tensor, dtype: DType | None = None) -> Tensor:
    return Tensor(np.ones(one.a.shape, dtype.np if dtype else one.a.dtype))


def arange(*of: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    array = np.arange(*of)
    kind = dtype or (int64 if array.dtype.kind == "i" else float32)
    return Tensor(array.astype(kind.np))


def eye(size: int, dtype: DType = float32, device: Any = None) -> Tensor:
    return Tensor(np.eye(size, dtype=dtype.np))


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    return Tensor(np.concatenate([one.a for one in tensors], dim))


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    return Tensor(np.stack([one.a for one in tensors], dim))


def outer(one: Tensor, other: Tensor) -> Tensor:
    return Tensor(np.outer(one.a, other.a))


def atan2(one: Tensor, other: Tensor) -> Tensor:
    return Tensor(np.arctan2(one.a, other.a))


def relu(one: Tensor) -> Tensor:
    return Tensor(np.maximum(one.a, one.a.dtype.type(0)))


def allclose(one: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8) -> bool:
    return bool(np.allclose(one.a, other.a, rtol, atol))


def broadcast_shapes(*shapes: Sequence[int]) -> Size:
    return Size(np.broadcast_shapes(*map(tuple, shapes)))


def cdist(one: Tensor, other: Tensor, compute_mode: str | None = None) -> Tensor:
    return Tensor(np.sqrt(((one.a[:, None] - other.a[None]) ** 2).sum(-1)))


def layer_norm(
    x: Tensor, shape: Sequence[int], weight: Tensor, bias: Tensor, eps: float = 1e-5
) -> Tensor:
    a, take = x.a, np.add.reduce  # `mean` asks more than it computes
    made = a - take(a, -1, keepdims=True) / a.shape[-1]
    deviation = take(made * made, -1, keepdims=True)
    deviation /= a.shape[-1]
    deviation += eps
    made /= np.sqrt(deviation, deviation)
    made *= weight.a
    made += bias.a
    return Tensor(made)


class Random:
    """Random numbers; not those that torch draws from the same seed."""

    seed = 0

    def __init__(self) -> None:
        self._generator: np.random.Generator | None = None

    @property
    def generator(self) -> "np.random.Generator":
        """Made when it is first asked for: few starts need the modules of NumPy behind it."""
        if self._generator is None:
            self._generator = np.random.default_rng(self.seed)
        return self._generator

    def begin(self, seed: int) -> None:
        self.seed, self._generator = seed, None

    @contextlib.contextmanager
    def fork_rng(self, devices: Sequence[Any] = ()) -> Iterator[None]:
        kept, self._generator = self._generator, None
        try:
            yield
        finally:
            self._generator = kept


random = Random()


def manual_seed(seed: int) -> None:
    random.begin(seed)


def randn(*shape: Any, dtype: DType = float32, device: Any = None) -> Tensor:
    drawn = random.generator.standard_normal(several(shape))
    return Tensor(np.asarray(drawn, dtype.np))


class inference_mode(contextlib.ContextDecorator):  # noqa: N801 - as torch calls it
    """Nothing is differentiated here anyway: what it decorates stays as it is."""

    def __init__(self, mode: bool = True) -> None:
        pass

    def __enter__(self) -> "inference_mode":
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def __call__(self, function: _Called) -> _Called:
        return function


def set_num_threads(count: int) -> None:
    """There is one."""


class Absent:
    """A device that is not there."""

    @staticmethod
    def is_available() -> bool:
        return False


cuda = Absent()


class Backends:
    """Other devices, none of which is there."""

    mps = Absent()


backends = Backends()
