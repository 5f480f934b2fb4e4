"""Where the card of a lesson stands, and what of the page stays in sight beside it."""

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, TOUCH, WIDE
from tests.browser.course import CARD, Reader, begun, go_to
from viz_app.lessons.lesson import own_lessons

BOX = "(one) => { const { left, top } = one.getBoundingClientRect(); return [left, top]; }"
# Whether what is said more is whole, and so are the first places that are pointed at.
DEEPER = """(most) => {
    const boxOf = (one) => one.getBoundingClientRect();
    const card = boxOf(document.querySelector(".lesson-card"));
    const foot = boxOf(document.querySelector(".lesson-foot")).top;
    const said = boxOf(document.querySelector(".lesson-deep"));
    const rings = [...document.querySelectorAll(".lesson-ring")].slice(0, most);
    return said.bottom <= foot + 1 && rings.length === most && rings.map(boxOf)
        .every(({ top, bottom }) => top > -1 && bottom < card.top + 1);
}"""
ABOVE = """() => {
    const card = document.querySelector(".lesson-card").getBoundingClientRect();
    const ring = document.querySelector(".lesson-ring").getBoundingClientRect();
    return ring.top > -1 && ring.bottom < card.top;
}"""


def test_by_touch_on_a_phone_what_a_step_is_about_is_in_sight_and_its_words_are_whole(visit):
    stage = visit(PHONE, **TOUCH)
    page, reader = stage.page, Reader(stage.page, "touch")
    for step, rings in (("first-look.4", 2), ("shift.4", 1)):  # a deeper level
        go_to(stage, step)
        reader.settle()
        reader.show()
        for level in page.locator(".lesson-depths button").all():
            level.evaluate("(one) => one.click()")
            page.wait_for_function(DEEPER, arg=rings)

    go_to(stage, "split.4", "zh-en")  # what is to be pressed, as the page grows
    reader.settle()
    reader.show()
    page.locator("[data-lesson=next]").tap()
    begun(stage, 5)
    page.wait_for_function(ABOVE)

    go_to(stage, "roots.6", "zh-en")  # a long word that a broken model writes
    reader.settle()
    reader.show()
    expect(page.locator(".lesson-then")).to_be_visible()
    body = page.locator(".lesson-body")
    assert body.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") <= 0


def test_on_a_projector_what_a_step_is_about_is_seen_beside_the_card_whose_words_are_whole(visit):
    stage = visit(WIDE, link="#v=3&model=en-fr&lesson=one-head.6")
    page = stage.page
    begun(stage, 6)
    page.locator("[data-tool=large]").click()
    page.reload()  # as who comes back to a page that is large
    for step in ("one-head.6", "shift.4"):
        go_to(stage, step)
        expect(page.locator(".lesson-cover").first, step).to_be_in_viewport(ratio=1)
        for choice in page.locator(".lesson-choices button").all():
            expect(choice, step).to_be_in_viewport(ratio=1)

    go_to(stage, "order.3")
    page.reload()
    begun(stage, 3)
    for press in ("[data-lesson=show]", "[data-mode=off]"):  # before and after
        page.locator(press).click()
        stage.in_room()
        card = page.locator(CARD).bounding_box()
        rings = [one.bounding_box() for one in page.locator(".lesson-ring").all()]
        assert len(rings) >= 3 and all(one["x"] + one["width"] < card["x"] for one in rings)

    go_to(stage, "first-look.1")
    for language in ("en", "zh"):
        for lesson in own_lessons():
            title = lesson.words[language]["title"]
            high = page.locator(".lesson-head strong").evaluate(
                "(one, title) => { one.textContent = title; return one.offsetHeight; }", title
            )
            assert high < 30, (lesson.name, language)  # one line
    page.locator("[data-lesson=show]").click()
    page.locator(".lesson-depths button").last.click()  # a formula
    expect(page.locator(".lesson-deep")).to_be_visible()
    ends = """() => [".lesson-body", ".lesson-deep"]
        .map((one) => document.querySelector(one).getBoundingClientRect().bottom)"""
    body, formula = page.evaluate(ends)
    assert formula < body + 1

    # A menu of the page opens at what a step waits for, beside the card and over nothing.
    stage.anew("")
    for step, menu in (("split.3", ".whatif"), ("roots.6", ".whatif"), ("choosing.6", ".strategy")):
        go_to(stage, step)
        before = page.locator(CARD).evaluate(BOX)
        button = page.locator(f"{menu} > summary").locator("visible=true").first
        button.click()
        page.locator(f"{menu}[open]").wait_for()
        stage.drawn()
        assert page.locator(CARD).evaluate(BOX) == before, step
        button.click()

    page.locator("[data-lesson=show]").click()
    page.locator(".strategy:visible > summary").click()
    page.locator(".strategy [data-strategy=sample]:visible").first.click()
    expect(page.locator(".lesson-next.primary")).to_be_visible()
    expect(page.locator(".strategy[open]")).to_have_count(0)

    for step in ("roots.3", "split.5"):  # each of a group that is folded at first
        go_to(stage, step)
        page.locator(".whatif > summary").click()
        wanted = page.locator(".whatif-line[data-wanted]")
        expect(wanted, step).to_be_in_viewport(ratio=1)
        expect(page.locator(".whatif > summary"), step).to_be_in_viewport(ratio=1)
        wanted.locator("input").check()
        page.keyboard.press("Escape")
    go_to(stage, "roots.1")
    expect(page.locator("[data-wanted]")).to_have_count(0)
