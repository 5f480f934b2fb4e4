"""One kept browser process that draws pictures as PNG, SVG and PDF, by the page's own script.

It starts with the first picture and ends with the program. kaleido drives it; nothing is fetched
from any other host, and nothing else in the project knows of either.
"""

import asyncio
import atexit
import base64
import concurrent.futures
import importlib.util
import json
import logging
import math
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from model_core.decoding.queue import ASKER, Places, check_left
from model_core.errors import ExportError, TooBusy
from viz_app.files.drawing import Drawing, program
from viz_app.files.picture import Format
from viz_app.text import named_error

if TYPE_CHECKING:
    import plotly.graph_objects as go

SECONDS = 60.0  # for one picture; a browser that takes longer is ended
SHUTDOWN_SECONDS = 5.0  # to end in order; a browser that takes longer is killed
PATIENCE = 20.0  # seconds that a picture waits in line
MOST_WAITING = 24  # pictures in line
MOST_SECONDS = 30  # after which a refusal says to come back, at most
MOST_PIXELS = 50_000_000  # of a PNG


class Chromium:
    """Draws one picture at a time; the others wait in line. Safe to call from several threads."""

    def __init__(self, browser: str | None = None):
        self._browser = browser
        self._lock = threading.Lock()
        self._line = Places(1, 1, 1)
        self._took = 1.0  # seconds that the last picture took
        self._loop: asyncio.AbstractEventLoop | None = None
        self.browser_now: Any = None  # that is open

    def draw(self, drawing: "Drawing | go.Figure", format: Format, scale: float = 1) -> bytes:
        """A picture of the page, or a figure of Plotly, as a file; `scale` is for PNG.

        Raises ExportError with the remedy where there is no browser, no kaleido, or no answer;
        TooBusy where the line is too long.
        """
        if format != "png":
            scale = 1
        elif isinstance(drawing, Drawing):
            check_pixels(*drawing.least_size, scale)
        with self._turn(), self._lock:
            for attempt in (1, 2):  # a browser that was ended from outside is started once more
                try:
                    self._start()
                    return self._run(self.browser_now.draw(drawing, format, scale))
                except ExportError:
                    raise
                except Exception as error:
                    self._end()
                    if attempt == 2 or isinstance(error, TimeoutError):
                        raise named_error(ExportError, "browser_failed") from error
        raise AssertionError

    @property
    def waiting(self) -> int:
        """How many pictures wait in line."""
        return self._line.waiting

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """A place at the browser, waited for."""
        asker, waiting = ASKER.get(), self.waiting
        if waiting >= MOST_WAITING or not self._line.enter(asker, PATIENCE):
            seconds = min(MOST_SECONDS, max(1, math.ceil((waiting + 1) * self._took)))
            raise named_error(TooBusy, "pictures_busy", n=waiting + 1, seconds=seconds)
        try:
            check_left()  # the client may have disconnected meanwhile
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
        if self.browser_now is not None:
            return
        path = self._browser or find_chromium() or ""
        if code := _missing(path):
            raise named_error(ExportError, "kaleido" if code == "kaleido" else "browser")
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._loop.set_exception_handler(_unless_unheard)
            threading.Thread(target=self._loop.run_forever, name="pictures", daemon=True).start()
            atexit.register(self.close)
        self.browser_now = self._run(opened_browser(path))

    def _end(self) -> None:
        if self.browser_now is None:
            return
        browser, self.browser_now = self.browser_now, None
        try:
            self._run(browser.close(), SHUTDOWN_SECONDS)
        except Exception:  # it is gone already, or hears nothing, or its answer was lost
            kill_with_children(browser.subprocess)

    def _run(self, coroutine: Any, seconds: float | None = None) -> Any:
        assert self._loop is not None
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(SECONDS if seconds is None else seconds)
        except concurrent.futures.TimeoutError:
            future.cancel()
            raise


CHROMIUM = Chromium()


def check_pixels(width: float, height: float, scale: float) -> None:
    """ExportError where a PNG would have too many pixels."""
    if width * height * scale**2 > MOST_PIXELS:
        sizes = {"width": round(width * scale), "height": round(height * scale)}
        raise named_error(ExportError, "pixels", **sizes, limit=MOST_PIXELS // 10**6)


class _Browser:
    """An open browser: a page that draws, one that prints, and kaleido for figures of Plotly."""

    def __init__(self, kaleido: Any):
        self._kaleido = kaleido
        self.subprocess = kaleido.subprocess
        self._pages: dict[str, Any] = {}

    async def close(self) -> None:
        await self._kaleido.close()

    async def draw(self, drawing: "Drawing | go.Figure", format: Format, scale: float) -> bytes:
        if not isinstance(drawing, Drawing):
            layout = drawing.layout
            options = {"format": format, "width": layout.width, "height": layout.height}
            made: bytes = await self._kaleido.calc_fig(
                drawing.to_dict(), options | {"scale": scale}
            )
            return made
        page = await self._page("draws", program)
        drawn = json.loads(await self._value(page, drawing.call(format, scale, MOST_PIXELS)))
        if format == "svg":
            return str(drawn["svg"]).encode()
        if format == "pdf":
            return await self._printed(**drawn)
        check_pixels(drawn["width"], drawn["height"], scale)
        return base64.b64decode(drawn["png"])

    async def _printed(self, svg: str, width: int, height: int) -> bytes:
        """An SVG as a page of its own size, without margins: they would cut its lowest row."""
        page = await self._page("prints", lambda: "0")
        size = f"@page {{ size: {width}px {height}px; margin: 0 }} body {{ margin: 0 }}"
        style = f"<style>{size} svg {{ display: block; print-color-adjust: exact }}</style>"
        await self._value(page, f"document.documentElement.innerHTML = {json.dumps(style + svg)}")
        inches = {"paperWidth": width / 96, "paperHeight": height / 96}
        edges = dict.fromkeys(("marginTop", "marginBottom", "marginLeft", "marginRight"), 0)
        how = {"printBackground": True, "preferCSSPageSize": True}
        printed = await page.send_command("Page.printToPDF", inches | edges | how)
        return base64.b64decode(printed["result"]["data"])

    async def _page(self, name: str, begins: Callable[[], str]) -> Any:
        if name not in self._pages:
            page = await self._kaleido.create_tab("about:blank")
            view = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            await page.send_command("Emulation.setDeviceMetricsOverride", view)
            await self._value(page, begins())
            self._pages[name] = page
        return self._pages[name]

    async def _value(self, page: Any, expression: str) -> Any:
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = await page.send_command("Runtime.evaluate", asked)
        result = answer.get("result", {})
        if "exceptionDetails" in result or "error" in answer:
            raise RuntimeError(f"The page could not draw: {str(answer)[:2000]}")
        return result["result"].get("value")


def _unless_unheard(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong in the loop, but not what ended with a browser that was given up."""
    if not context["message"].endswith("was never retrieved"):
        loop.default_exception_handler(context)


def kill_with_children(process: Any) -> None:
    """End a process that leads a group, and those that it started, whatever they do."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):  # Windows; or it is gone
        process.kill()


async def opened_browser(path: str) -> Any:
    """The browser of that program, once its page is ready to draw."""
    from kaleido import Kaleido, PageGenerator  # two dozen modules that data does not need

    # What it cannot read while the browser ends would be printed. What matters is raised.
    logging.getLogger("choreographer").setLevel(logging.CRITICAL)
    # Without mathjax no text is read as a formula, and nothing is asked of another host.
    kaleido = Kaleido(n=1, timeout=SECONDS, page_generator=PageGenerator(mathjax=False), path=path)
    try:
        await kaleido.open()
    except BaseException:
        if process := getattr(kaleido, "subprocess", None):
            kill_with_children(process)
        raise
    return _Browser(kaleido)


def why_undrawn(hosted: bool) -> str | None:
    """The code of the error that every picture would meet on this machine; None: they are drawn.

    A visitor of a hosted page can install nothing, and reads what works without.
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

    `windowless`: the one that is built without windows may be it, and is preferred. Walks through
    the page take one with windows.
    """
    if named := os.environ.get("CHROMIUM"):
        return named
    for name in (*(_WINDOWLESS if windowless else ()), *_NAMES):
        if path := shutil.which(name):
            return path
    return next((path for path in _PLACES if os.access(path, os.X_OK)), None)
