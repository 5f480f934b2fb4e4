"""What was computed last, kept for a while. It only saves time: forgetting changes no answer."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

Value = TypeVar("Value")


class Recent:
    """The last `most` values that were made, by key. Safe to use from several threads."""

    def __init__(self, most: int):
        self._most = most
        self._values: OrderedDict[Hashable, object] = OrderedDict()  # least recently used first
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def of(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made now if it is not kept; equal keys must stand for equal values.

        Two threads that ask at once may both make it; what raises is not kept.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return cast(Value, self._values[key])
        value = make()
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
