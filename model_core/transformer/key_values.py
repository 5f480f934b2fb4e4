"""The keys and values that decoding keeps, so that a step costs one row and going back nothing."""

import threading
from typing import TypeVar

from torch import Tensor

_Held = TypeVar("_Held")


class KeyValues:
    """The keys and values of every position so far.

    Appending returns a new value and leaves the old one as it was. Values that grew from one
    another share storage: the first to append to a given length takes the free room behind it, a
    second one (a branch) copies. So a step costs one row, and going back costs nothing.
    """

    def __init__(self, storage: "_Storage | None" = None, length: int = 0):
        self.length, self._storage = length, storage
        # Made once: cross-attention reads those of its source at every step.
        self._filled = None if storage is None else storage.first(length)

    @property
    def k_BHKE(self) -> Tensor:
        return _appended(self._filled)[0]

    @property
    def v_BHKE(self) -> Tensor:
        return _appended(self._filled)[1]

    @property
    def storage_identity(self) -> int:
        """Equal for values that share storage, while one of them lives."""
        return id(self._storage)

    @property
    def storage_nbytes(self) -> int:
        """Bytes of the storage, its free room and all that it is a view of included."""
        return 0 if self._storage is None else self._storage.kv_BGKE.untyped_storage().nbytes()

    def append(self, kv_BGTE: Tensor) -> "KeyValues":
        """A new value with T positions appended; G = 2H: key heads, then value heads."""
        storage, T = self._storage, kv_BGTE.shape[2]
        length = self.length + T
        if storage is None:  # nothing to copy, and gradients flow
            return KeyValues(_Storage(kv_BGTE), length)
        if not storage.claim(self.length, length):
            storage = storage.copy(self.length, capacity=max(8, 2 * length))
            storage.claim(self.length, length)
        storage.kv_BGKE.narrow(2, self.length, T).copy_(kv_BGTE)
        return KeyValues(storage, length)

    def take(self, rows_B: Tensor) -> "KeyValues":
        """The keys and values of these sentences in this order, as a value that shares nothing.

        A sentence may be taken more than once, or not at all.
        """
        # With the free room, so that the next step need not copy again.
        taken_BGKE = _appended(self._storage).kv_BGKE[rows_B]
        return KeyValues(_Storage(taken_BGKE, filled=self.length), self.length)


def _appended(held: _Held | None) -> _Held:
    if held is None:
        raise ValueError("no keys and values have been appended yet")
    return held


class _Storage:
    """Room for keys and, behind their heads, values; the first `filled` rows are taken for good."""

    def __init__(self, kv_BGKE: Tensor, filled: int | None = None):
        H = kv_BGKE.shape[1] // 2
        self.kv_BGKE = kv_BGKE
        self.k_BHKE, self.v_BHKE = kv_BGKE.narrow(1, 0, H), kv_BGKE.narrow(1, H, H)
        self.filled = kv_BGKE.shape[2] if filled is None else filled
        self._lock = threading.Lock()

    def claim(self, old: int, new: int) -> bool:
        """Whether rows old..new were free; if so they are now the caller's."""
        with self._lock:
            if self.filled != old or new > self.kv_BGKE.shape[2]:
                return False
            self.filled = new
            return True

    def first(self, length: int) -> tuple[Tensor, Tensor]:
        """The keys and the values of the first positions."""
        return self.k_BHKE.narrow(2, 0, length), self.v_BHKE.narrow(2, 0, length)

    def copy(self, length: int, capacity: int) -> "_Storage":
        B, G, _, E = self.kv_BGKE.shape
        kv_BGKE = self.kv_BGKE.new_empty(B, G, capacity, E)
        kv_BGKE[:, :, :length] = self.kv_BGKE[:, :, :length]
        return _Storage(kv_BGKE, filled=length)
