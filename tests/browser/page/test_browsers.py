"""The main path through the page in Firefox and in WebKit: what is drawn is what the model made."""

from collections.abc import Iterator

import pytest

from model_core.values.recipe import Recipe
from tests.browser.checks import assert_drawn_is_the_models
from tests.browser.drivers import PACKAGES, Driver, started

STAGE = "document.querySelector('.stage-host')?.stage"
READY = f"{STAGE}?.drawn().recipe && !{STAGE}.drawn().busy"


class Page:
    """The page in one of the browsers."""

    def __init__(self, driver: Driver, service):
        self.driver, self.service = driver, service

    def drawn(self):
        self.driver.wait(READY)
        return self.driver.evaluate(f"return {STAGE}.drawn()")

    def decoding(self):
        return self.service.library.extend(Recipe.from_json(self.drawn()["recipe"]), 0)[1]

    def check(self):
        drawn = self.drawn()
        assert_drawn_is_the_models(drawn, self.decoding())
        return drawn


ROOMS = ("masks", "positions", "inside", "beam", "compare", "heads")
PAINTED = """[...document.querySelectorAll('.room:not([hidden]) canvas')].some((c) => c.width > 0
    && c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0))"""
# WebKit drops a `text-decoration` with several values as a whole.
MARKS = """const host = document.querySelector('.stage');
    return ['how-forced', 'how-sampled', 'how-beam', 'term'].map((name) => {
        const probe = document.createElement('span'); probe.className = name;
        host.append(probe); const style = getComputedStyle(probe);
        const found = style.textDecorationLine + ' ' + style.textDecorationStyle
            + ' ' + style.borderBottomStyle; probe.remove(); return found; })"""


@pytest.fixture(params=list(PACKAGES))
def page(request, app) -> Iterator[Page]:
    """Nothing in the page fails while somebody walks through it."""
    address, service = app
    with started(request.param) as driver:
        driver.open(address)
        driver.wait(READY)
        driver.listen()
        yield Page(driver, service)
        assert not driver.faults()


def test_a_sentence_is_translated_stepped_and_forced_and_every_room_opens(page):
    driver = page.driver
    first = page.check()
    assert first["finished"] == "end" and first["site"] == "cross"

    driver.fill(".source-text", "The black cat sleeps.")
    driver.click("[data-act=translate]")
    driver.wait(f"{STAGE}.drawn().recipe?.source === 'The black cat sleeps.'")
    driver.click("[data-act=walk]")
    driver.click("[data-act=reset]")
    driver.wait(f"{STAGE}.drawn().steps === 1")
    assert page.check()["recipe"]["target"] == []
    for count in (1, 2):
        driver.click("[data-act=step]")
        driver.wait(f"{STAGE}.drawn().recipe.target.length === {count}")
        assert page.check()["at"] == count

    second = page.drawn()["candidates"][1]
    driver.click('.candidate[data-place="1"]')
    driver.wait(f"{STAGE}.drawn().recipe.target.length === 3")
    assert page.check()["recipe"]["target"][-1] == {"token": second["token"], "how": "forced"}
    lines = driver.evaluate(
        "const style = getComputedStyle(document.querySelector('.how-forced'));"
        "return [style.textDecorationLine, style.textDecorationStyle]"
    )
    assert lines == ["underline", "solid"]

    for site in ("encoder", "decoder", "cross"):
        driver.click(f'[data-site="{site}"]')
        driver.wait(f"{STAGE}.drawn().site === '{site}'")
        page.check()
    for view in ("lines", "table", "heat"):
        driver.click(f'[data-view="{view}"]')
        driver.wait(f"{STAGE}.drawn().view === '{view}'")
        page.check()

    kinds = driver.evaluate(MARKS)  # of a token and of an explained word
    marks = [kind for kind in kinds if kind.startswith("underline") or "dotted" in kind]
    assert len(marks) == 4 and len(set(kinds[:3])) == 3, kinds

    for room in ROOMS:
        driver.click(f'[data-open="{room}"]')
        driver.wait(f"{STAGE}.drawn().room === '{room}' && {STAGE}.drawn().in_room")
        assert page.drawn()["message"] is None, room
        if room == "inside":  # its maps are drawn with the formulas
            driver.wait(f"{STAGE}.drawn().in_room.busy === false")
            driver.click("[data-act=formulas]")
        if room != "beam":  # whose tree is of elements
            driver.wait(PAINTED)
        driver.wait(f"{STAGE}.drawn().in_room.busy === false")
    driver.click('[data-open="translate"]')
    driver.wait(f"{STAGE}.drawn().room === 'translate'")
