"""Firefox and WebKit, driven by what each brings itself: Marionette, and WebKit's own WebDriver.

Both speak the commands of the W3C's WebDriver. A browser is found where the system installed it.
Chromium answers to the same calls, for walks through all three.
"""

import base64
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

from playwright.sync_api import Page

from tests.browser.reader import SCRIPT

PATIENCE = 180.0  # seconds, for anything that a browser does beside other work
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
KEYS = {"Home": "\ue011", "ArrowRight": "\ue014", "Enter": "\ue007", "Escape": "\ue00c"}
# The size of what a page hands over to be saved: a browser may show a file that is not yet whole.
MEASURES = """window.bytes = null;
const { createObjectURL } = URL;
URL.createObjectURL = (blob) => {
  window.bytes = blob.size;
  URL.createObjectURL = createObjectURL;
  return createObjectURL.call(URL, blob);
};"""
# A page makes files itself, but no folders.
DROP = """const [selector, files] = arguments, data = new DataTransfer();
for (const [name, text] of files) {
  data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
}
for (const type of ["dragover", "drop"]) {
  document.querySelector(selector).dispatchEvent(
    new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


class Driver:
    """A window of a browser. `send(name, parameters)` runs a command and gives its value;
    `downloads` is the folder into which it saves."""

    hands_over_folders = False  # nor does any driver of these two drag one

    def __init__(self, send: Any, downloads: Path, can_drop: bool = True):
        self._send, self._downloads, self.can_drop = send, downloads, can_drop

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
            "addEventListener('securitypolicyviolation', (e) => window.faults.push(e.blockedURI));"
            "for (const kind of ['error', 'warn'])"
            "  console[kind] = (...said) => window.faults.push(said.join(' '));"
        )

    def faults(self) -> list[str]:
        """What has failed in the page since; a size that is seen in the next frame only is none."""
        found = self.evaluate("return window.faults")
        return [fault for fault in found if not fault.startswith("ResizeObserver loop")]

    def wait(self, condition: str, *arguments: Any, seconds: float = PATIENCE) -> None:
        """Until an expression is true; the longer that takes, the less often it is looked at."""
        until, pause = time.monotonic() + seconds, 0.05
        while not self.evaluate(f"return Boolean({condition})", *arguments):
            assert time.monotonic() < until, f"never came true: {condition}"
            time.sleep(pause)
            pause = min(1.2 * pause, 0.4)

    def click(self, selector: str) -> None:
        """A press in the middle of the first element that matches, once it can be pressed."""
        self.wait(f"({MIDDLE})(arguments[0])", selector)
        self._press(*self.evaluate(f"return ({MIDDLE})(arguments[0])", selector))

    def key(self, key: str) -> None:
        """A press of a key: a character, or one of KEYS."""
        value = KEYS.get(key, key)
        self._act("key", [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}])

    def choose(self, selector: str, *paths: Path) -> None:
        """Files of this computer, in the dialog of a field of files."""
        field = self._send("FindElement", {"using": "css selector", "value": selector})
        text = "\n".join(map(str, paths))
        self._send("ElementSendKeys", {"id": next(iter(field.values())), "text": text})

    def drop(self, selector: str, folder: Path) -> None:
        """What lies in a folder, let go over an element."""
        files = [
            [path.name, base64.b64encode(path.read_bytes()).decode()] for path in folder.iterdir()
        ]
        self.evaluate(DROP, selector, files)

    def saved(self, selector: str) -> tuple[str, bytes]:
        """The name and the content of the file that a press gives to the reader's downloads."""
        self.evaluate(MEASURES)
        self.click(selector)
        self.wait("window.bytes !== null")
        size = self.evaluate("return window.bytes")
        until = time.monotonic() + PATIENCE
        while not (there := self._downloaded(size)):
            assert time.monotonic() < until, "no file was saved"
            time.sleep(0.05)
        content = there.read_bytes()
        there.unlink()
        return there.name, content

    def _downloaded(self, size: int) -> Path | None:
        """The file of the downloads, once it has so many bytes and none is unfinished beside it."""
        there = [path for path in self._downloads.glob("*") if path.is_file()]
        return there[0] if [path.stat().st_size for path in there] == [size] else None

    def _press(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "x": x, "y": y, "duration": 0}
        press, lift = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        self._act("pointer", [move, press, lift], {"parameters": {"pointerType": "mouse"}})

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


class Chromium(Driver):
    """A page of Playwright's; what can be touched is tapped."""

    hands_over_folders = can_drop = True

    def __init__(self, page: Page):
        self.page = page
        page.set_default_timeout(PATIENCE * 1000)
        self._hand = page.context.new_cdp_session(page)

    def open(self, address: str) -> None:
        self.page.goto(address)

    def evaluate(self, script: str, *arguments: Any) -> Any:
        whole = f"(given) => (function () {{ {script} }}).apply(null, given)"
        return self.page.evaluate(whole, list(arguments))

    def key(self, key: str) -> None:
        self.page.keyboard.press(key)

    def choose(self, selector: str, *paths: Path) -> None:
        self.page.locator(selector).set_input_files(paths)

    def drop(self, selector: str, folder: Path) -> None:
        """The folder itself, let go over an element."""
        x, y = self.evaluate(f"return ({MIDDLE})(arguments[0])", selector) or (400, 300)
        data = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            said = {"type": kind, "x": x, "y": y, "data": data}
            self._hand.send("Input.dispatchDragEvent", said)

    def saved(self, selector: str) -> tuple[str, bytes]:
        with self.page.expect_download() as download:
            self.click(selector)
        return download.value.suggested_filename, Path(download.value.path()).read_bytes()

    def _press(self, x: float, y: float) -> None:
        has_touch = self.evaluate("return navigator.maxTouchPoints > 0")
        (self.page.touchscreen.tap if has_touch else self.page.mouse.click)(x, y)


@contextmanager
def started(name: str) -> Iterator[Driver]:
    """A browser by its name; LookupError where it is not installed."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        browser = {"firefox": _firefox, "webkit": _webkit}[name](Path(folder))
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
        yield Driver(send, profile / "Downloads")


@contextmanager
def _connected(port: int) -> Iterator[Any]:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection = socket.create_connection(("127.0.0.1", port), PATIENCE)
            break
        except OSError:
            assert time.monotonic() < until, "the browser did not start"
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
def _webkit(home: Path) -> Iterator[Driver]:
    """WebKit's WebDriver: requests over HTTP, the window on a screen of its own."""
    program, screens, port = _program("WebKitWebDriver"), _program("xvfb-run"), _free_port()
    browser = next(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"), None)
    if browser is None:
        raise LookupError("There is no MiniBrowser of WebKitGTK. Install webkit2gtk-driver whole.")
    screen = ["--auto-servernum", "--server-args=-screen 0 1280x900x24"]
    command = [screens, *screen, program, f"--port={port}", "--host=127.0.0.1"]
    plain = {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
    (home / "saved").mkdir()
    (home / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{home}/saved"\n')
    with _process(command, XDG_CONFIG_HOME=str(home), **plain):
        address = f"http://127.0.0.1:{port}/session"
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        address += f"/{_asked(address, wanted, patient=True)['sessionId']}"
        paths = {"Navigate": "url", "ExecuteScript": "execute/sync", "PerformActions": "actions"}
        paths |= {"FindElement": "element", "ElementSendKeys": "element/{id}/value"}

        def send(name: str, values: dict[str, Any]) -> Any:
            return _asked(f"{address}/{paths[name].format_map(values)}", values)

        # WebKit reads no dropped file that is not on the disk, as those of DROP are not.
        yield Driver(send, home / "saved", can_drop=False)


def _asked(address: str, values: dict[str, Any], patient: bool = False) -> Any:
    """The value of an answer; patient while the driver is still starting."""
    request = urllib.request.Request(address, json.dumps(values).encode())
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode(errors="replace")) from error
        except urllib.error.URLError:
            if not patient or time.monotonic() > until:
                raise
            time.sleep(0.1)
