"""What was computed last, kept for a while. It only saves time: forgetting changes no answer."""

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from model_core.models.memory import memory_of

Value = TypeVar("Value")


class Cache:
    """The last `most` values that were made, by key. Safe to use from several threads.

    Together they hold at most `most_bytes` of arrays and tensors, those of the keys included; a
    value that alone holds more is not kept. `grown` is called after another one was kept.
    """

    def __init__(
        self, most: int, most_bytes: float = math.inf, grown: Callable[[], None] = lambda: None
    ):
        self._most, self._most_bytes, self._grown = most, most_bytes, grown
        # Each with the memory behind it; least recently used first.
        self._values: OrderedDict[Hashable, tuple[object, dict[int, int]]] = OrderedDict()
        self._lock = threading.Lock()
        # Bytes behind the values, what several of them share counted once. It is read without the
        # lock, so it is set only to what is kept when all that is too much has gone.
        self.nbytes = 0

    def __len__(self) -> int:
        return len(self._values)

    def of(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made now if it is not kept; equal keys must stand for equal values.

        Two threads that ask at once may both make it; what raises is not kept.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return cast(Value, self._values[key][0])
        value = make()
        memory = memory_of((key, value))
        if sum(memory.values()) > self._most_bytes:
            return value
        with self._lock:
            self._values[key] = value, memory
            self._values.move_to_end(key)
            nbytes = self._bytes_kept()
            while len(self._values) > self._most or nbytes > self._most_bytes:
                self._values.popitem(last=False)
                nbytes = self._bytes_kept()
            self.nbytes = nbytes
        self._grown()
        return value

    def drop(self) -> None:
        """Forget the value that holds most, if there is any: small ones may have taken as long."""
        with self._lock:
            sizes = {key: sum(memory.values()) for key, (_, memory) in self._values.items()}
            if sizes:
                del self._values[max(sizes, key=lambda key: sizes[key])]
            self.nbytes = self._bytes_kept()

    def _bytes_kept(self) -> int:
        pieces: dict[int, int] = {}
        for _, memory in self._values.values():
            pieces |= memory
        return sum(pieces.values())


NO_CACHE = Cache(0)  # makes every value anew
