"""A lesson in a site from files, the network cut: from the list of another page to its end."""

from playwright.sync_api import expect

from tests.browser.files.test_site import opened
from tests.conftest import RECORDED
from viz_app.lessons.lesson import own_lessons
from viz_app.text import WORDS

LESSONS = {one.name: one for one in own_lessons()}
QUIET = """(step) => {
    const card = document.querySelector(`.lesson-card[data-step="${step}"]:not([aria-busy])`);
    const { stage } = document.querySelector('.stage-host');
    return card && !document.querySelector('.lesson-awaited') && stage.isAnswered()
        && stage.drawn().message === null && stage.drawn().in_room?.busy !== true;
}"""


def test_a_recorded_lesson_is_played_to_its_end_and_opens_where_an_address_names_it(
    browser, recorded_site
):
    with opened(browser, recorded_site.as_uri()) as page:
        page.goto(f"{recorded_site.as_uri()}/index.html")
        page.locator("li a").first.click()
        page.locator("[data-act=lessons]").click()
        offered = page.locator("[data-lesson-name]")
        offered.first.wait_for()
        names = offered.evaluate_all("all => all.map(({ dataset }) => dataset.lessonName)")
        assert 0 < len(names) < len(LESSONS)
        assert {*RECORDED} <= {*names}
        for name in ("one-head", "first-look"):  # from another page, and on to another one
            page.locator(f"[data-lesson-name={name}]").click()
            steps = sum(step.ask is not None for step in LESSONS[name].steps)
            for step in range(1, steps + 1):
                page.wait_for_function(QUIET, arg=step)
                page.locator("[data-lesson=show]").click()
                expect(page.locator(".lesson-then")).to_be_visible()
                if step == steps:
                    with page.expect_download() as kept:
                        page.locator("[data-lesson=save]").click()
                    lines = kept.value.path().read_text("utf-8-sig").splitlines()
                    assert len(lines) == 1 + steps and kept.value.suggested_filename == (
                        f"{name}-en-fr.csv"
                    )
                page.locator("[data-lesson=next]").click()
            expect(page.locator(f"[data-lesson-name={name}]")).to_have_attribute(
                "data-come", "done"
            )

        # A page opens the lesson that its address names.
        page.goto(f"{recorded_site.as_uri()}/index.html")
        address = page.locator("li a").first.evaluate("(one) => one.href.split('#')[0]")
        page.goto(f"{address}#lesson=one-head.2")
        page.wait_for_function(QUIET, arg=2)  # on another page, whose sentence it is about
        assert page.url.split("#")[0].split("?")[0] != address
        here = page.url.split("#")[0]
        page.goto("about:blank")
        page.goto(f"{here}?lesson=query-key-value")  # whose first step changes the model
        page.wait_for_function(QUIET, arg=1)
        assert page.url.startswith(here)
        expect(page.locator(".lesson-how")).to_have_text(WORDS["en"]["lesson_try_app"])
        for mark in "#?":
            page.goto("about:blank")
            page.goto(f"{recorded_site.as_uri()}/index.html{mark}lesson=one-head.2")
            page.wait_for_function(QUIET, arg=2)
            assert page.url.split("#")[0] == here, mark

        # One that is closed gives back what its page showed before.
        drawn = "() => document.querySelector('.stage-host').stage.drawn()"
        page.keyboard.press("Escape")
        page.locator("[data-open=translate]").click()
        page.locator("[data-view=lines]").click()
        before = page.evaluate(drawn)
        page.locator("[data-act=lessons]").click()
        page.locator("[data-lesson-name=one-head]").click()
        page.wait_for_function(QUIET, arg=2)
        assert page.evaluate(drawn)["room"] != before["room"]
        page.locator("[data-lesson=end]").click()
        page.wait_for_function(f"() => ({drawn})().room === 'translate'")
        after = page.evaluate(drawn)
        assert [after[name] for name in ("view", "at")] == [before[name] for name in ("view", "at")]
        expect(page.locator(".lesson-card")).to_have_count(0)
