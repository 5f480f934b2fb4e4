"""What tests read of a page: `drawn()` of every stage, which reader.js makes of what is seen."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext

SCRIPT = Path(__file__).with_name("reader.js")


def reading(browser: Browser) -> None:
    """Every window of this browser is read from now on."""
    opened = browser.new_context

    def new_context(**how: Any) -> BrowserContext:
        context = opened(**how)
        context.add_init_script(path=SCRIPT)
        return context

    browser.new_context = new_context
    browser.new_page = lambda **how: new_context(**how).new_page()
