"""The connections that are open: so many at most, and nobody's keep the others out.

Where there is no room for another, one is closed: of the address that has the most, an idle one
before one whose request is under way, the oldest first.
"""

from collections import Counter
from typing import Any, Protocol

_SPARE = 8  # beside an eighth more: for those who are told that there are too many


class Connection(Protocol):
    """A connection as uvicorn has it."""

    client: tuple[str, int] | None
    cycle: Any  # the request under way, or the last one; None before the first
    transport: Any


class Sockets:
    """The open connections of one server, whose requests are at most `requests`."""

    def __init__(self, requests: int):
        self._most = requests + requests // 8 + _SPARE
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


def protocol(sockets: Sockets) -> type:
    """uvicorn's way to speak HTTP, with the connections counted."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    class Counted(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            sockets.come(self)

        def connection_lost(self, exc: Exception | None) -> None:
            sockets.go(self)
            super().connection_lost(exc)

    return Counted
