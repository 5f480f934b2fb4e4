"""A tensor over a NumPy array: the methods that model_core uses, and no others.

A view of a tensor shares its numbers, as with torch. Nothing is differentiated: what is said of
gradients is taken and means nothing.
"""

import builtins
import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from viz_app.live.arrays.kinds import (
    CPU,
    OF_NUMPY,
    Device,
    DType,
    NotHere,
    Size,
    float32,
    float64,
)

Dims = int | Sequence[int] | None


class Storage:
    """The memory behind a tensor, which its views share."""

    def __init__(self, array: np.ndarray):
        while isinstance(array.base, np.ndarray):
            array = array.base
        self._array = array

    def nbytes(self) -> int:
        return self._array.nbytes

    def data_ptr(self) -> int:
        return self._array.ctypes.data


def _each(take: Callable[[Any], Any], floating: bool = False) -> "Callable[[Tensor], Tensor]":
    """A method that takes each number by itself, whole ones as fractions where `floating`."""

    def each(self: "Tensor") -> "Tensor":
        return Tensor(take(_floating(self.a) if floating else self.a))

    return each


def _both(take: Callable[[Any, Any], Any]) -> "Callable[[Tensor, Any], Tensor]":
    """A method that takes each number with the other's, both of one kind."""

    def both(self: "Tensor", other: Any) -> "Tensor":
        return Tensor(take(*_alike(self.a, other)))

    return both


def _into(take: Callable[[Any, Any], Any]) -> "Callable[[Tensor, Any], Tensor]":
    """The same, made in the tensor's own memory."""

    def into(self: "Tensor", other: Any) -> "Tensor":
        self.a = take(self.a, _alike(self.a, other)[1])
        return self

    return into


def _over(take: Callable[..., Any]) -> "Callable[..., Tensor]":
    """A method that takes all numbers together, or those along some dimensions."""

    def over(self: "Tensor", dim: Dims = None, keepdim: bool = False, **more: Any) -> "Tensor":
        axis = tuple(dim) if isinstance(dim, Sequence) else dim
        return Tensor(np.asarray(take(self.a, axis=axis, keepdims=keepdim, **more)))

    return over


class Tensor:
    """An array with torch's methods."""

    __slots__ = ("__dict__", "a")
    __array_priority__ = 100  # NumPy leaves `array * tensor` to the tensor

    def __init__(self, array: Any):
        self.a = array if isinstance(array, np.ndarray) else np.asarray(array)

    def __getattr__(self, name: str) -> Any:
        raise NotHere("Tensor", name)

    # what it is

    @property
    def shape(self) -> Size:
        return Size(self.a.shape)

    @property
    def dtype(self) -> DType:
        return OF_NUMPY[self.a.dtype]

    @property
    def device(self) -> Device:
        return CPU

    @property
    def data(self) -> "Tensor":
        return self

    @data.setter
    def data(self, other: "Tensor") -> None:
        self.a = np.ascontiguousarray(other.a)  # a weight, of which products read rows

    def dim(self) -> int:
        return self.a.ndim

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.a.shape[dim]

    def numel(self) -> int:
        return self.a.size

    def untyped_storage(self) -> Storage:
        return Storage(self.a)

    def data_ptr(self) -> int:
        return self.a.ctypes.data

    def __len__(self) -> int:
        return len(self.a)

    def __iter__(self) -> Iterator["Tensor"]:
        return (Tensor(np.asarray(one)) for one in self.a)

    def __bool__(self) -> bool:
        return builtins.bool(self.a)

    def __float__(self) -> float:
        return builtins.float(self.a)

    def __int__(self) -> int:
        return int(self.a)

    __index__ = __int__

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"tensor({self.a!r})"

    def __copy__(self) -> "Tensor":
        return type(self)(self.a)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Tensor":
        return type(self)(self.a.copy())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.a if dtype is None else self.a.astype(dtype)

    # its numbers

    def __getitem__(self, place: Any) -> "Tensor":
        return Tensor(np.asarray(self.a[_place(place)]))

    def __setitem__(self, place: Any, value: Any) -> None:
        self.a[_place(place)] = array_of(value)

    def __contains__(self, value: Any) -> bool:
        return builtins.bool((self.a == array_of(value)).any())

    def tolist(self) -> Any:
        return self.a.tolist()

    def numpy(self, force: bool = False) -> np.ndarray:
        return self.a

    # the same numbers elsewhere, or as another kind

    def detach(self) -> "Tensor":
        return self

    def cpu(self) -> "Tensor":
        return self

    def contiguous(self) -> "Tensor":
        return Tensor(np.ascontiguousarray(self.a))

    def clone(self) -> "Tensor":
        return Tensor(self.a.copy())

    def to(self, *to: Any, **named: Any) -> "Tensor":
        for one in (*to, *named.values()):
            kind = one.dtype if isinstance(one, Tensor) else one
            if isinstance(kind, DType):
                return self if kind.np == self.a.dtype else Tensor(self.a.astype(kind.np))
        return self

    def float(self) -> "Tensor":
        return self.to(float32)

    def double(self) -> "Tensor":
        return self.to(float64)

    def copy_(self, other: "Tensor") -> "Tensor":
        self.a[...] = other.a
        return self

    # other shapes

    def reshape(self, *shape: Any) -> "Tensor":
        return Tensor(self.a.reshape(several(shape)))

    view = reshape

    def transpose(self, one: int, other: int) -> "Tensor":
        return Tensor(self.a.swapaxes(one, other))

    def t(self) -> "Tensor":
        return Tensor(self.a.T)

    T = property(t)

    @property
    def mT(self) -> "Tensor":
        return Tensor(self.a.swapaxes(-1, -2))

    def unsqueeze(self, dim: int) -> "Tensor":
        return Tensor(np.expand_dims(self.a, dim))

    def flatten(self, start: int = 0, end: int = -1) -> "Tensor":
        shape, ndim = self.a.shape, max(self.a.ndim, 1)
        return Tensor(self.a.reshape(*shape[: start % ndim], -1, *shape[end % ndim + 1 :]))

    def unflatten(self, dim: int, sizes: Sequence[int]) -> "Tensor":
        shape, at = self.a.shape, dim % self.a.ndim
        return Tensor(self.a.reshape(*shape[:at], *sizes, *shape[at + 1 :]))

    def expand(self, *sizes: Any) -> "Tensor":
        wanted = several(sizes)
        own = (1,) * (len(wanted) - self.a.ndim) + self.a.shape
        shape = tuple(old if new == -1 else new for new, old in zip(wanted, own, strict=True))
        return Tensor(np.broadcast_to(self.a, shape))

    def expand_as(self, other: "Tensor") -> "Tensor":
        return Tensor(np.broadcast_to(self.a, other.shape))

    def repeat(self, *times: Any) -> "Tensor":
        return Tensor(np.tile(self.a, several(times)))

    def repeat_interleave(self, times: Any, dim: int | None = None) -> "Tensor":
        return Tensor(np.repeat(self.a, array_of(times), dim))

    def narrow(self, dim: int, start: int, length: int) -> "Tensor":
        return Tensor(self.a[(*self._before(dim), slice(start, start + length))])

    def chunk(self, count: int, dim: int = 0) -> tuple["Tensor", ...]:
        return tuple(map(Tensor, np.array_split(self.a, count, dim)))

    def split_with_sizes(self, sizes: Sequence[int], dim: int = 0) -> tuple["Tensor", ...]:
        before, ends = self._before(dim), [0, *accumulate(sizes)]
        return tuple(Tensor(self.a[(*before, slice(*two))]) for two in pairwise(ends))

    def unbind(self, dim: int = 0) -> tuple["Tensor", ...]:
        return tuple(map(Tensor, np.moveaxis(self.a, dim, 0)))

    def diagonal(self, offset: int = 0, dim1: int = 0, dim2: int = 1) -> "Tensor":
        return Tensor(self.a.diagonal(offset, dim1, dim2))

    # chosen numbers

    def tril(self, diagonal: int = 0) -> "Tensor":
        return Tensor(np.tril(self.a, diagonal))

    def masked_fill(self, mask: "Tensor", value: Any) -> "Tensor":
        return Tensor(np.where(mask.a, np.asarray(array_of(value), self.a.dtype), self.a))

    def index_fill(self, dim: int, index: "Tensor", value: Any) -> "Tensor":
        made = self.a.copy()
        made[(*self._before(dim), index.a)] = value
        return Tensor(made)

    def gather(self, dim: int, index: "Tensor") -> "Tensor":
        return Tensor(np.take_along_axis(self.a, index.a, dim))

    def new_empty(self, *shape: Any) -> "Tensor":
        return Tensor(np.empty(several(shape), self.a.dtype))

    def new_ones(self, *shape: Any, dtype: DType | None = None, device: Any = None) -> "Tensor":
        return Tensor(np.ones(several(shape), dtype.np if dtype else self.a.dtype))

    def nonzero(self, as_tuple: builtins.bool = False) -> Any:
        places = tuple(map(Tensor, np.nonzero(self.a)))
        return places if as_tuple else Tensor(np.argwhere(self.a))

    def _before(self, dim: int) -> tuple[slice, ...]:
        return (slice(None),) * (dim % self.a.ndim)

    # sums and the like

    sum = _over(np.sum)
    mean = _over(np.mean)
    max = _over(np.max)
    min = _over(np.min)
    all = _over(np.all)
    any = _over(np.any)
    argmax = _over(np.argmax)
    norm = _over(lambda a, **how: np.sqrt((a * a).sum(**how)))
    var = _over(lambda a, correction=1, **how: np.var(a, ddof=correction, **how))
    std = _over(lambda a, correction=1, **how: np.std(a, ddof=correction, **how))

    def cumsum(self, dim: int) -> "Tensor":
        return Tensor(self.a.cumsum(dim))

    def argsort(
        self, dim: int = -1, descending: builtins.bool = False, stable: builtins.bool = True
    ) -> "Tensor":
        return Tensor(np.argsort(-self.a if descending else self.a, dim, kind="stable"))

    def topk(self, count: int, dim: int = -1) -> tuple["Tensor", "Tensor"]:
        order = np.argsort(-self.a, dim, kind="stable").take(range(count), dim)
        return Tensor(np.take_along_axis(self.a, order, dim)), Tensor(order)

    def logsumexp(self, dim: int, keepdim: builtins.bool = False) -> "Tensor":
        most = self.a.max(dim, keepdims=True)
        made = np.log(np.exp(self.a - most).sum(dim, keepdims=True)) + most
        return Tensor(made if keepdim else made.squeeze(dim))

    def softmax(self, dim: int) -> "Tensor":
        made = self.a - np.maximum.reduce(self.a, dim, keepdims=True)
        np.exp(made, made)
        made /= np.add.reduce(made, dim, keepdims=True)
        return Tensor(made)

    def log_softmax(self, dim: int) -> "Tensor":
        less = self.a - self.a.max(dim, keepdims=True)
        return Tensor(less - np.log(np.exp(less).sum(dim, keepdims=True)))

    # one number at a time

    def clamp_min(self, least: Any) -> "Tensor":
        return Tensor(np.maximum(self.a, self.a.dtype.type(least)))

    isfinite = _each(np.isfinite)
    abs = _each(np.abs)
    exp = _each(np.exp, floating=True)
    log = _each(np.log, floating=True)
    sqrt = _each(np.sqrt, floating=True)
    sin = _each(np.sin, floating=True)
    cos = _each(np.cos, floating=True)
    tanh = _each(np.tanh, floating=True)
    __neg__ = _each(operator.neg)
    __invert__ = _each(operator.invert)

    # one number and another

    __add__ = __radd__ = add = _both(operator.add)
    __sub__ = _both(operator.sub)
    __rsub__ = _both(lambda one, two: two - one)
    __mul__ = __rmul__ = _both(operator.mul)
    __truediv__ = _both(lambda one, two: _floating(one) / _floating(two))
    __rtruediv__ = _both(lambda one, two: _floating(two) / _floating(one))
    __floordiv__ = _both(operator.floordiv)
    __mod__ = _both(operator.mod)
    __pow__ = pow = _both(operator.pow)
    __rpow__ = _both(lambda one, two: two**one)
    __and__ = __rand__ = _both(operator.and_)
    __or__ = __ror__ = _both(operator.or_)
    __xor__ = _both(operator.xor)
    __lt__ = _both(operator.lt)
    __le__ = _both(operator.le)
    __gt__ = _both(operator.gt)
    __ge__ = _both(operator.ge)
    __eq__ = _both(operator.eq)  # type: ignore[assignment]
    __ne__ = _both(operator.ne)  # type: ignore[assignment]
    __iadd__ = _into(operator.iadd)
    __isub__ = _into(operator.isub)
    __imul__ = _into(operator.imul)
    __itruediv__ = _into(operator.itruediv)

    def __matmul__(self, other: "Tensor") -> "Tensor":
        return Tensor(np.asarray(self.a @ other.a))


def array_of(value: Any) -> Any:
    """The array of a tensor; anything else as it is."""
    return value.a if isinstance(value, Tensor) else value


def several(values: tuple[Any, ...]) -> tuple[int, ...]:
    """Numbers that were given one by one, or as one sequence."""
    if len(values) == 1 and isinstance(values[0], tuple | list):
        return tuple(values[0])
    return values


def _place(place: Any) -> Any:
    return tuple(map(array_of, place)) if isinstance(place, tuple) else array_of(place)


def _floating(array: Any) -> Any:
    """Whole numbers as float32, as torch takes them where what is made is a fraction."""
    array = np.asarray(array)
    return array if array.dtype.kind == "f" else array.astype(np.float32)


def _alike(array: np.ndarray, other: Any) -> tuple[Any, Any]:
    """Both operands, of the kind that torch makes of the two.

    A fraction beside whole numbers makes fractions of the kind it has, or float32 where it is a
    number of Python; a number, or a tensor without dimensions, never widens a tensor with some.
    """
    if isinstance(other, Tensor):
        second = other.a
        if array.dtype == second.dtype:
            return array, second
        if (array.dtype.kind == "f") != (second.dtype.kind == "f"):
            kind = array.dtype if array.dtype.kind == "f" else second.dtype
            return array.astype(kind, copy=False), second.astype(kind, copy=False)
        if (array.ndim == 0) != (second.ndim == 0):
            kind = second.dtype if array.ndim == 0 else array.dtype
            return array.astype(kind, copy=False), second.astype(kind, copy=False)
        return array, second
    if isinstance(other, np.ndarray):
        return array, other
    if array.dtype.kind == "f":
        return array, array.dtype.type(other)
    if isinstance(other, float):
        return array.astype(np.float32), np.float32(other)
    return array, other
