"""One kept browser process that draws figures as PNG, SVG and PDF.

It starts with the first picture and ends with the program. kaleido drives it; nothing is fetched
from any other host, and nothing else in the project knows of either.
"""

import asyncio
import atexit
import concurrent.futures
import importlib.util
import logging
import math
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, get_args

from model_core.decoding.queue import ASKER, Places, check_left
from model_core.errors import ExportError, TooBusy
from viz_app.text import told

if TYPE_CHECKING:
    import plotly.graph_objects as go

Format = Literal["png", "svg", "pdf"]
PICTURES: tuple[Format, ...] = get_args(Format)
SECONDS = 60.0  # for one picture; a browser that takes longer is ended
LEAVING = 5.0  # seconds to end in order; one that takes longer is killed
PATIENCE = 20.0  # seconds that a picture waits in line
IN_LINE = 24  # pictures that wait
MOST_SECONDS = 30  # after which who is refused is told to come back, at most
MOST_PIXELS = 50_000_000  # of a PNG


class Engine:
    """Draws one picture at a time; the others wait in line. Safe to call from several threads."""

    def __init__(self, browser: str | None = None):
        self._browser = browser
        self._lock = threading.Lock()
        self._line = Places(1, 1, 1)
        self._took = 1.0  # seconds that the last picture took
        self._loop: asyncio.AbstractEventLoop | None = None
        self._kaleido: Any = None

    def draw(self, figure: "go.Figure", format: Format, scale: float = 1) -> bytes:
        """The figure as a file. `scale` multiplies the pixels of a PNG.

        Raises ExportError with the remedy where there is no browser, no kaleido, or no answer;
        TooBusy where the line is too long.
        """
        width, height = figure.layout.width, figure.layout.height
        if format != "png":
            scale = 1
        elif width * height * scale**2 > MOST_PIXELS:
            sizes = {"width": round(width * scale), "height": round(height * scale)}
            raise told(ExportError, "pixels", **sizes, limit=MOST_PIXELS // 10**6)
        options = {"format": format, "width": width, "height": height, "scale": scale}
        spec = figure.to_dict()
        with self._turn(), self._lock:
            for attempt in (1, 2):  # a browser that was ended from outside is started once more
                try:
                    self._start()
                    return self._run(self._kaleido.calc_fig(spec, options))
                except ExportError:
                    raise
                except Exception as error:
                    self._end()
                    if attempt == 2 or isinstance(error, TimeoutError):
                        raise told(ExportError, "browser_failed") from error
        raise AssertionError

    @property
    def waiting(self) -> int:
        """How many pictures wait in line."""
        return self._line.waiting

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """A place at the browser, waited for."""
        asker, waiting = ASKER.get(), self.waiting
        if waiting >= IN_LINE or not self._line.enter(asker, PATIENCE):
            seconds = min(MOST_SECONDS, max(1, math.ceil((waiting + 1) * self._took)))
            raise told(TooBusy, "pictures_busy", n=waiting + 1, seconds=seconds)
        try:
            check_left()  # whoever asked may have gone meanwhile
            began = time.monotonic()
            yield
            self._took = time.monotonic() - began
        finally:
            self._line.leave(asker)

    def close(self, seconds: float = SECONDS) -> None:
        """End the browser; the next picture starts another.

        One that goes on drawing for so many seconds is left alone: it ends with the process. One
        that draws nothing and does not end in order is killed: nothing of it is kept.
        """
        if self._lock.acquire(timeout=seconds):
            try:
                self._end()
            finally:
                self._lock.release()

    def _start(self) -> None:
        if self._kaleido is not None:
            return
        path = self._browser or find_chromium() or ""
        if code := _missing(path):
            raise told(ExportError, "kaleido" if code == "kaleido" else "browser")
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._loop.set_exception_handler(_unless_unheard)
            threading.Thread(target=self._loop.run_forever, name="pictures", daemon=True).start()
            atexit.register(self.close)
        self._kaleido = self._run(_opened(path))

    def _end(self) -> None:
        if self._kaleido is None:
            return
        kaleido, self._kaleido = self._kaleido, None
        try:
            self._run(kaleido.close(), LEAVING)
        except Exception:  # it is gone already, or hears nothing, or its answer was lost
            _kill(kaleido.subprocess)

    def _run(self, coroutine: Any, seconds: float | None = None) -> Any:
        assert self._loop is not None
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(SECONDS if seconds is None else seconds)
        except concurrent.futures.TimeoutError:
            future.cancel()
            raise


ENGINE = Engine()


def _unless_unheard(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong in the loop, but not what ended with a browser that was given up."""
    if not context["message"].endswith("was never retrieved"):
        loop.default_exception_handler(context)


def _kill(process: Any) -> None:
    """End a process and those that it started, whatever they do."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):  # Windows; or it is gone
        process.kill()


async def _opened(path: str) -> Any:
    from kaleido import Kaleido, PageGenerator  # two dozen modules that data does not need

    class Page(PageGenerator):
        """kaleido's page without margins: they would shrink a PDF and cut its lowest row."""

        def generate_index(self) -> str:
            page = super().generate_index().replace("{margin: 0; padding: 0;}", "margin:0")
            return page.replace("</head>", "<style>@page { margin: 0 }</style></head>")

    # What it cannot read while the browser ends would be printed. What matters is raised.
    logging.getLogger("choreographer").setLevel(logging.CRITICAL)
    # Without mathjax no text is read as a formula, and nothing is asked of another host.
    kaleido = Kaleido(n=1, timeout=SECONDS, page_generator=Page(mathjax=False), path=path)
    try:
        await kaleido.open()
    except BaseException:
        if process := getattr(kaleido, "subprocess", None):
            _kill(process)
        raise
    return kaleido


def why_undrawn(hosted: bool) -> str | None:
    """The code of the error that every picture would meet on this machine; None: they are drawn.

    A visitor of a hosted page can install nothing, and is told what works without.
    """
    code = _missing(find_chromium() or "")
    return "undrawn" if hosted and code else code


def _missing(browser: str) -> str | None:
    """The code of what is missing: the browser at this path, or kaleido, which drives it."""
    if not os.access(browser, os.X_OK):
        return "browser"
    return None if importlib.util.find_spec("kaleido") else "kaleido"


_WINDOWLESS = (
    "chromium-headless-shell",
    "chrome-headless-shell",
)  # start in less than half the time
_NAMES = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("msedge", "microsoft-edge"),
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def find_chromium(windowless: bool = True) -> str | None:
    """The path of a Chromium, Chrome or Edge on this machine, or None.

    `windowless`: the one that is built without windows may be it, and is preferred.
    """
    if named := os.environ.get("CHROMIUM"):
        return named
    for name in (*(_WINDOWLESS if windowless else ()), *_NAMES):
        if path := shutil.which(name):
            return path
    return next((path for path in _PLACES if os.access(path, os.X_OK)), None)
