"""Firefox and WebKit, driven by what each brings itself: Marionette, and WebKit's own WebDriver.

Both speak the commands of the W3C's WebDriver. A browser is found where the system installed it.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.browser.reader import SCRIPT

MINUTE = 60.0  # for anything that a browser does
PACKAGES = {"firefox": ("firefox-esr",), "webkit": ("webkit2gtk-driver", "xvfb", "xauth")}
_FIREFOX = ("firefox-esr", "firefox")  # either will do
PROGRAMS = {"firefox": (_FIREFOX,), "webkit": (("WebKitWebDriver",), ("xvfb-run",))}


# Where an element is pressed, unless it is hidden or something else lies there.
MIDDLE = """(selector) => {
  const element = document.querySelector(selector);
  element?.scrollIntoView({ block: "center" });
  const { x = 0, y = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
  const place = [Math.round(x + width / 2), Math.round(y + height / 2)];
  return width && element.contains(document.elementFromPoint(...place)) ? place : null;
}"""


class Driver:
    """A window of a browser. `send(name, parameters)` runs a command and gives its value."""

    def __init__(self, send: Any):
        self._send = send

    def open(self, address: str) -> None:
        self._send("Navigate", {"url": address})
        self.evaluate(SCRIPT.read_text(encoding="utf-8"))

    def evaluate(self, script: str, *arguments: Any) -> Any:
        """What a function body returns."""
        values = {"script": script, "args": list(arguments)}
        return self._send("ExecuteScript", values)

    def listen(self) -> None:
        """Note from now on what fails in the page."""
        self.evaluate(
            "window.faults = [];"
            "addEventListener('error', (event) => window.faults.push(event.message));"
            "addEventListener('unhandledrejection', (e) => window.faults.push(`${e.reason}`));"
        )

    def faults(self) -> list[str]:
        """What has failed in the page since; a size that is seen in the next frame only is none."""
        found = self.evaluate("return window.faults")
        return [fault for fault in found if not fault.startswith("ResizeObserver loop")]

    def wait(self, condition: str, *arguments: Any, seconds: float = MINUTE) -> None:
        """Until an expression is true."""
        until = time.monotonic() + seconds
        while not self.evaluate(f"return Boolean({condition})", *arguments):
            assert time.monotonic() < until, f"never came true: {condition}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """A press in the middle of the first element that matches, once it can be pressed."""
        self.wait(f"({MIDDLE})(arguments[0])", selector)
        found = self.evaluate(f"return ({MIDDLE})(arguments[0])", selector)
        move = {"type": "pointerMove", "x": found[0], "y": found[1], "duration": 0}
        press, lift = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        self._act("pointer", [move, press, lift], {"parameters": {"pointerType": "mouse"}})

    def key(self, key: str) -> None:
        self._act("key", [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}])

    def fill(self, selector: str, text: str) -> None:
        """Replaces what is in a field, as typing would."""
        self.evaluate(
            "const e = document.querySelector(arguments[0]); e.focus(); e.value = arguments[1];"
            "e.dispatchEvent(new Event('input', { bubbles: true }))",
            selector,
            text,
        )

    def _act(self, kind: str, actions: list[Any], more: dict[str, Any] | None = None) -> None:
        device = {"type": kind, "id": kind, "actions": actions} | (more or {})
        self._send("PerformActions", {"actions": [device]})


@contextmanager
def started(name: str) -> Iterator[Driver]:
    """A browser by its name; LookupError where it is not installed."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        browser = _firefox(Path(folder)) if name == "firefox" else _webkit()
        yield stack.enter_context(browser)


@contextmanager
def _process(command: list[str], **environment: str) -> Iterator[None]:
    """A program and all that it starts, until the end."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command,
        stdout=quiet,
        stderr=quiet,
        env=os.environ | environment,
        start_new_session=True,
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def path_of(*names: str) -> str | None:
    """The first of these programs that is on the path, or None."""
    return next(filter(None, map(shutil.which, names)), None)


def _program(*names: str) -> str:
    if path := path_of(*names):
        return path
    raise LookupError(
        f"There is no {' or '.join(names)} on the path. Run `python -m tests.browser.chromium`, "
        "which installs it with apt-get, or install it yourself."
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def _firefox(profile: Path) -> Iterator[Driver]:
    """Marionette: messages over a socket, each with its length before it."""
    program, port = _program(*_FIREFOX), _free_port()
    wanted = {"marionette.port": port, "datareporting.policy.dataSubmissionEnabled": False}
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in wanted.items()]
    (profile / "user.js").write_text("\n".join(lines))
    command = [program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with _process(command, HOME=str(profile)), _connected(port) as file:
        json.loads(_message(file))  # what it says of itself
        count = 0

        def send(name: str, parameters: dict[str, Any]) -> Any:
            nonlocal count
            count += 1
            text = json.dumps([0, count, f"WebDriver:{name}", parameters]).encode()
            file.write(b"%d:%b" % (len(text), text))
            file.flush()
            _, _, error, value = json.loads(_message(file))
            assert error is None, error
            return value.get("value") if isinstance(value, dict) else value

        send("NewSession", {"strictFileInteractability": True})
        send("SetWindowRect", {"width": 1280, "height": 900})
        yield Driver(send)


@contextmanager
def _connected(port: int) -> Iterator[Any]:
    until = time.monotonic() + MINUTE
    while True:
        try:
            connection = socket.create_connection(("127.0.0.1", port), MINUTE)
            break
        except OSError:
            assert time.monotonic() < until, "the browser did not start within a minute"
            time.sleep(0.1)
    with connection, connection.makefile("rwb") as file:
        yield file


def _message(file: Any) -> bytes:
    digits = b""
    while (digit := file.read(1)) != b":":
        assert digit, "the browser has gone"
        digits += digit
    return file.read(int(digits))


@contextmanager
def _webkit() -> Iterator[Driver]:
    """WebKit's WebDriver: requests over HTTP, the window on a screen of its own."""
    program, screens, port = _program("WebKitWebDriver"), _program("xvfb-run"), _free_port()
    browser = next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"), None)
    if browser is None:
        raise LookupError("There is no MiniBrowser of WebKitGTK. Install webkit2gtk-driver whole.")
    screen = ["--auto-servernum", "--server-args=-screen 0 1280x900x24"]
    command = [screens, *screen, program, f"--port={port}", "--host=127.0.0.1"]
    with _process(command, WEBKIT_DISABLE_COMPOSITING_MODE="1", LIBGL_ALWAYS_SOFTWARE="1"):
        address = f"http://127.0.0.1:{port}/session"
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        address += f"/{_asked(address, wanted, patient=True)['sessionId']}"
        paths = {"Navigate": "url", "ExecuteScript": "execute/sync", "PerformActions": "actions"}
        yield Driver(lambda name, values: _asked(f"{address}/{paths[name]}", values))


def _asked(address: str, values: dict[str, Any], patient: bool = False) -> Any:
    """The value of an answer; patient while the driver is still starting."""
    request = urllib.request.Request(address, json.dumps(values).encode())
    until = time.monotonic() + MINUTE
    while True:
        try:
            with urllib.request.urlopen(request, timeout=MINUTE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode(errors="replace")) from error
        except urllib.error.URLError:
            if not patient or time.monotonic() > until:
                raise
            time.sleep(0.1)
