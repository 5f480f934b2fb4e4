"""What tests read of a page: `drawn()` of every stage, which reader.js makes of what is seen.

What they wait for is asked now and then, and not with every frame: see windows.py.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.windows import wait_for

SCRIPT = Path(__file__).with_name("reader.js")


def reading(browser: Browser) -> None:
    """Every window of this browser is read from now on."""
    opened = browser.new_context

    def new_context(**how: Any) -> BrowserContext:
        context = opened(**how)
        context.add_init_script(path=SCRIPT)
        context.new_page = partial(new_page, context.new_page)
        return context

    def new_page(new: Callable[[], Page]) -> Page:
        page = new()
        page.wait_for_function = partial(wait_for, page)
        return page

    browser.new_context = new_context
    browser.new_page = lambda **how: new_context(**how).new_page()
