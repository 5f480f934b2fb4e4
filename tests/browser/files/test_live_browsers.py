"""A site whose pages compute, in Firefox and in WebKit: a walk through what is recorded nowhere."""

import pytest

from tests.browser.drivers import PACKAGES, started
from tests.browser.files.live import LISTENS, SMALL, assert_answers, served
from viz_app.rooms import HOME

STAGE = "document.querySelector('.stage-host')?.stage"
READY = f"{STAGE}?.drawn().recipe && !{STAGE}.drawn().busy"
PATIENCE = 240.0  # seconds until a model runs; browsers compile it each in their own way
HOME_KEY, RIGHT_KEY = "\ue011", "\ue014"  # as WebDriver spells them


@pytest.mark.parametrize("name", list(PACKAGES))
def test_everything_of_a_page_works_without_a_server(name, live_folder, live_models):
    with served(live_folder) as address, started(name) as driver:

        def drawn(that="true"):
            driver.wait(f"{READY} && ({that})", seconds=PATIENCE)
            return driver.evaluate(f"return {STAGE}.drawn()")

        driver.open(f"{address}/index.html")
        link = f"a[href^='{SMALL}/']"
        driver.open(driver.evaluate("return document.querySelector(arguments[0]).href", link))
        driver.listen()
        driver.evaluate(LISTENS)
        assert drawn()["finished"] == "end"

        driver.fill(".source-text", "visible")
        driver.click("[data-act=translate]")
        here = drawn(f"{STAGE}.drawn().recipe.source === 'visible'")
        assert here["text"] == "elbisiv" and here["message"] is None
        driver.key(HOME_KEY)
        drawn(f"{STAGE}.drawn().at === 0")
        for at in (1, 2):
            driver.key(RIGHT_KEY)
            drawn(f"{STAGE}.drawn().at === {at}")
        driver.key("2")  # the second candidate, and with it another branch
        here = drawn(f"{STAGE}.drawn().recipe.target[2]?.how === 'forced'")
        driver.key("x")  # the head at hand is off
        here = drawn(f"{STAGE}.drawn().recipe.edits?.length === 1")
        assert here["message"] is None
        rooms = driver.evaluate(
            "return [...document.querySelectorAll('.room-tab')]"
            ".filter((tab) => tab.checkVisibility()).map(({ dataset }) => dataset.open)"
        )
        for room in (one for one in rooms if one != HOME.name):
            driver.click(f"[data-open={room}]")
            driver.wait(f"{STAGE}.drawn().room === '{room}'")
            driver.wait(f"{STAGE}.isAnswered() && !{STAGE}.drawn().in_room?.busy", seconds=PATIENCE)
            assert drawn()["message"] is None, room
        heard, faults = driver.evaluate("return window.heard"), driver.faults()
        fetched = driver.evaluate(
            "return performance.getEntriesByType('resource').map((entry) => entry.name)"
        )
    assert not faults
    assert all(url.startswith((f"{address}/", "data:", "blob:")) for url in fetched)
    assert_answers(heard, live_models)
    asked = [request for request, _ in heard]
    assert {one["room"] for one in asked if "room" in one} >= {*rooms} and len(rooms) > 5
    assert any(one.get("force") is not None for one in asked)
