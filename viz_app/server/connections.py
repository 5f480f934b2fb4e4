"""Limits open connections, in total and per client.

Where there is no room for another, one is closed: of the address that has the most, an idle one
before one whose request is under way, the oldest first.
"""

from collections import Counter
from typing import Any, Protocol

from model_core.errors import ServingError

_SPARE = 8  # beside an eighth more: for those who are refused because there are too many
_FILES = 24  # beside the connections: models that are opened, the browser that draws
_FEWEST = 8
_BACKLOG = 2048
_ROUNDS = 4  # of the event loop, from when a connection is accepted until another one is closed


class Connection(Protocol):
    """A connection as uvicorn has it."""

    client: tuple[str, int] | None
    cycle: Any  # the request under way, or the last one; None before the first
    transport: Any


def wanted_files(requests: int) -> int:
    """How many files a server opens for this many requests at once."""
    return _most(requests) + _ROUNDS * _BACKLOG + _FILES


def _most(requests: int) -> int:
    return requests + requests // 8 + _SPARE


class Connections:
    """The open connections of one server, whose requests are at most `requests`.

    They are fewer where only so many more `files` can be opened. `backlog` is how many may be
    accepted in one round of the event loop: what those take until others are closed is left free.
    ServingError where hardly any can be opened.
    """

    def __init__(self, requests: int, files: int):
        left, wanted = files - _FILES, _most(requests)
        self.backlog = min(_BACKLOG, max((left - wanted) // _ROUNDS, left // (4 * _ROUNDS), 1))
        self._most = min(wanted, left - _ROUNDS * self.backlog)
        if self._most < _FEWEST:
            raise ServingError(
                f"This process may open {max(0, files)} more files, each connection is one, and "
                f"that is too few. Allow 1024 of them: ulimit -n 1024."
            )
        self._share = self._most // 4
        self._open: dict[Connection, str] = {}  # with the address, in the order they came

    def __len__(self) -> int:
        return len(self._open)

    def come(self, connection: Connection) -> None:
        """Take a connection in, and close another one where there are too many."""
        self._open[connection] = connection.client[0] if connection.client else ""
        if len(self._open) > self._most:
            least = self._least()
            del self._open[least]
            least.transport.abort()

    def go(self, connection: Connection) -> None:
        """A connection is closed."""
        self._open.pop(connection, None)

    def _least(self) -> Connection:
        """The connection that is missed least."""
        counts = Counter(self._open.values())

        def worth(entry: tuple[Connection, str]) -> tuple[bool, int, bool]:
            cycle, count = entry[0].cycle, counts[entry[1]]
            busy = cycle is not None and not cycle.response_complete
            return busy and count <= self._share, -count, busy

        return min(self._open.items(), key=worth)[0]


def protocol(connections: Connections) -> type:
    """uvicorn's way to speak HTTP, with the connections counted."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    class Counted(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            connections.come(self)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.go(self)
            super().connection_lost(exc)

    return Counted
