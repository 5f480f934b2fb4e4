"""A lesson from its beginning to its end, by keys and by touch; nothing shows before the guess."""

import re
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, ROOMY, TOUCH, WIDE
from tests.browser.course import CARD, LIST, WAYS, Reader, begun, go_to
from viz_app.lessons.lesson import own_lessons
from viz_app.lessons.linking import laid_over

LESSONS = {one.name: one for one in own_lessons()}
# By keys and by touch what together leads to all that a step may wait for; a mouse is quickest.
TURNS = {"keys": ("choosing", "split"), "touch": ("order", "pads")}
# Where what proves the answer lies far from what is asked about, on a phone.
FAR = {"norm": 3, "query-key-value": 4, "pads": 5, "leak": 1}
WHOLE = {"keys": "first-look", "touch": "shift"}  # from the list of lessons to the end, by Next
WINDOWS = {"mouse": ROOMY, "keys": WIDE, "touch": PHONE}
NAMELESS = r"(?m)^ *- (?:button|textbox|link)(?: \[[^\]]*\])?:?$"
LOOK = "v=3&model=en-fr&lesson=first-look"
# Whether what a step points at, or else covers, is in sight over the card of a phone; and all that
# proves its answer.
IN_SIGHT = """() => {
    const card = document.querySelector(".lesson-card").getBoundingClientRect();
    const [ring, cover] = ["ring", "cover"].map((one) => document.querySelector(`.lesson-${one}`));
    const { top, height } = (ring ?? cover).getBoundingClientRect();
    return top > -1 && top + Math.min(height, 40) < card.top;
}"""
PROVED = """() => {
    const card = document.querySelector(".lesson-card").getBoundingClientRect();
    const rings = [...document.querySelectorAll(".lesson-ring")];
    return rings.length > 0 && rings.every((ring) => {
        const { top, left, right } = ring.getBoundingClientRect();
        return top > -1 && top + 40 < card.top && left >= 0 && right <= innerWidth;
    });
}"""
# What a step covers and what says the same: nobody sees, presses or hears any of it, as what is not
# visible is in no tree of accessibility.
SPEAKS = """() => [...document.querySelectorAll(".stage [data-covered], .stage [data-covered] *")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => one.className)"""
# What the head of the card says, what the step says, and what it asks.
SAID = """() => [".lesson-head > p", ".lesson-say", ".lesson-ask:not([hidden])"].flatMap((one) =>
    [...document.querySelectorAll(`.lesson-card ${one}`)].map(({ innerText }) => innerText))"""
UNDER = """() => [...document.querySelectorAll(".lesson-cover")].map((cover) => {
    const box = cover.getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return Boolean(at?.closest(".lesson-over"));
})"""


def assert_a_step_is_heard(page, taught):
    """A screen reader says the card, its question and its named controls, and nothing covered."""
    card = page.locator(CARD)
    heard = card.aria_snapshot()
    assert not re.search(NAMELESS, heard), f"{taught}: {heard}"
    (name, *said), spoken = page.evaluate(f"() => [({SAID})(), ({SPEAKS})()]")
    assert page.get_by_role("region", name=" ".join(name.split())).count() == 1, name
    for one in said:
        assert one.split('"')[0][:30] in heard, f"{taught}: {heard}"
    assert spoken == [], taught


def conditions(until):
    """The simple ones that a condition is of."""
    if until["kind"] == "all":
        return [one for part in until["of"] for one in conditions(part)]
    return [until]


def done_in(step):
    """What a reader does in a step, each by its kind."""
    for one in conditions(step.until):
        yield one["kind"], one.get("room"), one.get("field")
    if step.ask:
        yield "ask", step.ask.kind, bool(step.ask.of or step.ask.tokens)


def shown_in(step, room):
    """The parts that a step covers or points at, and the other kinds of places it points at.

    A part that is covered is found as one that is pointed at, and a control alike in every room.
    """
    for one in (*step.point, *step.proof):
        kind = one["kind"]
        yield "control" if kind == "control" else (room, one.get("name", kind))
    for name in step.cover:
        yield room, name


def turns():
    """Steps by way and lesson: every kind of thing to do and to show is in one of them.

    What is done is tried by keys or by touch, what is no more than shown with a mouse; what lies
    far apart on a phone, by touch.
    """
    turns, seen, steps = {way: {} for way in WAYS}, set(), []
    for name in sorted(LESSONS, key=lambda name: name not in WHOLE.values()):
        link = LESSONS[name].link
        for number, step in enumerate(LESSONS[name].steps, start=1):
            link = laid_over(link, step.show)
            room = dict(parse_qsl(link)).get("room", "translate")
            steps.append((name, number, {*done_in(step)}, {*shown_in(step, room)}))
    for name, number, does, shows in steps:
        seen |= does | shows if name in WHOLE.values() else set()
        if FAR.get(name) == number:
            turns["touch"].setdefault(name, []).append(number)
            seen |= does | shows
    hands = {name: way for way in TURNS for name in TURNS[way]}
    by_hand = [step for step in steps if step[0] in hands]
    for name, number, does, shows in by_hand:
        if does - seen:
            turns[hands[name]].setdefault(name, []).append(number)
            seen |= does | shows
    while left := [step for step in steps if (step[2] | step[3]) - seen]:
        name, number, does, shows = max(left, key=lambda one: len((one[2] | one[3]) - seen))
        turns["mouse"].setdefault(name, []).append(number)
        seen |= does | shows
    return {way: {name: sorted(of[name]) for name in of} for way, of in turns.items()}


@pytest.mark.parametrize("way", WAYS)
def test_lessons_are_walked_by_keys_by_touch_and_with_a_mouse(visit, way, request):
    """Two to their end by Next; of the others what no lesson before has to do or to show.

    With --whole every lesson to its end in all ways, with every hint.
    """
    hand = TOUCH if way == "touch" else {}
    stage = visit(WINDOWS[way], **hand)
    page, reader = stage.page, Reader(stage.page, way)
    stage.drawn()
    whole = request.config.getoption("--whole")
    for name in LESSONS if whole else [WHOLE[way]] if way in WHOLE else []:
        walk(page, reader, reader.walk(name), whole)
        expect(page.locator(f"[data-lesson-name={name}]")).to_have_attribute("data-come", "done")
    if page.locator(LIST).is_visible():
        page.keyboard.press("Escape")
    for name, numbers in turns()[way].items() if not whole else ():
        walk(page, reader, reader.visit(name, numbers), whole)
    stage.drawn()


def walk(page, reader, steps, whole):
    """Each is heard, asks, is answered and led to what it waits for."""
    hinted = False
    for taught in steps:
        assert_a_step_is_heard(page, taught)
        if taught.said["point"] or taught.said["cover"]:
            expect(page.locator(".lesson-ring, .lesson-cover").first, str(taught)).to_be_attached()
            if reader.way == "touch":
                page.wait_for_function(IN_SIGHT)
        if reader.way == "touch":
            assert_the_card_leaves_half(page, taught)
        ask = taught.said["ask"]
        if (ask and not hinted) or whole:
            reader.take_hints()
            hinted = True
        if ask and (taught.number % 2 or ask["kind"] == "cell"):
            reader.guess(ask)
        elif ask:
            reader.show()
        if ask and reader.way == "touch":
            expect(page.locator(".lesson-compared"), str(taught)).to_be_in_viewport()
        expect(page.locator(".lesson-cover, [data-covered]"), str(taught)).to_have_count(0)
        reader.meet(taught.said["until"])
        expect(page.locator("[data-lesson=next].primary"), str(taught)).to_be_visible()
        assert page.locator(".message:visible").count() == 0, taught
        if proofs := len(taught.said["proof"]):
            ring = page.locator(".lesson-ring").nth(proofs - 1)
            expect(ring, str(taught)).to_be_attached()
            if reader.way == "touch" and FAR.get(taught.lesson) == taught.number:
                page.wait_for_function(PROVED)


def assert_the_card_leaves_half(page, taught):
    card = page.locator(CARD).bounding_box()
    assert card["height"] <= 0.5 * PHONE["height"] + 1, taught
    assert card["y"] + card["height"] <= PHONE["height"] + 1, taught


def test_by_keys_alone_a_lesson_is_found_answered_left_and_gone_on_with_guesses_kept(
    visit,
):
    stage = visit(ROOMY)
    page = stage.page
    with page.expect_response(lambda one: '"lessons"' in (one.request.post_data or "")) as listed:
        page.reload()  # while the page rests
    listed.value.finished()
    asked = []
    page.on("request", lambda one: asked.append(one.post_data or ""))
    page.locator("[data-act=lessons]").press("Enter")
    page.locator("[data-lesson-name=first-look]").press("Enter")
    begun(stage, 1)
    assert not any('"lessons"' in one for one in asked)
    expect(page.locator(CARD)).to_be_focused()
    page.keyboard.press("Tab")  # its cross
    page.keyboard.press("Tab")
    page.keyboard.type("five")
    page.keyboard.press("Enter")
    expect(page.locator("[name=guess]")).to_have_attribute("aria-invalid", "true")
    page.locator("[name=guess]").fill("5")
    page.keyboard.press("Enter")
    expect(page.locator(".lesson-compared")).to_contain_text("5")
    expect(page.locator("[data-lesson=next]")).not_to_have_class(re.compile("primary"))
    page.locator("[data-act=end]").press("Enter")  # what the step leads to
    expect(page.locator("[data-lesson=next]")).to_have_class(re.compile("primary"))
    page.locator("[data-lesson=next]").press("Enter")
    begun(stage, 2)
    assert "lesson=first-look.2" in page.evaluate("() => location.hash")
    page.locator(".lesson-pick").first.focus()  # the cells of the covered row are one stop
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".lesson-ring.yours")).to_be_visible()
    expect(page.locator(".lesson-cover, .lesson-pick")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(CARD)).to_have_count(0)
    stage.drawn()
    assert page.locator("[data-covered], .stage [inert]").count() == 0
    page.wait_for_function("() => !location.hash.includes('lesson')")
    page.locator("[data-act=lessons]").press("Enter")
    page.locator("[data-lesson-name=first-look]").press("Enter")
    begun(stage, 2)
    page.go_back()
    page.wait_for_function("() => !location.hash.includes('lesson=first-look.2')")

    # A guess is there after a reload, until the lesson is begun again.
    stage.anew(f"#{LOOK}.4")
    begun(stage, 4)
    page.locator(".lesson-choices button").first.click()
    said = page.locator(".lesson-compared").inner_text()
    page.reload()
    begun(stage, 4)
    expect(page.locator(".lesson-compared")).to_have_text(said)
    expect(page.locator(".lesson-cover")).to_have_count(0)
    page.locator("[data-lesson=again]").click()
    begun(stage, 1)
    page.evaluate("() => { location.hash = location.hash.replace('look.1', 'look.4'); }")
    begun(stage, 4)
    expect(page.locator(".lesson-cover").first).to_be_visible()
    expect(page.locator(".lesson-choices .yours")).to_have_count(0)


def test_a_lesson_gives_back_what_the_page_showed_and_what_it_covers_is_hidden_until_answered(
    visit,
):
    own = "The old cat sleeps on the warm roof."
    stage = visit(ROOMY, link=f"#v=3&model=en-fr&text={own.replace(' ', '+')}&view=lines")
    page, offer = stage.page, stage.page.locator(".lesson-return [data-lesson=return]")
    stage.drawn()

    page.wait_for_function("() => location.hash.includes('at=')")  # it says all that is seen
    before = page.evaluate("() => location.hash")
    assert "view=lines" in before and "by=" not in before

    page.locator("[data-act=lessons]").click()
    page.locator("[data-lesson-name=first-look]").click()
    begun(stage, 1)
    page.locator("[data-lesson=next]").click()
    begun(stage, 2)
    assert stage.drawn()["recipe"]["source"] != own
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => location.hash === {before!r}")
    assert stage.drawn()["recipe"]["source"] == own
    expect(offer).to_have_count(0)

    page.locator("[data-act=lessons]").click()
    page.locator("[data-lesson-name=first-look]").click()
    begun(stage, 2)
    page.locator(".source-text").fill("We eat a green apple.")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.hash.includes('green')")
    page.locator("[data-lesson=end]").click()
    assert stage.drawn()["recipe"]["source"] == "We eat a green apple."
    offer.click()
    page.wait_for_function(f"() => location.hash === {before!r}")
    assert stage.drawn()["recipe"]["source"] == own
    expect(offer).to_have_count(0)

    # A link opens a lesson, Escape closes what lies over it, and the next is on one's own model.
    card = page.locator(CARD)
    for link in ("#lesson=one-head.2", "?lesson=one-head.2"):
        stage.anew(link)
        drawn = begun(stage, 2)
        assert drawn["recipe"]["model"] == "en-fr" and drawn["room"] == "inside", link
        assert drawn["message"] is None, link
        # Followed once more, as from a teacher's sheet, it shows the same.
        page.evaluate("() => { location.hash = 'lesson=one-head.2'; }")
        page.wait_for_function("() => location.hash.includes('text=')")
        again = begun(stage, 2)
        assert again["recipe"] == drawn["recipe"] and again["room"] == "inside", link
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)

    # A link wins over a step that is still on its way.
    for name in ("one-head", "first-look"):
        page.locator("[data-act=lessons]").click()
        page.locator("[data-lesson-name=one-head]").wait_for()
        page.evaluate(
            """(name) => {
                document.querySelector('[data-lesson-name=one-head]').click();
                location.hash = `lesson=${name}.3`;
            }""",
            name,
        )
        begun(stage, 3)
        assert f"lesson={name}.3" in page.evaluate("() => location.hash")
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)

    stage.anew("#v=3&model=zh-en")
    stage.drawn()
    page.locator("[data-act=lessons]").click()
    page.locator("[data-lesson-name=order]").click()
    begun(stage, 1)
    assert go_to(stage, "order.5", "zh-en")["recipe"]["model"] != "zh-en"
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    page.locator("[data-act=lessons]").click()
    page.locator("[data-lesson-name=first-look]").click()
    assert begun(stage, 1)["recipe"]["model"] == "zh-en"

    page.locator(".map-canvas:visible").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")  # lets go of the cell
    for menu in (".strategy", ".whatif"):
        page.locator(f"{menu} > summary").click()
        expect(page.locator(f"{menu}[open] > div")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(f"{menu}[open]")).to_have_count(0)
    expect(card).to_have_count(1)
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)

    # What a step covers is neither seen nor heard nor pressed until it is answered.
    stage.anew("#v=3&model=en-fr")
    page, held = stage.page, []
    reading = stage.drawn()["reading"]
    assert reading in page.locator(".stage").aria_snapshot()
    page.route(
        "**/stage/answer",
        lambda route: (
            held.append(route)
            if '"lesson"' in (route.request.post_data or "")
            else route.continue_()
        ),
    )
    page.goto(f"{page.url.split('#')[0]}#{LOOK}.2")
    page.locator(f"{CARD}[aria-busy]").wait_for()
    stage.drawn()
    heard = page.locator(".stage").aria_snapshot()
    assert "read from" not in heard and reading not in heard
    for route in held:
        route.continue_()
    page.unroute("**/stage/answer")
    drawn = begun(stage, 2)
    assert page.locator(".stage").evaluate("(one) => one.matches('.lesson-awaited')") is False
    assert page.evaluate(SPEAKS) == []
    assert page.evaluate(UNDER) == [True]
    heard = page.locator(".stage").aria_snapshot()
    assert drawn["reading"] and drawn["reading"] not in heard
    assert "mostly at" not in heard and "covered" not in heard
    page.locator("[data-lesson=show]").click()
    expect(page.locator(".lesson-cover")).to_have_count(0)
    assert drawn["reading"] in page.locator(".stage").aria_snapshot()

    # What is right is said only once the reader has answered, and what is not is said to be.
    said = page.locator(".lesson-outcome")
    marks = page.locator(".masks-mark:visible")
    for step in ("pads.3", "leak.2"):
        go_to(stage, step)
        expect(page.locator(".masks-hatch:visible").first, step).to_be_visible()
        expect(marks, step).to_have_count(0)
        page.locator("[data-lesson=show]").click()
        expect(marks.first, step).to_be_visible()

    go_to(stage, "split.2")
    wanted = page.locator(".lesson-next.primary")
    for head in range(2):  # at most one of them is the one
        if not wanted.count():
            page.locator(f'.heads [data-layer="1"][data-head="{head}"]:visible').first.click()
    expect(said).to_contain_text("Not this head")
    go_to(stage, "first-look.6")
    expect(said).to_be_empty()
    page.locator("[data-act=translate]").click()
    expect(said).to_contain_text("as it was")
    page.locator(".source-text").fill("She wants to buy a white car.")
    page.keyboard.press("Enter")
    expect(wanted).to_be_visible()
    expect(said).not_to_contain_text("as it was")
