"""Windows of a browser that tests use one after another.

Loading the page takes far longer than most walks through it. So a window is loaded once, and each
test gets a stage that is mounted anew in it, as the document mounts it first, under the
address, in the size and in the scheme the test asks for, with nothing stored. What cannot be taken
back (another server, another locale, a touch screen) asks for another window.
"""

import re
import time
from collections.abc import Callable
from itertools import chain
from typing import Any
from urllib.parse import urlparse

from playwright.sync_api import Browser, BrowserContext, Error, JSHandle, Page

COUNT_FRAMES = """{
    const frame = window.requestAnimationFrame.bind(window);
    window.framesAsked = 0;
    window.requestAnimationFrame = (draw) => { window.framesAsked += 1; return frame(draw); };
}"""
# The bar of a page that waits stands still: to paint its way takes a sixth of a processor.
HOLD_THE_BAR = """{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".stage::before, .stage .waiting::before { animation: none !important; }");
    document.adoptedStyleSheets = [sheet];
}"""
# Between two tests nothing runs in a window: no question is asked ahead, nothing is drawn.
END = """() => {
    const host = document.querySelector(".stage-host");
    host?.stage?.destroy();
    delete host?.stage;
    return document.getElementById("options") !== null;
}"""
# What the document does, with no choices: what the page remembers of an earlier stage is gone.
MOUNT_AGAIN = """async (address) => {
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, "", address);
    document.body.classList.remove("light", "dark");
    window.scrollTo(0, 0);
    const options = JSON.parse(document.getElementById("options").textContent);
    options.choices = { language: null, scheme: null, large: null, shortcuts: null };
    const script = document.querySelector("link[rel=modulepreload]").href;
    const { start } = await import(script);
    start(document.querySelector(".stage-host"), options, new URL("answer", script).pathname);
}"""
# The page's policy forbids what the browser's driver waits with, which makes a script of a text.
WAIT = """async ([given, most, every]) => {
    const look = () => (LOOK);
    for (const began = performance.now(); performance.now() - began < most;) {
        const seen = look();
        const found = await (typeof seen === "function" ? seen(given) : seen);
        if (found) return found;
        await new Promise((goOn) => setTimeout(goOn, every));
    }
    throw new Error(`It waited in vain for ${look}`);
}"""
LEFT = ("Execution context was destroyed", "Cannot find context")  # for another page
THERE = "() => document.querySelector('.stage-host')?.stage?.drawn().recipe"
TIMEOUT = 120_000  # milliseconds; beside other work a page takes its time
LOOKS_EVERY = 30  # milliseconds; to ask with every frame takes a third of a walk's work


def open_context(browser: Browser, **how: Any) -> BrowserContext:
    """Windows that wait for whatever they are asked about as long as a slow machine needs."""
    context = browser.new_context(**how)
    context.set_default_timeout(TIMEOUT)
    return context


def wait_for(page: Page, look: str, arg: Any = None, polling: int = LOOKS_EVERY) -> JSHandle:
    """What an expression, or what a function makes of `arg`, as soon as that is true."""
    return _once_true(page.evaluate_handle, look, arg, polling)


def read_when(page: Page, look: str) -> Any:
    """The same as a plain value."""
    return _once_true(page.evaluate, look, None, LOOKS_EVERY)


def wait_here(page: Page, is_so: Callable[[], object]) -> None:
    """Until that is so of what the tests themselves know, such as a server among them."""
    until = time.monotonic() + TIMEOUT / 1000
    while not is_so():
        assert time.monotonic() < until, "it waited in vain"
        page.wait_for_timeout(LOOKS_EVERY)  # in which the page's requests are handled


def _once_true(evaluate: Callable[..., Any], look: str, arg: Any, polling: int) -> Any:
    while True:
        try:
            return evaluate(WAIT.replace("LOOK", look, 1), [arg, TIMEOUT, polling])
        except Error as error:
            if not any(reason in error.message for reason in LEFT):
                raise


ROOM_SCRIPT = re.compile(r"/stage/[0-9a-f]{16}\.js$")


class Window:
    """One page of one context, and what it complains about while a test has it."""

    def __init__(self, browser: Browser, address: str, shared: bool, **how: Any):
        self.address, self.shared, self.kind = address, shared, ""
        self.context = open_context(browser, **how)
        self.context.add_init_script(COUNT_FRAMES)
        self.page = self.context.new_page()
        self.loaded = False
        self.expects = "$^"
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self._complain(f"page error: {error}"))
        self.page.on("console", self._of_console)
        self.page.on("dialog", lambda dialog: self._complain(f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._own_host_only(request.url))

    def show(self, size: dict, scheme: str, link: str, until: str = THERE) -> None:
        """The page at that link, in that size and scheme, as on a first visit."""
        self.page.set_viewport_size(size)
        self.page.emulate_media(color_scheme=scheme)
        if self.loaded:
            self.again(link, until)
            return
        self.page.goto(f"{self.address}/{link}")
        self.loaded = True
        self.page.wait_for_function(until)

    def again(self, link: str, until: str = THERE) -> None:
        """The page at that link as on a first visit, in the size it has."""
        self.page.mouse.move(0, 0)
        self.page.evaluate(END)
        self.page.evaluate(MOUNT_AGAIN, f"{self.address}/{link}")
        self.page.wait_for_function(until)

    def leave(self) -> bool:
        """Undo what a test did around the page; whether another test may have the window."""
        self.page.unroute_all()
        self.context.set_offline(False)
        at_home = self.page.url.startswith(self.address) and len(self.context.pages) == 1
        # The answer comes after all that the page has said before it.
        return at_home and self.page.evaluate(END)

    def _complain(self, text: str) -> None:
        if not re.search(self.expects, text):
            self.complaints.append(text)

    def _of_console(self, message: Any) -> None:
        # A test may end its own server while the page, at rest, fetches the scripts of rooms.
        is_late = "REFUSED" in message.text and ROOM_SCRIPT.search(message.location["url"])
        is_busy = "status of 503" in message.text  # the page asks once more by itself
        if message.type == "error" and not is_late and not is_busy:
            self._complain(message.text)

    def _own_host_only(self, url: str) -> None:
        parts, own = urlparse(url), urlparse(self.address).netloc
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != own:
            self._complain(f"a request to another host: {url}")


class Windows:
    """The windows that no test has at the moment, by all that they were opened with."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.free: dict[str, list[Window]] = {}

    def lend(self, address: str, expects: str, own: bool = False, **how: Any) -> Window:
        """A window for one test, opened with `how`; with `own` a new one.

        `expects` is a pattern of complaints that the test itself provokes.
        """
        kind = repr((address, sorted(how.items())))
        free = self.free.setdefault(kind, [])
        window = free.pop() if free and not own else Window(self.browser, address, not own, **how)
        window.kind, window.expects, window.complaints = kind, expects, []
        return window

    def take_back(self, window: Window, clean: bool) -> list[str]:
        """What the page complained about; unless `clean`, no other test gets the window."""
        if clean and window.shared and window.leave():
            self.free[window.kind].append(window)
        else:
            window.context.close()
        return window.complaints

    def close(self) -> None:
        """The windows that nobody has: those of a server that ends."""
        for window in chain.from_iterable(self.free.values()):
            window.context.close()


class Reader:
    """One page, offline, that shows one file after another, each with nothing stored."""

    def __init__(self, browser: Browser, locale: str):
        self.locale, self.shown = locale, ""
        self.context = open_context(browser, locale=locale)
        self.context.set_offline(True)
        self.context.route("**/*", self._only_the_file)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))

    def show(self, address: str, size: dict, scheme: str) -> None:
        """The file at that address; whatever else is asked for is refused."""
        self.shown, self.complaints = address, []
        self.page.set_viewport_size(size)
        self.page.emulate_media(color_scheme=scheme)
        self.page.goto(address)

    def leave(self) -> bool:
        """Forget what the file stored; whether another test may have the page."""
        at_home = self.page.url.startswith(self.shown) and len(self.context.pages) == 1
        return at_home and self.page.evaluate(
            "() => { localStorage.clear(); sessionStorage.clear(); return true; }"
        )

    def _only_the_file(self, route: Any) -> None:
        if route.request.url == self.shown:
            route.continue_()
        else:
            self.complaints.append(f"a request: {route.request.url}")
            route.abort()


class Readers:
    """The pages for files that no test has at the moment, by locale."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.free: dict[str, list[Reader]] = {}

    def lend(self, locale: str) -> Reader:
        free = self.free.setdefault(locale, [])
        return free.pop() if free else Reader(self.browser, locale)

    def take_back(self, reader: Reader, clean: bool) -> list[str]:
        """What the file complained about; unless `clean`, no other test gets the page."""
        if clean and reader.leave():
            self.free[reader.locale].append(reader)
        else:
            reader.context.close()
        return reader.complaints
