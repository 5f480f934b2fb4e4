"""A site whose pages compute, as a plain server of files serves it: on a phone, on a metered or
broken line, as files, and what it fetches when. Chromium alone can be told all this."""

import json
import re

from tests.browser.conftest import WIDE
from tests.browser.drivers import Chromium
from tests.browser.files.live import HUB, LARGE, OTHER, SMALL, assert_answers, served
from tests.browser.files.visitor import (
    NUMPY,
    STAGE,
    Visitor,
    assert_names,
    phone_in,
    slow_down,
)
from tests.browser.reader import drawn
from tests.browser.windows import wait_here
from viz_app.text import WORDS


def complaining(page):
    """What the page says to nobody, from now on."""
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    return complaints


def test_no_model_but_its_own_is_fetched_and_a_large_one_holds_up_no_small_one(
    browser, live_folder
):
    with served(live_folder) as address:
        context = browser.new_context(viewport=WIDE, locale="en-US")
        page, asked, held = context.new_page(), [], []
        complaints = complaining(page)
        page.set_default_timeout(120_000)
        page.on("request", lambda one: asked.append(one.url))
        page.goto(f"{address}/index.html")
        page.locator(f"a[href^='{SMALL}/']").first.click()
        drawn(page)
        page.locator(".source-text").fill("visible")
        page.locator("[data-act=translate]").click()
        drawn(page, "drawn.recipe.source === 'visible'")
        weights = weights_of(live_folder)
        fetched = [name for name, path in weights.items() if any(path in url for url in asked)]
        assert fetched == [SMALL]

        page.route(f"**/{weights[LARGE]}", lambda route: held.append(route))
        with page.expect_request(f"**/{weights[LARGE]}"):
            page.locator("select.model").select_option(LARGE)
        page.locator(".opening").wait_for()  # over the picture, and over none of its words
        said, words = (
            page.locator(name).bounding_box()
            for name in (".opening", ".strip-source .token >> nth=0")
        )
        assert said["y"] + said["height"] <= words["y"]
        page.locator("select.model").select_option(OTHER)
        drawn(page, f"drawn.recipe.model === '{OTHER}'")
        held[0].continue_()
        page.locator("select.model").select_option(LARGE)
        drawn(page, f"drawn.recipe.model === '{LARGE}'")

        page.locator("select.model").select_option(HUB)
        page.wait_for_url(f"**/{HUB}/*")
        drawn(page)
        assert WORDS["en"]["alone_hub"] in page.locator(".made").inner_text()
        assert page.locator(".source-text").get_attribute("readonly") is not None
        page.locator("[data-open=masks]").click()
        assert drawn(page, "drawn.in_room && !drawn.in_room.busy")["message"] is None
        context.close()
    assert not complaints


def test_what_nobody_wants_is_not_fetched_and_what_cannot_be_is_told(browser, live_folder):
    with served(live_folder) as address:
        for saves in (True, False):
            context = browser.new_context(viewport=WIDE, locale="en-US")
            page, asked = context.new_page(), []
            page.on("request", lambda one, asked=asked: asked.append("/live/" in one.url))
            said = {"dataSaverEnabled": saves}
            context.new_cdp_session(page).send("Emulation.setDataSaverOverride", said)
            page.clock.install()
            page.goto(f"{address}/index.html")
            page.locator(f"a[href^='{SMALL}/']").first.click()
            drawn(page)
            assert page.evaluate("navigator.connection.saveData") is saves
            page.clock.fast_forward(60_000)
            if not saves:
                page.wait_for_function("() => document.querySelector('.stage-host').stage")
                page.locator("p.made", has_text=" MB to go").wait_for()
            assert any(asked) is not saves
            context.close()

        # What could not be fetched is told until it is tried again.
        context = browser.new_context(viewport=WIDE, locale="en-US")
        page, held = context.new_page(), []
        page.route("**/live/pieces.json", lambda route: held.append(route))
        page.goto(f"{address}/index.html")
        page.locator(f"a[href^='{SMALL}/']").first.click()
        drawn(page)
        page.locator(".source-text").fill("visible")
        for is_again in (False, True):
            with page.expect_request("**/live/pieces.json"):
                page.locator("[data-act=translate]").click()
            page.locator(".opening").wait_for()
            page.locator(".message").wait_for(state="hidden")
            page.wait_for_function("() => document.querySelector('.stage[aria-busy=\"true\"]')")
            if not is_again:
                held.pop().abort()
                told = drawn(page, "drawn.message !== null")["message"]
                assert told.startswith(WORDS["en"]["error_engine_lost"])
        context.close()


def weights_of(folder):
    """What the weights of each model are called there."""
    pieces = json.loads((folder / "live/pieces.json").read_text("utf-8"))
    return {name: files["model.safetensors"]["path"] for name, files in pieces["models"].items()}


def test_a_slow_phone_is_walked_through_and_what_is_waited_for_covers_no_word(
    browser, live_folder, live_models, pytestconfig
):
    """Its worker runs in the page, which stands still meanwhile, and is heard late.

    What every browser does is walked through in test_live_browsers.py, with --whole on a phone that
    is four times as slow, as here.
    """
    with served(live_folder) as address:
        page, held = phone_in(browser), []
        page.route("**/live/pieces.json", lambda route: held.append(route))
        visitor = Visitor(Chromium(page), address)
        visitor.visit(SMALL)
        page.locator(".source-text").fill("visible")
        page.locator("[data-act=translate]").tap()
        page.locator(".opening").wait_for()
        left = re.escape(WORDS["en"]["engine_left"]).replace(r"\{n\}", r"\d\.\d")
        told = page.locator(".opening").inner_text()
        assert re.fullmatch(re.escape(WORDS["en"]["engine_fetched"]) + left, told), told
        said, button, words = (
            page.locator(name).bounding_box()
            for name in (".opening", "[data-act=translate]", ".strip-source .tokens")
        )
        assert button["y"] + button["height"] <= said["y"]
        assert said["y"] + said["height"] <= words["y"]

        wait_here(page, lambda: held)
        held[0].continue_()
        here = visitor.drawn(f"{STAGE}.drawn().recipe.source === 'visible'")
        assert here["text"] == "elbisiv"
        slow_down(page, pytestconfig.getoption("--whole"))
        visitor.translate("cold days")
        page.locator("[data-act=walk]").tap()
        for _ in range(2):
            page.locator("[data-thumb=step]").tap()
            visitor.drawn()
        page.locator(".candidate").nth(1).tap()
        visitor.drawn(f"{STAGE}.drawn().recipe.target.some(({{ how }}) => how === 'forced')")
        page.locator("[data-open=heads]").tap()
        page.locator("[data-act=heads-off]").tap()
        visitor.drawn(f"{STAGE}.drawn().recipe.edits?.length === 1")
        assert len([*visitor.lesson("first-look")]) > 2
        assert_names(NUMPY, *visitor.save("svg"))
        visitor.keep()
        page.context.close()
    assert not visitor.faults
    assert_answers(visitor.heard, live_models)
    # asked for by the press, or ahead of it
    assert any(one.get("force") is not None or one.get("others") for one, _ in visitor.heard)


def test_opened_as_files_the_same_pages_show_what_was_recorded_and_say_so(browser, live_folder):
    context = browser.new_context(viewport=WIDE, locale="en-US", offline=True)
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto((live_folder / "index.html").as_uri())
    page.locator(f"a[href^='{SMALL}/']").first.click()
    here = drawn(page)
    assert here["finished"] == "end" and here["message"] is None
    page.locator("[data-open=masks]").click()
    assert drawn(page, "drawn.in_room && !drawn.in_room.busy")["message"] is None
    page.locator("[data-open=translate]").click()
    assert page.locator(".source-text").get_attribute("readonly") is not None
    assert WORDS["en"]["alone_file"] in page.locator(".made").inner_text()
    page.locator("[data-act=lessons]").click()
    page.locator("[data-lesson-name=one-head]").wait_for()
    assert page.locator("[data-lesson-name=first-look]").count() == 0  # which is recorded nowhere
    context.close()
    assert not complaints
