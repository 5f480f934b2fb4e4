"""A running app with the bundled checkpoints, and a real Chromium to look at it with."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding
from tests.browser.chromium import FLAGS, find_headless
from tests.browser.reader import drawn, reading, rest
from tests.browser.windows import THERE, TIMEOUT, Reader, Readers, Window, Windows
from viz_app.server.service import Service

WIDE = {"width": 1280, "height": 720}
ROOMY = {"width": 1440, "height": 900}
TABLET = {"width": 820, "height": 1180}
PHONE = {"width": 390, "height": 844}
TOUCH = {"has_touch": True, "is_mobile": True}
IN_ROOM = "drawn.in_room && !drawn.in_room.busy && drawn.in_room.ready !== false"
# What comes after the first picture has come, and has given every head its name.
NAMED = "drawn.thumbnails.length > 0 && drawn.thumbnails.every(({ title }) => title)"
KEYS = {"step": "ArrowRight", "back": "ArrowLeft", "play": " ", "end": "End"}
# A walk is over before its scripts are worth optimising: a tenth of its work would be that.
UNOPTIMISED = "--js-flags=--no-turbofan --no-maglev"
# What listens to a size has drawn in the second of two frames.
FRAMES = "new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))"

expect.set_options(timeout=TIMEOUT)

# What a slow answer waits for, and what may be asked ahead of the visitor, whenever the page rests.
BESIDE = ('"status"', '"next":', '"lessons":true', '"reading":"hidden"')


def is_beside(asked: str) -> bool:
    """Whether nobody pressed anything for that question."""
    return any(one in asked for one in BESIDE)


class Stage:
    """The page as a visitor uses it; what it shows is read by reader.js, never from the server."""

    anew: Callable[..., None]  # opens it at a link as on a first visit: see Window.again

    def __init__(self, page: Page, service: Service):
        self.page = page
        self.service = service
        self.server_calls = 0
        page.on("request", self._count)

    def _count(self, request: object) -> None:
        if request.url.endswith("/stage/answer") and not is_beside(request.post_data or ""):
            self.server_calls += 1

    def drawn(self, ready: str = "true") -> dict:
        """What the stage draws now; waits until no answer is outstanding, and `ready` is true."""
        return drawn(self.page, ready)

    def in_room(self) -> dict:
        """What the open room draws, once it has all that it asked for."""
        return self.drawn(IN_ROOM)["in_room"]

    def press(self, *selectors: str) -> dict:
        """Press what is named in a room, one after the other; what the room draws then."""
        for selector in selectors:
            self.page.locator(selector).locator("visible=true").first.click()
            found = self.in_room()
        return found

    def enter(self, room: str, *selectors: str) -> dict:
        """Open a room and press what is named; what it draws then."""
        return self.press(f"[data-open={room}]", *selectors)

    def decoding(self, drawn: dict) -> Decoding:
        """What the model makes of the recipe on the screen."""
        return self.service.library.extend(Recipe.from_json(drawn["recipe"]), 0)[1]

    def act(self, name: str) -> dict:
        """Press one of the buttons: reset, back, step, play, end, translate, walk, ...

        Of a whole translation, where the buttons of the playback are away, the keys do the same.
        """
        rest(self.page)
        button = self.page.locator(f"[data-act={name}]:visible").first  # a room may have its own
        if name in KEYS and button.count() == 0:
            return self.key(KEYS[name])
        if name == "reset" and button.count() == 0:
            self.page.locator("[data-act=walk]").click()
        button.click()
        return self.drawn()

    def step_by_step(self) -> dict:
        """Begin the sentence in the box with the start token alone."""
        self.page.locator(".source-text").press("Shift+Enter")
        drawn = self.drawn()
        self.page.locator(".source-text").blur()
        return drawn

    def tokens(self) -> dict:
        """Show tokens in place of words."""
        return self.choose("spelled", "plain")

    def key(self, name: str) -> dict:
        self.page.keyboard.press(name)
        return self.drawn()

    def type_source(self, text: str, submit: str = "Enter") -> dict:
        box = self.page.locator(".source-text")
        # What a choice of model puts into the box is drawn before, not while typing.
        self.page.evaluate("() => void document.querySelector('.stage-host').stage.drawn()")
        box.fill(text)
        box.press(submit)
        drawn = self.drawn()
        box.blur()
        return drawn

    def choose(self, name: str, value: str) -> dict:
        """One choice of a switch: data-<name>="<value>"."""
        self.page.locator(f'[data-{name}="{value}"]').first.click()
        return self.drawn()

    def resize(self, width: int, height: int) -> None:
        """Another size of the window; what listens to that has drawn when this returns."""
        self.page.set_viewport_size({"width": width, "height": height})
        there = "innerWidth === width && innerHeight === height"
        self.page.wait_for_function(
            f"([width, height]) => {FRAMES}.then(() => {there})", arg=[width, height]
        )

    def lay_out(self) -> None:
        """Wait until what is drawn is laid out, which may draw it in another size."""
        rest(self.page)
        self.page.evaluate(f"() => {FRAMES}")

    def lock(self, layer: int, head: int) -> dict:
        """Lock a head by clicking its small map; both counted from 0."""
        self.page.locator(f'[data-layer="{layer}"][data-head="{head}"]').click()
        return self.drawn()


def once_seen(act: Callable[..., None]) -> Callable[..., None]:
    """The same of what is seen: what is still hidden takes no focus, and a key goes elsewhere."""

    @functools.wraps(act)
    def acts(locator: Locator, *given: Any, **how: Any) -> None:
        locator.wait_for()
        act(locator, *given, **how)

    return acts


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_headless()
    assert path, "no Chromium: run `python -m tests.browser.chromium`"
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        for name in ("focus", "press"):
            patch.setattr(Locator, name, once_seen(getattr(Locator, name)))
        started = playwright.chromium.launch(executable_path=path, args=[*FLAGS, UNOPTIMISED])
        reading(started)
        yield started
        started.close()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture(scope="module")
def nearby(browser: Browser) -> Iterator[Windows]:
    """Those on servers of the module's own, which end with it."""
    opened = Windows(browser)
    yield opened
    opened.close()


@contextmanager
def lending(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Callable[..., Stage]]:
    """Opens the page as on a first visit; afterwards it must not have complained."""
    lent: list[Window] = []
    failed = request.session.testsfailed

    def open_page(
        served: tuple[str, Service],
        window: dict = WIDE,
        scheme: str = "light",
        expects: str = "$^",
        locale: str = "en-US",
        link: str = "",
        until: str = THERE,
        **more: Any,
    ) -> Stage:
        """`more`, and what `expects` is: see Windows.lend."""
        lent.append(windows.lend(served[0], expects, locale=locale, **more))
        stage = Stage(lent[-1].page, served[1])
        stage.anew = lent[-1].again
        lent[-1].show(window, scheme, link, until)
        return stage

    yield open_page
    clean = request.session.testsfailed == failed
    complaints = [text for window in lent for text in windows.take_back(window, clean)]
    assert not complaints, complaints


@pytest.fixture
def visit(
    app: tuple[str, Service], windows: Windows, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Stage]]:
    """Opens the page of the app with the bundled checkpoints."""
    with lending(windows, request) as open_page:
        yield functools.partial(open_page, app)


@pytest.fixture
def look(nearby: Windows, request: pytest.FixtureRequest) -> Iterator[Callable[..., Stage]]:
    """Opens the page of a server of the module's own: look(served, ...)."""
    with lending(nearby, request) as open_page:
        yield open_page


@pytest.fixture(scope="session")
def readers(browser: Browser) -> Readers:
    return Readers(browser)


@pytest.fixture
def open_file(
    readers: Readers, bundled: Service, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Stage]]:
    """Opens a page from a file, offline; any request, error or dialog is a complaint."""
    lent: list[Reader] = []
    failed = request.session.testsfailed

    def open_it(
        page_text: str,
        window: dict = WIDE,
        scheme: str = "light",
        locale: str = "en-US",
    ) -> Stage:
        path = tmp_path / f"{len(lent)}.html"
        path.write_text(page_text, encoding="utf-8")
        lent.append(readers.lend(locale))
        lent[-1].show(path.as_uri(), window, scheme)
        return Stage(lent[-1].page, bundled)

    yield open_it
    clean = request.session.testsfailed == failed
    complaints = [text for reader in lent for text in readers.take_back(reader, clean)]
    assert not complaints, complaints
