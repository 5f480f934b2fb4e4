"""Visitors, replicas and a proxy on this machine alone, for the load test.

A visitor is a connection that is kept open and costs little: no library, one event loop for all.
"""

import asyncio
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.process import free_port

ROOT = Path(__file__).resolve().parent.parent
STAGE = "/stage/answer"
_HOST = "127.0.0.1"
_PATIENCE = 30.0  # seconds after which it is said what is waited for


@dataclass(frozen=True)
class Reply:
    """What came back: the status, the value in it, and after how many seconds."""

    status: int
    value: Any
    seconds: float

    @property
    def refused(self) -> bool:
        """Whether there was no place for the request."""
        message = self.value.get("error") if isinstance(self.value, dict) else None
        return isinstance(message, dict) and message["code"] in ("busy", "connections")

    @property
    def failed(self) -> bool:
        """Whether it is no answer."""
        return self.status != 200 or not isinstance(self.value, dict) or "error" in self.value


class Visitor:
    """Somebody with an address of their own, as a proxy would name it, and one connection."""

    def __init__(self, port: int, number: int):
        self.port = port
        self._address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connect(self) -> None:
        """Open the connection, if it is not open."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(_HOST, self.port)

    async def ask(self, path: str, body: Any = None) -> Reply:
        """One request; a connection that breaks is a reply with status 0."""
        packed = b"" if body is None else json.dumps(body).encode()
        method = "GET" if body is None else "POST"
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {_HOST}:{self.port}\r\n"
            f"x-forwarded-for: {self._address}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(packed)}\r\n\r\n"
        )
        began = time.perf_counter()
        try:
            await self.connect()
            assert self._streams is not None
            reader, writer = self._streams
            writer.write(head.encode() + packed)
            status, _, answer, closes = await read_message(reader)
            if closes:
                self.leave()
        except (OSError, EOFError, ValueError):
            self.leave()
            return Reply(0, None, time.perf_counter() - began)
        seconds = time.perf_counter() - began
        value: Any = None
        with suppress(ValueError):
            value = json.loads(answer)
        return Reply(int(status.split()[1]), value, seconds)

    def leave(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def read_message(reader: asyncio.StreamReader) -> tuple[str, bytes, bytes, bool]:
    """The first line, the whole head, the body, and whether the connection ends with it."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    length = next((int(line[15:]) for line in lines if line.startswith("content-length:")), 0)
    if "transfer-encoding: chunked" in lines:
        parts = []
        while size := int(await reader.readline(), 16):
            parts.append((await reader.readexactly(size + 2))[:-2])
        await reader.readline()
        return lines[0], head, b"".join(parts), "connection: close" in lines
    return lines[0], head, await reader.readexactly(length), "connection: close" in lines


class Replica:
    """The app as a process of its own, with the limits for strangers."""

    def __init__(self, words: Sequence[str] = ()):
        self.port = free_port()
        self._words = " ".join(("viz_app --demo", *words))
        command = [sys.executable, "-m", "viz_app", "--demo", "--port", str(self.port), *words]
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # as long as the process
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            stdout=subprocess.DEVNULL,
            stderr=self._said,
        )

    async def ready(self) -> None:
        """Return when the first model is open, however long a busy machine takes for that."""
        began, said, visitor = time.monotonic(), 0, Visitor(self.port, 0)
        while (await visitor.ask("/ready")).status != 200:
            if self._process.poll() is not None:
                self._said.seek(0)
                why = self._said.read().decode(errors="replace")
                raise RuntimeError(f"the app ended before its first model was open: {why}")
            if time.monotonic() - began > _PATIENCE * (said + 1):
                said += 1
                waited = f"{_PATIENCE * said:.0f} s"
                print(
                    f"waiting for {self._words}: no first model is open after {waited}", flush=True
                )
            await asyncio.sleep(0.1)
        visitor.leave()

    @property
    def resident(self) -> int:
        """Bytes of memory in use."""
        pages = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGESIZE")

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii")
        used = fields.rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    @property
    def below(self) -> dict[int, str]:
        """The processes that it started, and those that these did: what each is called."""
        parents, names = {}, {}
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has just ended
                after = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                if after[0] != "Z":
                    parents[int(folder.name)] = int(after[1])
                    names[int(folder.name)] = (folder / "cmdline").read_text(encoding="utf-8")
        found = {self._process.pid}
        while more := {one for one, parent in parents.items() if parent in found} - found:
            found |= more
        return {one: names[one] for one in found - {self._process.pid}}

    def end(self) -> int:
        """Tell it to end; the status with which it does."""
        self._process.terminate()
        return self._process.wait(60)

    def kill(self) -> None:
        """End it without a chance to say anything."""
        self._process.kill()
        self._process.wait(30)


@asynccontextmanager
async def replicas(count: int, words: Sequence[str] = ()) -> AsyncIterator[list[Replica]]:
    """So many apps that are ready, started with these words too."""
    started = [Replica(words) for _ in range(count)]
    try:
        for one in started:
            await one.ready()
        yield started
    finally:
        for one in started:
            one.kill()


@asynccontextmanager
async def round_robin(ports: Sequence[int]) -> AsyncIterator[int]:
    """The port of a proxy that gives the requests to the replicas in turn.

    What a replica does not answer, or refuses with 503, is asked of the next one, once.
    """
    turn = 0

    async def relay(head: bytes, body: bytes, port: int) -> bytes:
        reader, writer = await asyncio.open_connection(_HOST, port)
        try:
            writer.write(head.replace(b"\r\n", b"\r\nconnection: close\r\n", 1) + body)
            answer = await reader.read()
        finally:
            writer.close()
        if not answer.startswith(b"HTTP/1.1") or answer.startswith(b"HTTP/1.1 503"):
            raise ConnectionError("no answer")
        return answer

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal turn
        with suppress(OSError, EOFError):
            _, head, body, _ = await read_message(reader)
            turn += 1
            for port in (ports[turn % len(ports)], ports[(turn + 1) % len(ports)]):
                with suppress(OSError):
                    writer.write(await relay(head, body, port))
                    break
        writer.close()

    async with await asyncio.start_server(serve, _HOST, 0) as server:
        yield server.sockets[0].getsockname()[1]


def slowest_health(port: int) -> float:
    """Seconds of the slowest answer of /health until nothing more is read."""
    over = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait, daemon=True).start()
    connection, most = http.client.HTTPConnection(_HOST, port, timeout=30), 0.0
    while not over.wait(0.01):
        began = time.perf_counter()
        connection.request("GET", "/health")
        connection.getresponse().read()
        most = max(most, time.perf_counter() - began)
    return most


if __name__ == "__main__":  # a process of its own: in that of the visitors it would measure them
    print(slowest_health(int(sys.argv[1])))
