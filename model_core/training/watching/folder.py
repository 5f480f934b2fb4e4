"""How far a training is, in a folder that a program may read while it goes on."""

import json
import time
from collections.abc import Callable
from pathlib import Path

from model_core.atomic import replace_file
from model_core.checkpoints.history import PROGRESS, write_history
from model_core.training.loop import Progress
from model_core.training.watching.watcher import EveryFew

_SECONDS = 0.5  # between two times that it is written
_MEMORY = 0.9  # of the pace, what stays from one update to the next


class FolderWatcher:
    """Keeps `progress.json` and, where notes are taken, `history.safetensors` in the folder.

    The history names no weights: they are not those of any checkpoint yet.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic):
        self._folder, self._clock = folder, clock
        self._is_due = EveryFew(_SECONDS, clock)
        self._last: float | None = None
        self._seconds = self._updates = 0.0  # of which the latest count most

    def see(self, progress: Progress) -> None:
        """Write where it stands, once in a while, after each note and after the last update."""
        now = self._clock()
        if self._last is not None and not progress.history:  # a note takes as long as many updates
            self._seconds = _MEMORY * self._seconds + now - self._last
            self._updates = _MEMORY * self._updates + 1
        self._last = now
        if progress.history:
            write_history(self._folder, progress.history())
        is_last = progress.update == progress.updates
        if self._is_due() or progress.history or is_last:
            self._write(progress)

    def _write(self, progress: Progress) -> None:
        pace = self._updates / self._seconds if self._seconds else None  # updates per second
        said = {
            "update": progress.update,
            "updates": progress.updates,
            "loss": progress.nats,
            "per_second": pace,
        }
        replace_file(self._folder / PROGRESS, json.dumps(said).encode())

    def close(self) -> None:
        """Nothing is open."""
