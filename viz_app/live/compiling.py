"""Our modules as the browser's interpreter keeps them, so that no visitor's browser compiles them.

Only that interpreter can compile for itself. A Chromium of this machine runs it once, without a
window; it fetches from this process, and hands the archive back to it.
"""

import http.server
import json
import queue
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from model_core.errors import ExportError
from viz_app.files.chromium import find_chromium, kill_with_children
from viz_app.live.packages import archive
from viz_app.live.vendored import made, vendored
from viz_app.server.ending import OUTLIVING

_HERE = Path(__file__).parent
SECONDS = 300.0  # after which a browser that has said nothing is ended
_ALONE = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def modules(lessons: Mapping[str, bytes] | None = None) -> bytes:
    """The archive of our modules, compiled if this machine can: otherwise a line says why not.

    `lessons` are files of more lessons, by name.
    """
    given = archive(lessons)
    try:
        return compiled(given)
    except ExportError as error:
        print(f"The pages start a second later than they could. {error}", flush=True)
        return given


def compiled(given: bytes, seconds: float = SECONDS) -> bytes:
    """An archive whose modules are compiled; the same for the same modules.

    ExportError where no browser is found, or it does not do it in time.
    """
    browser = find_chromium()
    if browser is None:
        raise ExportError(
            "What compiles them is a Chromium, Chrome or Edge; none is found on this machine."
        )
    files = {
        "index.html": b'<!doctype html><script type="module" src="compiling.js"></script>',
        **{name: (_HERE / name).read_bytes() for name in ("compiling.js", "compiler.py")},
        **{name: vendored(name) for name in _INTERPRETER},
        "lock.json": json.dumps(made()["lock"]).encode(),
        "given": given,
    }
    with (
        _served(files) as (address, messages),
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
    ):
        command = [browser, *_ALONE, f"--user-data-dir={folder}", address]
        try:
            process = subprocess.Popen(
                command, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
            )
        except OSError as error:
            raise ExportError(f"{browser} could not be started: {error}") from error

        def end() -> None:
            kill_with_children(process)
            process.wait()
            shutil.rmtree(folder, ignore_errors=True)

        OUTLIVING.add(end)
        try:
            what, content = _heard(messages, process, seconds)
        finally:
            end()
            OUTLIVING.remove(end)
    if what != "made":
        raise ExportError(f"{browser} did not compile them: {content.decode()[:500]}.")
    return content


def _heard(
    messages: "queue.Queue[tuple[str, bytes]]", process: "subprocess.Popen[bytes]", seconds: float
) -> tuple[str, bytes]:
    """What the browser says: "made" or "failed", and the archive or why."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        with suppress(queue.Empty):
            return messages.get(timeout=0.1)
    return "failed", b"it ended" if process.poll() is not None else b"it said nothing"


_INTERPRETER = (
    *("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "numpy.zip"),
)
_TYPES = {".wasm": "application/wasm", ".mjs": "text/javascript", ".js": "text/javascript"}


@contextmanager
def _served(files: Mapping[str, bytes]) -> Iterator[tuple[str, "queue.Queue[tuple[str, bytes]]"]]:
    """An address that cannot be guessed, with these files, and what is said there."""
    messages: queue.Queue[tuple[str, bytes]] = queue.Queue()
    place = f"/{secrets.token_urlsafe(16)}/"

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def _answer(self, content: bytes | None, kind: str) -> None:
            self.send_response(404 if content is None else 200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def do_GET(self) -> None:
            name = self.path.removeprefix(place) or "index.html"
            self._answer(files.get(name), _TYPES.get(Path(name).suffix, "text/html"))

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            if self.path.startswith(place):
                messages.put((self.path.removeprefix(place), content))
            self._answer(b"", "text/plain")

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{place}", messages
        finally:  # once it is closed its thread would look for visitors again and again
            server.shutdown()
            thread.join()
