"""The window: pywebview shows the page, served on this machine for it alone.

Closing the window ends the program, and so do Ctrl+C and the signal with which systems end one.
"""

import base64
import locale
import signal
import socket
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from model_core.errors import ServingError
from viz_app.desktop.lock import Lock
from viz_app.server.address import HOST, Address
from viz_app.server.answers.backend import Backend
from viz_app.server.ending import end_drawing, leave
from viz_app.server.responses import ICON
from viz_app.server.serving import Running, serve
from viz_app.text import WORDS

_SIZE, _LEAST = (1280, 800), (390, 600)  # CSS pixels


def saver(ask: Callable[..., Any]) -> Callable[[str, str | None, str | None], bool]:
    """What the page may ask of the window: to save a file where its reader says.

    `ask` opens the system's dialog, and returns a path, a list of one, or nothing. The window's own
    downloads stay off: of a file that the page made they know no name.
    """

    def save(name: str, data: str | None, text: str | None) -> bool:
        """Whether the reader chose a place; `data` is base64."""
        chosen = ask(save_filename=Path(name).name)
        if not chosen:
            return False
        path = Path(chosen if isinstance(chosen, str) else chosen[0])
        path.write_bytes(base64.b64decode(data) if data is not None else (text or "").encode())
        return True

    return save


def show_window(service: Backend, listening: socket.socket, webview: Any) -> NoReturn:
    """Serve the page at `listening`, show it until the window is closed, and end the process.

    ServingError where no window can be opened on this machine.
    """
    app, address = serve_for_one(service, listening)
    language = (locale.getlocale()[0] or "en")[:2].lower()
    title = WORDS.get(language, WORDS["en"])["title"]
    window = webview.create_window(
        title, address, width=_SIZE[0], height=_SIZE[1], min_size=_LEAST, text_select=True
    )
    window.expose(saver(partial(window.create_file_dialog, webview.FileDialog.SAVE)))
    end_when_told(app)
    service.warm_up()
    try:
        webview.start(icon=str(ICON))
    except webview.WebViewException as error:
        raise ServingError(
            f"No window can be opened: {error}. On Linux, install 'pywebview[qt]', or GTK with "
            "WebKit2; without a screen, leave out --desktop."
        ) from error
    _end(app)


def serve_for_one(service: Backend, listening: socket.socket) -> tuple[Running, str]:
    """The running app behind its lock, and the address that lets one window in, once."""
    lock = Lock()
    app = serve(service, Address(HOST), (lock.middleware,), listening)
    return app, f"{app.local_url.rstrip('/')}{lock.path}"


def end_when_told(app: Running) -> None:
    """End the program at Ctrl+C or when the system says so, though the window has the main thread.

    Python's own handlers wait for that thread, which the window may keep for good.
    """
    heard, signalled = socket.socketpair()
    signalled.setblocking(False)
    signal.set_wakeup_fd(signalled.fileno(), warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)

    def listen() -> None:
        with signalled:  # it must stay open as long as signals are written to it
            heard.recv(1)
            _end(app)

    threading.Thread(target=listen, daemon=True).start()


def _end(app: Running) -> NoReturn:
    app.close()
    end_drawing()
    leave()
