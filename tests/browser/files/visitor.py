"""A visitor of a site whose pages compute, in any of three browsers. What the worker was asked, and
what it answered, is kept to be compared."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE, TOUCH
from tests.browser.drivers import Driver
from tests.browser.files.live import LISTENS
from tests.browser.reader import TEXT, plain
from viz_app.rooms import HOME
from viz_app.text import WORDS

STAGE = "document.querySelector('.stage-host')?.stage"
# A page is read once each time, and one that waits not at all: to read it holds up what computes.
RESTS = f"""!document.querySelector('.stage[aria-busy="true"]')
    && ((drawn) => drawn && !drawn.busy && !drawn.playing && drawn.recipe)({STAGE}?.drawn())"""
IN_ROOM = f"{STAGE}.isAnswered() && !{STAGE}.drawn().in_room?.busy"
PATIENCE = 300.0  # seconds until a model runs; browsers compile it each in their own way
NUMPY = "NumPy 2.2.5 in a browser"
FORMATS = ("png", "svg", "html", "npz", "json", "csv")
# What the page says of what computes, once each.
SAYS = """window.told = [];
new MutationObserver(() => {
    for (const one of document.querySelectorAll('.made [role=status], .opening')) {
        const said = one.closest('[hidden]') ? '' : one.textContent.trim();
        if (said && !window.told.includes(said)) window.told.push(said);
    }
}).observe(document, { subtree: true, childList: true, characterData: true });"""
FETCHED = "return performance.getEntriesByType('resource').map(({ name }) => name)"
# While one is computed four more come: a tree, a whole translation, which is dropped, and a step.
IN_LINE = """const [recipe] = arguments, { worker } = window;
const ask = (id, request) => worker.postMessage({ id, request });
ask('first', { recipe: { ...recipe, pads: 1 }, extend: 'end' });
ask('tree', { room: 'beam', recipe });
ask('stale', { recipe: { ...recipe, pads: 2 }, extend: 'end' });
ask('step', { recipe: { ...recipe, target: [] }, extend: 1 });
worker.postMessage({ drop: 'stale' });
window.answered = [];
worker.addEventListener('message', ({ data: { id } }) => {
    if (typeof id === 'string') window.answered.push(id); // those of the page are numbers
});"""

_SLOWER = 4  # times
_LATE = 250  # milliseconds: longer than an answer may take that dims no picture
# The protocol slows no worker: what it runs then runs in the page.
_HERE = """
window.Worker = class extends EventTarget {
    constructor(address) {
        super();
        window.postMessage = (said) => {
            const heard = new MessageEvent('message', { data: structuredClone(said) });
            setTimeout(() => { this.onmessage?.(heard); this.dispatchEvent(heard); }, window.late);
        };
        this.script = import(address);
    }
    postMessage(said) {
        const data = structuredClone(said);
        this.script.then(() => window.onmessage({ data }));
    }
    terminate() {}
};
"""


class Visitor:
    """Somebody with a browser, at a page of a site."""

    def __init__(self, driver: Driver, address: str):
        self.driver, self.address = driver, address
        self.heard: list[Any] = []  # requests, each with its answer
        self.fetched: list[str] = []
        self.faults: list[str] = []

    def visit(self, model: str) -> dict[str, Any]:
        """The first page of a model, as the index names it."""
        self.driver.open(f"{self.address}/index.html")
        link = f"a[href^='{model}/']"
        return self.open(
            self.driver.evaluate("return document.querySelector(arguments[0]).href", link)
        )

    def open(self, address: str) -> dict[str, Any]:
        self.driver.open("about:blank")  # a link to the page at hand would only be followed
        self.driver.open(address)
        self.driver.listen()
        self.driver.evaluate(LISTENS + SAYS)
        return self.drawn()

    def heard_now(self) -> list[Any]:
        """What has been heard on the page at hand."""
        found: list[Any] = self.driver.evaluate("return window.heard")
        return found

    def keep(self) -> None:
        """Adds what has been heard on the page at hand, before another comes."""
        self.heard += self.heard_now()
        self.fetched += self.driver.evaluate(FETCHED)
        self.faults += self.driver.faults()

    def drawn(self, that: str = "true") -> dict[str, Any]:
        """What is drawn, once nothing is awaited and that is true."""
        is_told = f"{STAGE}.drawn().message !== null"
        self.driver.wait(f"{RESTS} && ({that} || {is_told})", seconds=PATIENCE)
        here = plain(self.driver.evaluate(f"const drawn = {STAGE}.drawn(); return {TEXT}"))
        assert here["message"] is None, here["message"]
        return here

    # what a page does

    def translate(self, sentence: str) -> dict[str, Any]:
        self.driver.fill(".source-text", sentence)
        self.driver.click("[data-act=translate]")
        return self.drawn(f"{STAGE}.drawn().recipe.source === {json.dumps(sentence)}")

    def step(self, steps: int) -> dict[str, Any]:
        """So many steps, then the next best candidate that is a piece of text, and with it another
        branch; to its end."""
        self.driver.evaluate("document.activeElement.blur()")
        self.driver.key("Home")
        self.drawn(f"{STAGE}.drawn().at === 0")
        for at in range(1, steps + 1):
            self.driver.key("ArrowRight")
            self.drawn(f"{STAGE}.drawn().at === {at}")
        kinds = [one["kind"] for one in self.drawn()["candidates"]]
        self.driver.key(str(kinds.index("text", 1) + 1))
        self.drawn(f"{STAGE}.drawn().recipe.target[{steps}]?.how === 'forced'")
        self.driver.click("[data-act=end]")
        return self.drawn(f"{STAGE}.drawn().finished")

    def edit(self) -> dict[str, Any]:
        self.driver.key("x")  # the head at hand is off
        return self.drawn(f"{STAGE}.drawn().recipe.edits?.length === 1")

    def rooms(self) -> list[str]:
        """The rooms that have a tab, each of which is opened and answered."""
        rooms: list[str] = self.driver.evaluate(
            "return [...document.querySelectorAll('.room-tab')]"
            ".filter((tab) => tab.checkVisibility()).map(({ dataset }) => dataset.open)"
        )
        for room in (one for one in rooms if one != HOME.name):
            self.room(room)
        self.driver.click(f"[data-open={HOME.name}]")
        self.drawn()
        return rooms

    def room(self, name: str) -> dict[str, Any]:
        self.driver.click(f"[data-open={name}]")
        self.driver.wait(f"{STAGE}.drawn().room === '{name}'")
        self.driver.wait(IN_ROOM, seconds=PATIENCE)
        return self.drawn()

    def search(self) -> dict[str, Any]:
        """Beam search, and its tree."""
        self.driver.click(".strategy summary")
        self.driver.click("[data-strategy=beam]")
        self.drawn(f"{STAGE}.drawn().strategy.kind === 'beam'")
        self.driver.click("[data-act=see-tree]")
        self.driver.wait(f"{STAGE}.drawn().room === 'beam' && {IN_ROOM}", seconds=PATIENCE)
        found = self.drawn(f"{STAGE}.drawn().in_room.tree.length > 0")
        self.driver.click(f"[data-open={HOME.name}]")
        self.drawn()
        self.driver.click(".strategy summary")  # it would lie over what is pressed next
        return found

    def save(self, ending: str) -> tuple[str, bytes]:
        """A file of what is on the screen: its name, and what is in it."""
        self.driver.click("[data-tool=export]")
        self.driver.wait("document.querySelector('dialog.export[open] [data-export=format]')")
        self.driver.evaluate(
            "const e = document.querySelector('[data-export=format]'); e.value = arguments[0];"
            "e.dispatchEvent(new Event('change', { bubbles: true }))",
            ending,
        )
        saved = self.driver.saved("dialog.export[open] [data-act=save]")
        self.driver.key("Escape")
        self.driver.wait("!document.querySelector('dialog.export[open]')")
        return saved

    def lesson(self, name: str) -> Iterator[dict[str, Any]]:
        """Every step of a lesson, from the list to its end; each is passed without a guess."""
        self.driver.click("[data-act=lessons]")
        self.driver.click(f"[data-lesson-name={name}]")
        over = "Boolean(document.querySelector('.lesson-list[open]'))"
        for step in range(1, 30):
            card = f".lesson-card[data-step='{step}']:not([aria-busy])"
            there = f"document.querySelector({json.dumps(card)})"
            self.driver.wait(f"{there} || {over}", seconds=PATIENCE)
            if self.driver.evaluate(f"return {over}"):
                break
            yield self.drawn(IN_ROOM)
            if self.driver.evaluate("return Boolean(document.querySelector('[data-lesson=show]'))"):
                self.driver.click("[data-lesson=show]")
            self.driver.click("[data-lesson=next]")
        self.driver.key("Escape")
        self.driver.wait(f"!{over}")
        self.drawn()  # what the page showed before is given back

    def choose(self, model: str) -> None:
        """A model of the menu."""
        self.driver.evaluate(
            "const e = document.querySelector('select.model'); e.value = arguments[0];"
            "e.dispatchEvent(new Event('change', { bubbles: true }))",
            model,
        )

    def refused(self, *paths: Path) -> str:
        """Why these files, or this folder, do not open as a checkpoint, as the page says."""
        self.bring(*paths)
        self.driver.wait("document.querySelector('.bring-status.alarm')", seconds=PATIENCE)
        said: str = self.driver.evaluate("return document.querySelector('.bring-status').innerText")
        self.driver.key("Escape")
        return said

    def bring(self, *paths: Path) -> None:
        """Chooses files of a checkpoint, or its folder where the driver can hand one over."""
        self.choose("own:")
        self.driver.wait("document.querySelector('dialog[open] [data-own=files]')")
        if paths[0].is_file():
            self.driver.choose("[data-own=files]", *paths)
        elif self.driver.hands_over_folders:
            self.driver.choose("[data-own=folder]", *paths)
        else:
            self.driver.choose("[data-own=files]", *paths[0].iterdir())

    def own(self, folder: Path) -> Iterator[dict[str, Any]]:
        """A checkpoint of one's own: its folder is chosen, then dropped where the driver can."""
        self.bring(folder)
        first = self._opened()
        yield first
        if self.driver.can_drop:
            self.driver.drop(".map-box", folder)
            yield self._opened(first["recipe"]["model"])

    def _opened(self, before: str = "") -> dict[str, Any]:
        """What is drawn once the model is one that was brought, and not the one before."""
        group = WORDS["en"]["group_imported"]
        chosen = "document.querySelector('select.model option:checked')"
        is_new = f"{chosen}?.parentElement.label === {json.dumps(group)}"
        is_new += f" && {chosen}.value !== {json.dumps(before)}"
        return self.drawn(
            f"{is_new} && {STAGE}.drawn().recipe.model === {chosen}.value"
            f" && {STAGE}.drawn().finished"
        )

    def follow(self, link: str) -> dict[str, Any]:
        """A link on the page at hand."""
        self.driver.evaluate("window.location.hash = arguments[0]", link)
        return self.drawn(f"location.hash.includes({STAGE}.drawn().recipe.model)")

    def in_line(self, recipe: dict[str, Any]) -> list[str]:
        """Which of four requests that came while another was computed are answered, in order."""
        self.driver.evaluate(IN_LINE, recipe)
        self.driver.wait("window.answered.length >= 3", seconds=PATIENCE)
        found: list[str] = self.driver.evaluate("return window.answered")
        return found

    def told(self) -> list[str]:
        """What the page has said of what computes."""
        found: list[str] = self.driver.evaluate("return window.told")
        return found


def assert_names(engine: str, name: str, content: bytes) -> None:
    """Whether a file of numbers or a picture says what computed it, and names nothing else."""
    ending = name.rsplit(".", 1)[1]
    if ending == "svg":
        assert re.findall(r"; computed by ([^;<]+)", content.decode()) == [engine]
    elif ending == "png":
        assert content.startswith(b"\x89PNG") and f"computed by {engine}".encode() in content
    elif ending == "npz":
        assert json.loads(str(np.load(io.BytesIO(content))["labels"]))["engine"] == engine
    elif ending == "json":
        assert json.loads(content)["engine"] == engine
    elif ending == "html":
        page = content.decode()
        assert engine in page and page.endswith("</html>\n")
    else:
        assert b",weights\r\n" in content


def phone_in(browser: Browser) -> Page:
    """A page of its own on a phone that is touched, in which its worker runs."""
    how: Any = TOUCH | {"viewport": PHONE, "locale": "en-US"}
    context = browser.new_context(**how, bypass_csp=True)  # which is the worker's otherwise
    context.add_init_script(_HERE)
    return context.new_page()


def slow_down(page: Page, whole: bool) -> None:
    """From now on each answer comes a quarter of a second late; or all takes four times as long.

    The browser is slowed by work that leads nowhere, with which whatever runs beside it waits too.
    """
    if whole:
        throttled = page.context.new_cdp_session(page)
        throttled.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    else:
        page.evaluate("(late) => { window.late = late; }", _LATE)
