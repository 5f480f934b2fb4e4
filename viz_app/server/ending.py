"""How the app ends when it is asked to: at once while it starts, in order while it serves.

The process is left without taking the interpreter down: a model may still be being opened in the
background, and PyTorch's threads abort where that happens under them.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, NoReturn

# Called at the end, for what would outlive the process: a browser that compiles, temporary folders.
OUTLIVING = set[Callable[[], object]]()
DRAWING_SECONDS = 3.0  # for the browser that draws to end in order; it ends with its pipe anyway


class Ending:
    """Waits for Ctrl+C, or for the signal with which hosts end a process.

    From when it is made, either of them ends the process whatever the main thread does; a second
    one does not wait for what the first began.
    """

    def __init__(self) -> None:
        self._asked_to_end = threading.Event()
        self._is_awaited = False
        self.listen()

    def listen(self) -> None:
        """Hear the signals, also after something else that was started heard them instead."""
        # As the first process of a container nothing else would end it.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)

    def wait(self) -> None:
        """Return when the process is asked to end."""
        self._is_awaited = True
        self._asked_to_end.wait()

    def _end(self, *_: Any) -> None:
        # Nothing is raised: whatever is being imported or started might catch it and go on.
        if self._asked_to_end.is_set() or not self._is_awaited:
            leave()
        self._asked_to_end.set()


def end_drawing() -> None:
    """End the browser that draws pictures, if there is one, without waiting for its picture."""
    if drawing := sys.modules.get("viz_app.files.chromium"):
        drawing.CHROMIUM.close(DRAWING_SECONDS)


def leave() -> NoReturn:
    """End the process with status 0, and what would outlive it; tunnels of shared links too."""
    tunnels = getattr(sys.modules.get("gradio.tunneling"), "CURRENT_TUNNELS", ())
    for end in (*OUTLIVING, *(tunnel.kill for tunnel in tunnels)):
        end()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, RuntimeError):  # its reader is gone, or it is being written to right now
            continue
    os._exit(0)
