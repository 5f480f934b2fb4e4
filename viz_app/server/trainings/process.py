"""The one training that goes on: a process of its own, that gives way to everything else.

It outlives the page, and the server where that is killed. Which one goes on is known by a lock that
the process inherits, so it is free whenever the process has ended, however it ended.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import model_core
from model_core.atomic import replace_file
from model_core.errors import RecipeError
from viz_app.text import named_error

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOG = "log.txt"
_NICE = 15  # of at most 19
_STOPS_WITHIN = 20.0  # seconds, of which it takes one update and what is written then
_LOOKS_EVERY = 0.05  # seconds
_MEASURES_WITHIN = 120.0  # seconds; about five of an idle core


class Slot:
    """The place of the one training under a folder."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def running(self) -> str | None:
        """The name of the training that goes on."""
        said = self._said()
        return said["run"] if said and self._is_held() else None

    def start(self, run: str, words: list[str]) -> None:
        """Begin, or go on with, the training of that name.

        RecipeError where one goes on already.
        """
        handle = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if self._is_held() or not _locked(handle):
                raise named_error(RecipeError, "training_one")
            with (self._folder / run / LOG).open("wb") as log:
                self._process = _begun(words, log, **_apart(handle))
        finally:
            os.close(handle)  # the process has its own
        said = {"run": run, "pid": self._process.pid}
        replace_file(self._folder / "running.json", json.dumps(said).encode())

    def stop(self, within: float = _STOPS_WITHIN) -> None:
        """Let the one that goes on save and end; return when it has, or is killed after a while."""
        said = self._said()
        if said is None or not self._is_held():
            return
        ends = time.monotonic() + within
        for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            with suppress(OSError):
                os.kill(said["pid"], number)
            while self._is_held():
                if time.monotonic() > ends:
                    break
                time.sleep(_LOOKS_EVERY)
            ends = time.monotonic() + within

    def _said(self) -> dict[str, Any] | None:
        """The name and the process of the last one that was started."""
        try:
            said = json.loads((self._folder / "running.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        right = isinstance(said, dict) and isinstance(said.get("run"), str)
        return said if right and type(said.get("pid")) is int and said["pid"] > 1 else None

    def _is_held(self) -> bool:
        if self._process is not None:
            if self._process.poll() is None:
                return True
            self._process = None
        if fcntl is None:
            return False
        try:
            handle = os.open(self._folder / "lock", os.O_RDWR)
        except OSError:
            return False
        try:
            return not _locked(handle)
        finally:
            os.close(handle)


def measure_heads(folder: Path, within: float = _MEASURES_WITHIN) -> None:
    """Measure every head of the small checkpoint in a folder; without that, it has no measures."""
    process = _begun(["heads", "--model", str(folder)], subprocess.DEVNULL)
    try:
        process.wait(within)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _begun(words: list[str], log: IO[bytes] | int, **more: Any) -> "subprocess.Popen[bytes]":
    """A command of model_core on one thread, which gives way to everything else."""
    process = subprocess.Popen(
        [sys.executable, "-m", "model_core", *words],
        cwd=Path(model_core.__file__).resolve().parent.parent,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"},
        **more,
    )
    if hasattr(os, "setpriority"):
        with suppress(OSError):  # it has ended already
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
    return process


def _locked(handle: int) -> bool:
    """Whether the lock was free; it is held until the handle, and what inherits it, is closed."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _apart(handle: int) -> dict[str, Any]:
    """How a process is started that Ctrl+C in the server's terminal does not reach."""
    if fcntl is None:
        return {"creationflags": getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)}
    # A session of its own would be scheduled as if it were as important as all of ours.
    return {"pass_fds": (handle,), "process_group": 0}
