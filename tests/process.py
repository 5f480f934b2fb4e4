"""The app as a process of its own, for tests of its command line."""

import re
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    """A free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def running(
    command: Sequence[str],
    port: int | None,
    log: Path,
    folder: Path,
    environment: Mapping[str, str],
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of what the command serves, once /health answers; its output goes to `log`.

    Without a port it is the one that the command says.
    """

    def address() -> str:
        if port:
            return f"http://127.0.0.1:{port}"
        said = re.search(r" on (http://127\.0\.0\.1:\d+)/ ", log.read_text())
        return said[1] if said else ""

    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        until(lambda: process.poll() is not None or (address() and answers(address())), log)
        assert process.poll() is None, log.read_text()
        yield address(), process
    finally:
        process.terminate()
        process.wait(120)


def until(condition: Callable[[], object], log: Path) -> None:
    """Return when it is so; an assertion with the log fails where it does not come."""
    deadline = time.monotonic() + 600  # of a machine at which everybody works
    while not condition():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)  # between two tries, not instead of a condition


def answers(address: str, path: str = "/health") -> bool:
    """Whether /health, or what is named, answers there."""
    try:
        return urllib.request.urlopen(address + path, timeout=10).status == 200
    except OSError:
        return False
