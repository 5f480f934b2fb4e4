"""A site whose pages compute, as a plain server of files serves it: a walk through what is recorded
nowhere. Whatever the worker answers is held against the service itself."""

import json

from tests.browser.conftest import PHONE, WIDE
from tests.browser.files.live import LARGE, LISTENS, SMALL, assert_answers, served
from tests.browser.reader import drawn
from viz_app.rooms import HOME
from viz_app.text import WORDS


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


def test_everything_of_a_page_works_without_a_server(browser, live_folder, live_library):
    with served(live_folder) as address:
        context = browser.new_context(viewport=WIDE, locale="en-US")
        context.add_init_script(LISTENS)
        page, complaints = context.new_page(), []
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.on(
            "request",
            lambda asked: (
                complaints.append(asked.url)
                if not asked.url.startswith((f"{address}/", "data:", "blob:"))
                else None
            ),
        )
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
        tabs = page.locator(".room-tab:visible")  # of a model without snapshots not all
        rooms = tabs.evaluate_all("tabs => tabs.map(({ dataset }) => dataset.open)")
        for room in (name for name in rooms if name != HOME.name):
            page.locator(f"[data-open={room}]").click()
            page.wait_for_function(
                """() => {
                    const { stage } = document.querySelector('.stage-host');
                    return stage.isAnswered() && !stage.drawn().in_room?.busy;
                }"""
            )
            assert drawn(page)["message"] is None, room
        page.locator("[data-open=translate]").click()
        page.locator("[data-act=lessons]").click()
        page.locator("[data-lesson-name=first-look]").wait_for()  # which is recorded nowhere
        page.keyboard.press("Escape")
        link = page.evaluate("window.location.href")
        assert "#v=3" in link and "edit=head-off" in link

        page.locator("select.model").select_option(LARGE)
        drawn(page, f"drawn.recipe.model === '{LARGE}'")
        here = translated(page, "The dog eats the red apple.")
        assert here["text"].startswith("Le chien") and here["message"] is None
        heard = page.evaluate("window.heard")

        page.goto("about:blank")
        page.goto(link)  # of the small model, with the edit
        there = drawn(page, "drawn.recipe.edits?.length === 1")
        assert there["recipe"]["source"] == "visible" and there["message"] is None
        heard += page.evaluate("window.heard")
        context.close()
    assert not complaints

    assert_answers(heard, live_library.root)
    asked = [request for request, _ in heard]
    assert all("error" not in answer for _, answer in heard)
    assert {one["room"] for one in asked if "room" in one} >= {*rooms} and len(rooms) > 5
    assert any(one.get("force") is not None for one in asked) and any(
        "link" in one for one in asked
    )


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


def test_on_a_phone_what_is_waited_for_covers_no_word(browser, live_folder):
    with served(live_folder) as address:
        context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
        page = context.new_page()
        page.route("**/live/pieces.json", lambda route: None)  # which never comes
        page.goto(f"{address}/index.html")
        page.locator(f"a[href^='{SMALL}/']").first.tap()
        drawn(page)
        page.locator(".source-text").fill("visible")
        page.locator("[data-act=translate]").tap()
        page.locator(".opening").wait_for()
        said, button, words = (
            page.locator(name).bounding_box()
            for name in (".opening", "[data-act=translate]", ".strip-source .tokens")
        )
        assert button["y"] + button["height"] <= said["y"]
        assert said["y"] + said["height"] <= words["y"]
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
