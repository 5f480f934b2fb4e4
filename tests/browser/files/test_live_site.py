"""A site whose pages compute, as a plain server of files serves it: a walk through what is recorded
nowhere. Whatever the worker answers is held against the service itself."""

import json
import re

from tests.browser.conftest import PHONE, WIDE
from tests.browser.files.live import (
    HUB,
    LARGE,
    LISTENS,
    OTHER,
    SMALL,
    assert_answers,
    served,
)
from tests.browser.reader import drawn
from viz_app.rooms import HOME
from viz_app.text import WORDS

SLOWER = 4  # times
# The protocol slows no worker: what it runs then runs in the page.
HERE = """
window.Worker = class extends EventTarget {
    constructor(address) {
        super();
        window.postMessage = (said) => {
            const heard = new MessageEvent('message', { data: structuredClone(said) });
            setTimeout(() => { this.onmessage?.(heard); this.dispatchEvent(heard); });
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


def pressed(page, *keys):
    for key in keys:
        page.keyboard.press(key)
        here = drawn(page)
    return here


def translated(page, sentence):
    page.locator(".source-text").fill(sentence)
    page.keyboard.press("Enter")
    page.locator(".source-text").blur()
    return drawn(page, f"drawn.recipe.source === {json.dumps(sentence)}")


def in_rooms(page, press):
    """The rooms that have a tab, each of which is opened by `press` and answered."""
    tabs = page.locator(".room-tab:visible")  # of a model without snapshots not all
    rooms = tabs.evaluate_all("tabs => tabs.map(({ dataset }) => dataset.open)")
    for room in (name for name in rooms if name != HOME.name):
        press(page.locator(f"[data-open={room}]"))
        page.wait_for_function(
            """() => {
                const { stage } = document.querySelector('.stage-host');
                return stage.isAnswered() && !stage.drawn().in_room?.busy;
            }"""
        )
        assert drawn(page)["message"] is None, room
    return rooms


def assert_walked(heard, models, rooms):
    """Whether the service says the same, and what was asked: every room, and a forced token."""
    assert_answers(heard, models)
    asked = [request for request, _ in heard]
    assert {one["room"] for one in asked if "room" in one} >= {*rooms} and len(rooms) > 5
    assert any(one.get("force") is not None for one in asked)


def test_everything_of_a_page_works_without_a_server(browser, live_folder, live_models):
    with served(live_folder) as address:
        context = browser.new_context(viewport=WIDE, locale="en-US")
        context.add_init_script(LISTENS)
        page, complaints, asked = context.new_page(), [], []
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("request", lambda one: asked.append(one.url))
        page.goto(f"{address}/index.html")
        page.locator(f"a[href^='{SMALL}/']").first.click()
        begun = drawn(page)
        assert begun["finished"] == "end"
        assert page.evaluate("window.heard.length") == 0  # its first picture is recorded

        here = translated(page, "visible")
        assert here["text"] == "elbisiv" and here["message"] is None
        assert pressed(page, "Home", "ArrowRight", "ArrowRight")["at"] == 2
        here = pressed(page, "2")  # the second candidate, and with it another branch
        assert here["recipe"]["target"][2]["how"] == "forced"
        page.locator("[data-act=end]:visible").click()
        assert drawn(page)["finished"] == "end"
        here = pressed(page, "x")  # the head at hand is off
        assert len(here["recipe"]["edits"]) == 1 and here["message"] is None
        rooms = in_rooms(page, lambda tab: tab.click())
        page.locator("[data-open=translate]").click()
        page.locator("[data-act=lessons]").click()
        page.locator("[data-lesson-name=first-look]").wait_for()  # which is recorded nowhere
        page.keyboard.press("Escape")
        link = page.evaluate("window.location.href")
        assert "#v=3" in link and "edit=head-off" in link

        # No other model was fetched; and while a large one comes, a small one is there.
        weights = weights_of(live_folder)
        fetched = [name for name, path in weights.items() if any(path in url for url in asked)]
        assert fetched == [SMALL]
        held = []
        page.route(f"**/{weights[LARGE]}", lambda route: held.append(route))
        with page.expect_request(f"**/{weights[LARGE]}"):
            page.locator("select.model").select_option(LARGE)
        page.locator("select.model").select_option(OTHER)
        drawn(page, f"drawn.recipe.model === '{OTHER}'")
        held[0].continue_()

        page.locator("select.model").select_option(LARGE)
        drawn(page, f"drawn.recipe.model === '{LARGE}'")
        here = translated(page, "The dog eats the red apple.")
        assert here["text"].startswith("Le chien") and here["message"] is None
        heard = page.evaluate("window.heard")
        page.locator("select.model").select_option(HUB)
        page.wait_for_url(f"**/{HUB}/*")
        drawn(page)
        assert WORDS["en"]["alone_hub"] in page.locator(".made").inner_text()
        assert page.locator(".source-text").get_attribute("readonly") is not None
        page.locator("[data-open=masks]").click()
        assert drawn(page, "drawn.in_room && !drawn.in_room.busy")["message"] is None

        page.goto("about:blank")
        page.goto(link)  # of the small model, with the edit
        there = drawn(page, "drawn.recipe.edits?.length === 1")
        assert there["recipe"]["source"] == "visible" and there["message"] is None
        heard += page.evaluate("window.heard")
        context.close()
    assert not complaints
    assert all(url.startswith((f"{address}/", "data:", "blob:", "about:")) for url in asked)
    assert_walked(heard, live_models, rooms)
    assert any("link" in request for request, _ in heard)


def weights_of(folder):
    """What the weights of each model are called there."""
    pieces = json.loads((folder / "live/pieces.json").read_text("utf-8"))
    return {name: files["model.safetensors"]["path"] for name, files in pieces["models"].items()}


def test_everything_works_on_a_slow_phone_and_what_is_waited_for_covers_no_word(
    browser, live_folder, live_models
):
    with served(live_folder) as address:
        how = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "locale": "en-US"}
        context = browser.new_context(**how, bypass_csp=True)  # which is the worker's otherwise
        context.add_init_script(HERE + LISTENS)
        page, held, complaints = context.new_page(), [], []
        page.set_default_timeout(300_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.route("**/live/pieces.json", lambda route: held.append(route))
        page.goto(f"{address}/index.html")
        page.locator(f"a[href^='{SMALL}/']").first.tap()
        drawn(page)
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

        while not held:
            page.wait_for_timeout(50)
        held[0].continue_()
        here = drawn(page, "drawn.recipe.source === 'visible'")
        assert here["text"] == "elbisiv" and here["message"] is None
        slow = context.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.locator(".source-text").fill("cold days")
        page.locator("[data-act=translate]").tap()
        drawn(page, "drawn.recipe.source === 'cold days'")
        page.locator("[data-act=walk]").tap()
        for _ in range(2):
            page.locator("[data-thumb=step]").tap()
            here = drawn(page)
        page.locator(".candidate").nth(1).tap()
        here = drawn(page, "drawn.recipe.target.some(({ how }) => how === 'forced')")
        rooms = in_rooms(page, lambda tab: tab.tap())
        page.locator("[data-open=heads]").tap()
        page.locator("[data-act=heads-off]").tap()
        here = drawn(page, "drawn.recipe.edits?.length === 1")
        assert here["message"] is None
        heard = page.evaluate("window.heard")
        context.close()
    assert not complaints
    assert_walked(heard, live_models, rooms)
    assert any(request.get("recipe", {}).get("edits") for request, _ in heard)


def test_a_recorded_lesson_goes_from_step_to_step_before_anything_computes(browser, live_folder):
    with served(live_folder) as address:
        context = browser.new_context(viewport=WIDE, locale="en-US")
        context.add_init_script(LISTENS)
        page = context.new_page()
        page.route("**/live/**", lambda route: route.abort())
        page.goto(f"{address}/index.html")
        page.locator(f"a[href^='{LARGE}/']").first.click()
        drawn(page)
        page.locator("[data-act=lessons]").click()
        page.locator("[data-lesson-name=one-head]").click()
        for step in (1, 2, 3):
            page.locator(f".lesson-card[data-step='{step}']:not([aria-busy])").wait_for()
            here = drawn(page, "drawn.room === 'inside' && drawn.in_room?.ready")
            assert here["message"] is None
            assert f"lesson=one-head.{step}" in page.evaluate("window.location.hash")
            page.locator("[data-lesson=show]").click()
            page.locator("[data-lesson=next]").click()
        assert page.evaluate("window.heard.length") == 0
        context.close()


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
