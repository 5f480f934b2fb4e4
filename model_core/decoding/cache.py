"""What was computed last, kept for a while. It only saves time: forgetting changes no answer."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast

from model_core.models.memory import memory_of
from model_core.models.protocol import State

Value = TypeVar("Value")
Ids = tuple[int, ...]
_MOST = 512  # values of a whole cache: some hold no arrays, and their bytes are not counted
_LATEST = 12  # sentences that were too large, of which it is known


class StudyCache(Protocol):
    """Values by key, each made once, in a whole cache or for one model in it."""

    def of(self, key: Hashable, make: Callable[[], Value]) -> Value: ...


@dataclass(eq=False)
class _Entry:
    """A value, and the bytes of each piece of memory behind it, by where the piece begins."""

    value: Any
    pieces: dict[int, int] = field(default_factory=dict)
    nbytes: int = 0  # of all its pieces


class Cache:
    """The last `most` values that were made, by key. Safe to use from several threads.

    Together they hold at most `most_bytes` of arrays and tensors, those of the keys included; what
    several of them share is counted once. A value that alone holds more is not kept. What was used
    longest ago goes first, but for the states of the sentence used last, which go last: the next
    step needs them.
    """

    def __init__(self, most: int = _MOST, most_bytes: int = 256 * 2**20):
        self.most, self.most_bytes = most, most_bytes
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()  # least recently used first
        self._owners: dict[int, int] = {}  # of each piece: how many values hold it
        self._counted = 0  # bytes of those pieces
        self._sentence: Hashable = None  # the one used last
        self._too_large: dict[Hashable, None] = {}  # sentences, the latest last
        self._lock = threading.Lock()
        # Bytes behind the values. It is read without the lock, so it is set only to what is kept
        # when all that is too much has gone.
        self.nbytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def of(self, key: Hashable, make: Callable[[], Value], nbytes: int | None = None) -> Value:
        """The value of a key, made now if it is not kept; equal keys must stand for equal values.

        `nbytes` are behind the value where its arrays are not to be counted. Two threads that ask
        at once may both make it; what raises is not kept.
        """
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
                return cast(Value, self._entries[key].value)
        value = make()
        pieces = memory_of((key, value)) if nbytes is None else {id(value): nbytes}
        if sum(pieces.values()) > self.most_bytes:
            return value
        with self._lock:
            if key not in self._entries:
                self._entries[key] = entry = _Entry(value)
                self._count(entry, pieces.items())
            gone = self._fit()
        del gone  # whose memory is given back outside the lock
        return value

    def state(self, sentence: Hashable, ids: Ids) -> State | None:
        """The state that a sentence has after these target tokens, where it is kept."""
        with self._lock:
            entry = self._entries.get(sentence)
            if entry is None:
                return None
            self._entries.move_to_end(sentence)
            self._sentence = sentence
            return cast("State | None", entry.value.get(ids))

    def keep(self, sentence: Hashable, ids: Ids, state: State) -> None:
        """Keep a state of a sentence, unless another thread was first.

        Only what is new in it is counted where the very state it grew from is here; where that was
        dropped in the meantime, all of it is.
        """
        with self._lock:
            entry = self._entries.setdefault(sentence, _Entry({}))
            self._entries.move_to_end(sentence)
            self._sentence = sentence
            if ids not in entry.value:
                parent = entry.value.get(ids[:-1])
                entry.value[ids] = state
                is_next = parent is not None and state.grew_from(parent)
                self._count(entry, state.pieces(is_next))
            self._too_large.pop(sentence, None)
            gone = []
            if entry.nbytes > self.most_bytes:  # it takes nothing else with it
                gone.append(self._forget(sentence))
                self._too_large[sentence] = None
                if len(self._too_large) > _LATEST:
                    del self._too_large[next(iter(self._too_large))]
            gone += self._fit()
        del gone

    def fits(self, sentence: Hashable) -> bool:
        """Whether the states of a sentence can be kept: those that take more bytes never are.

        Whether they still are depends on what others asked since.
        """
        with self._lock:
            return sentence not in self._too_large

    def within(self, *owner: Hashable) -> StudyCache:
        """The values whose keys begin with these."""
        return _Part(self, owner)

    def _count(self, entry: _Entry, pieces: Iterable[tuple[int, int]]) -> None:
        for place, nbytes in pieces:
            if place not in entry.pieces:
                entry.pieces[place] = nbytes
                entry.nbytes += nbytes
                self._owners[place] = self._owners.get(place, 0) + 1
                self._counted += nbytes if self._owners[place] == 1 else 0

    def _fit(self) -> list[_Entry]:
        """Forget what is too much; what was forgotten."""
        gone = []
        while self._counted > self.most_bytes or len(self._entries) > self.most:
            old = (key for key in self._entries if key != self._sentence)
            gone.append(self._forget(next(old, self._sentence)))
        self.nbytes = self._counted
        return gone

    def _forget(self, key: Hashable) -> _Entry:
        entry = self._entries.pop(key)
        for place, nbytes in entry.pieces.items():
            self._owners[place] -= 1
            if not self._owners[place]:
                del self._owners[place]
                self._counted -= nbytes
        return entry


@dataclass(frozen=True, eq=False)
class _Part:
    whole: Cache
    owner: tuple[Hashable, ...]

    def of(self, key: Hashable, make: Callable[[], Value]) -> Value:
        return self.whole.of((*self.owner, key), make)


NO_CACHE = Cache(0)  # makes every value anew
