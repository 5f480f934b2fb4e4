"""What tests read of a page: `drawn()` of every stage, which reader.js makes of what is seen.

What they wait for is asked now and then, and not with every frame: see windows.py.
"""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.windows import HOLD_THE_BAR, read_when, wait_for

SCRIPT = Path(__file__).with_name("reader.js")
# A page that waits for an answer is not read: that takes longer than to see that it waits.
AT_REST = """() => {
    const host = document.querySelector('.stage-host');
    const waits = host?.querySelector('.stage')?.matches('[aria-busy="true"]') ?? true;
    const drawn = waits ? null : host.stage?.drawn();
    return drawn && !drawn.busy && !drawn.playing && (READY) && (SAID);
}"""
# As text: the browser's driver takes ten times as long to hand over the numbers one by one.
TEXT = """JSON.stringify(drawn, (_, value) => value === undefined ? null
    : typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value)"""


def drawn(page: Page, ready: str = "drawn.recipe") -> dict:
    """What the stage draws; waits until no answer is outstanding, and `ready` is true of it."""
    return plain(read_when(page, AT_REST.replace("READY", ready).replace("SAID", TEXT)))


def plain(text: str) -> dict:
    """What `TEXT` says."""
    return json.loads(text, object_hook=_number if '{"number":' in text else None)


def rest(page: Page) -> None:
    """Waits likewise."""
    read_when(page, AT_REST.replace("READY", "true").replace("SAID", "true"))


def _number(read: dict) -> Any:
    """What was read; as a number where JSON has none for it: NaN, Infinity, -Infinity."""
    return float(read["number"]) if read.keys() == {"number"} else read


def reading(browser: Browser) -> None:
    """Every window of this browser is read from now on."""
    opened = browser.new_context

    def new_context(**how: Any) -> BrowserContext:
        context = opened(**how)
        context.add_init_script(path=SCRIPT)
        context.add_init_script(HOLD_THE_BAR)
        context.new_page = partial(new_page, context.new_page)
        return context

    def new_page(new: Callable[[], Page]) -> Page:
        page = new()
        page.wait_for_function = partial(wait_for, page)
        return page

    browser.new_context = new_context
    browser.new_page = lambda **how: new_context(**how).new_page()
