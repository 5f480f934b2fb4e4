"""What a browser fetches before the first picture, and what the page's policy forbids."""

import pytest
from playwright.sync_api import expect

from benchmarks.opening import LAYOUTS, REQUESTS, layouts, opened
from tests.browser.conftest import PHONE, ROOMY, WIDE
from tests.browser.windows import THERE, open_context
from viz_app.stage.bundle import later_bundle
from viz_app.stage.stage import parts

MOST_BYTES = 110_000  # of scripts, styles and words, packed


def test_few_requests_come_before_the_first_picture_and_a_room_is_laid_out_three_times(
    app, browser
):
    found = opened(browser, app[0])
    assert 3 <= found["requests"] <= REQUESTS
    assert 0 < found["bytes"] <= MOST_BYTES
    counts = layouts(browser, app[0], ("positions", "compare", "training"), late_ms=300)
    assert set(counts) == {"positions", "compare", "training"}
    assert min(counts.values()) > 0 and max(counts.values()) <= LAYOUTS


# What the page's policy forbids: a text that is a script, an added style, a picture from afar.
FORBIDDEN = """async () => {
    const broken = [];
    document.addEventListener("securitypolicyviolation",
        ({ effectiveDirective }) => broken.push(effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    const style = document.createElement("style");
    style.textContent = "body { display: none }";
    document.head.append(script, style);
    const far = document.createElement("img");
    far.src = "https://example.org/a.png";
    await new Promise((done) => { far.onerror = done; });
    await new Promise(requestAnimationFrame);
    return [broken.sort(), "ran" in window];
}"""
FACES = "[...document.fonts].map(({ status }) => status)"


def test_the_picture_waits_for_nothing_it_can_do_without_and_no_script_says_what_it_needs(
    app, browser
):
    more = next(later_bundle(part).name for part in parts() if part.name == "more")
    held = []
    with open_context(browser, viewport=WIDE) as context:
        page = context.new_page()
        page.route(f"**/{more}", lambda route: held.append(route))
        with page.expect_request(f"**/{more}"):
            page.goto(app[0])
        page.wait_for_function(THERE)
        assert set(page.evaluate(FACES)) == {"loaded"}  # it is set in our own
        page.locator(".whatif > summary").click()
        expect(page.locator(".whatif[open]")).to_have_count(1)
        expect(page.locator(".whatif-line")).to_have_count(0)
        held[0].continue_()
        expect(page.locator(".whatif-line").first).to_be_visible()
        assert page.evaluate(FORBIDDEN) == [["img-src", "script-src-elem", "style-src-elem"], False]
        expect(page.locator(".stage")).to_be_visible()

    # It is there without faces too, in the scheme of its host.
    with open_context(browser, viewport=WIDE, color_scheme="light") as context:
        page = context.new_page()
        page.route("**/*.bin", lambda route: route.abort())
        page.goto(f"{app[0]}/?__theme=dark")
        page.wait_for_function(THERE)
        assert page.evaluate(FACES) == []
        assert page.evaluate("document.body.classList.contains('dark')")
        dark = page.locator(".stage").evaluate("(one) => getComputedStyle(one).colorScheme")
        assert dark == "dark"

    # Without scripts it says what it needs.
    with open_context(browser, java_script_enabled=False, locale="zh-CN") as context:
        page = context.new_page()
        page.goto(app[0])
        expect(page.locator(".first-words")).to_contain_text("看")
        expect(page.locator(".missing")).to_be_visible()


# How much of the page moves, by itself: of each shift the share of the window times how far.
SHIFTS = """{
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries()) {
            if (hadRecentInput) continue;
            window.shifts.push([value, sources.map(({ node }) => node?.className)]);
        }
    }).observe({ type: "layout-shift", buffered: true });
}"""
PAINTED = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""


@pytest.mark.parametrize(
    ("window", "locale"),
    [(WIDE, "en-US"), (ROOMY, "zh-CN"), (PHONE, "zh-CN")],
    ids=["wide", "roomy", "phone"],
)
def test_nothing_moves_once_it_is_painted_however_late_each_part_comes(
    app, browser, window, locale
):
    """Every answer, script and face is held until what came before it is painted."""
    with open_context(browser, viewport=window, locale=locale) as context:
        page = context.new_page()
        page.add_init_script(SHIFTS)

        def hold(route):
            if not route.request.is_navigation_request():
                page.evaluate(PAINTED)
            route.continue_()

        page.route("**/*", hold)
        page.goto(app[0])
        page.wait_for_function(THERE)
        page.locator("[data-act=hide-needed]").wait_for()  # the last that comes to the picture
        page.evaluate(PAINTED)
        shifts = page.evaluate("window.shifts")
        page.unroute_all(behavior="ignoreErrors")  # what the page fetches while it rests
        assert sum(value for value, _ in shifts) < 0.02, shifts
