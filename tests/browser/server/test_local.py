"""A page whose own browser answers, once it has fetched the model: the server is asked no more."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.browser.conftest import WIDE
from tests.browser.drivers import PACKAGES, started
from tests.browser.files.live import assert_answers
from tests.browser.files.visitor import PATIENCE, Visitor
from tests.browser.reader import drawn
from tests.browser.windows import wait_here
from tests.conftest import CHECKPOINTS
from tests.serving import serve
from viz_app.limits import DEMO
from viz_app.live.offering import offered
from viz_app.server.local import Local
from viz_app.values.computed_by import computed_by

NAME = "reverse-rotary"


def test_a_visitors_browser_takes_over(browser, tmp_path):
    shutil.copytree(CHECKPOINTS / NAME, tmp_path / NAME)
    local = Local()
    local.offer(*offered(tmp_path, "demo"))
    with serve(tmp_path, DEMO, local=local) as (address, service):
        context = browser.new_context(viewport=WIDE, locale="en-US")
        page, asked, complaints = context.new_page(), [], []
        page.set_default_timeout(120_000)
        page.on("request", lambda one: asked.append(one.url) if one.method == "POST" else None)
        for event in ("pageerror", "console"):
            page.on(event, lambda said: complaints.append(str(said)))

        page.goto(address)
        drawn(page)
        page.locator("p.made").wait_for(state="visible")  # says so
        asked.clear()
        page.locator(".source-text").fill("visible")
        page.keyboard.press("Enter")
        page.locator(".source-text").blur()
        here = drawn(page, "drawn.recipe.source === 'visible'")
        for key in ("Home", "ArrowRight", "2"):
            page.keyboard.press(key)
            here = drawn(page)
        page.locator("[data-open=masks]").click()
        drawn(page, "document.querySelector('.stage-host').stage.isAnswered()")
        assert not [url for url in asked if url.endswith("/stage/answer")]
        expected = service.answer({"recipe": here["recipe"], "extend": 0})
        assert here["text"] == expected["text"] and here["message"] is None

        page.locator("[data-open=translate]").click()
        page.locator("[data-tool=export]").click()
        told = {}
        for ending in ("svg", "json"):  # the page draws, and the server writes
            page.locator("[data-export=format]").select_option(ending)
            with page.expect_download() as download:
                page.locator("[data-act=save]").click()
            told[ending] = Path(download.value.path()).read_text("utf-8")
        page.keyboard.press("Escape")
        (engine,) = re.findall("; computed by ([^;<]+)", told["svg"])  # one alone
        assert engine in (computed_by(), "NumPy 2.2.5 in a browser")
        assert json.loads(told["json"])["engine"] == computed_by()

        page.locator(".source-text").fill("a" * 400)  # the limits are the server's
        page.keyboard.press("Enter")
        assert drawn(page, "drawn.message !== null")["message"]
        page.goto("about:blank")  # a page says how often it answered when it is left
        wait_here(page, lambda: counted(service, "local_answers_total") >= 3)
        assert counted(service, "local_pages_total") == 1
        context.close()
    local.close()
    assert not complaints


def counted(service, name):
    """What the server counted under that name."""
    (found,) = re.findall(rf"^attention_visualiser_{name} (\d+)$", service.metrics.text({}), re.M)
    return int(found)


@pytest.mark.parametrize("name", list(PACKAGES))
def test_other_browsers_take_over_too(name, tmp_path, pytestconfig):
    if not pytestconfig.getoption("--whole"):
        pytest.skip("walked with --whole")
    shutil.copytree(CHECKPOINTS / NAME, tmp_path / NAME)
    local = Local()
    local.offer(*offered(tmp_path, "demo"))
    with serve(tmp_path, DEMO, local=local) as (address, _), started(name) as driver:
        visitor = Visitor(driver, address)
        visitor.open(address)
        driver.wait("document.querySelector('p.made')?.checkVisibility()", seconds=PATIENCE)
        driver.evaluate("performance.clearResourceTimings()")
        assert visitor.translate("visible")["text"] == "elbisiv"
        visitor.step(2)
        visitor.edit()
        for room in ("masks", "positions", "inside"):
            visitor.room(room)
        visitor.keep()
    local.close()
    assert not [url for url in visitor.fetched if url.endswith("/stage/answer")]
    assert visitor.heard and not visitor.faults
    assert_answers(visitor.heard, tmp_path)
