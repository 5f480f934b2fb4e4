"""The page under a thumb: the map first with its digits, and a way through a tall room."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, TOUCH
from tests.browser.walks import READY, click_cell, room, rooms_of, unfold
from viz_app.text import WORDS


def assert_jumps(stage, view, count):
    """The parts of the room Inside, which the line at the foot leads to."""
    stage.page.locator(f"[data-inside={view}]").tap()
    stage.page.wait_for_function(
        "(view) => { const room = document.querySelector('.stage-host').stage.drawn().in_room;"
        " return room?.ready && room.view === view && room[view] }",
        arg=view,
    )
    unfold(stage)
    stage.drawn(READY)
    assert stage.page.evaluate("document.documentElement.scrollHeight > 2 * innerHeight")
    line = stage.page.locator(".jumps")
    line.wait_for()
    jumps = stage.drawn()["jumps"]
    assert len(jumps) == count
    assert not [name for name in jumps if re.match("[a-z]{2}", name)]  # written alike
    for at in (len(jumps) // 2, 1):
        line.locator(f"[data-to='{at}']").tap()
        name = stage.page.locator(".panel-name, .stage-name").filter(visible=True).nth(at)
        assert name.text_content().lower() == jumps[at].lower()
        box = line.bounding_box()
        top = name.bounding_box()["y"]
        assert box["y"] + box["height"] == pytest.approx(PHONE["height"], abs=1)
        assert 0 <= top < 0.5 * PHONE["height"]


# What is said of each term once it is pressed, and where that stands.
OPEN_EACH = """(words) => words.map((word) => {
    word.scrollIntoView({ block: "nearest", behavior: "instant" });
    word.click();
    const tip = document.querySelector("[role=tooltip]:not([hidden])");
    const { left, right, top, bottom } = tip.getBoundingClientRect();
    const said = { word: word.textContent, here: tip.querySelector(".tip-here").textContent,
        isDescribed: word.getAttribute("aria-describedby") === tip.id,
        isInWindow: left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight,
        isAll: document.documentElement.scrollWidth <= innerWidth };
    word.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    return { ...said, isClosed: tip.hidden };
})"""

BOXES = """(selectors) => selectors.map((one) => {
    const seen = [...document.querySelectorAll(one)].find((each) => each.checkVisibility());
    return seen.getBoundingClientRect().toJSON();
})"""


def boxes(stage, *selectors):
    """Where each of them is, all at one moment: the page may still scroll."""
    for one in selectors:
        stage.page.locator(one).locator("visible=true").first.wait_for()
    return stage.page.evaluate(BOXES, selectors)


def test_what_is_touched_and_what_is_read_of_it_stays_in_sight_and_parts_are_jumped_to(
    visit,
):
    stage = visit(PHONE, **TOUCH)
    text = stage.type_source("My little sister has a red bicycle.")["text"]
    assert stage.page.locator(".translation").text_content() == text
    said = stage.page.locator(".strip-target .tokens")
    assert said.inner_text().split() == [*stage.drawn()["row_labels"]]
    box, button = said.bounding_box(), stage.page.locator("[data-act=translate]").bounding_box()
    assert button["y"] < box["y"] and box["y"] + box["height"] < 0.5 * PHONE["height"]
    assert not stage.page.locator("[data-tool=large]").is_visible()  # nothing would be larger

    canvas = stage.page.locator(".map .map-canvas")
    canvas.scroll_into_view_if_needed()
    x, y, width, height = stage.drawn()["cell_boxes"][1][2]
    canvas.tap(position={"x": x + width / 2, "y": y + height / 2})
    drawn = stage.drawn()
    assert drawn["column_labels"][2] in drawn["reading"]
    bar = stage.page.locator(".thumb-bar")
    assert bar.locator("p").inner_text() == drawn["reading"]
    box = bar.bounding_box()
    assert box["y"] + box["height"] == pytest.approx(PHONE["height"], abs=1)
    stage.page.locator("[data-thumb=back]").tap()
    moved = stage.drawn()
    assert moved["at"] == drawn["at"] - 1
    assert moved["reading"] != drawn["reading"]
    bar.wait_for(state="hidden")  # it is about what is touched, or about a step
    stage.page.locator(".strip-target .token >> nth=3").tap()
    assert stage.drawn()["at"] == 2
    stage.page.locator(".head >> nth=-1").tap()
    stage.page.wait_for_function(
        "Math.abs(document.querySelector('.map').getBoundingClientRect().top) < 20"
    )
    stage.page.locator("[data-open=inside]").tap()
    assert_jumps(stage, "cell", 7)

    # What is chosen has one line under it where a finger has left.
    tab = stage.page.locator("[data-open=masks]")
    tab.tap()
    stage.drawn("drawn.room === 'masks'")
    tab.hover()
    style = "(one) => getComputedStyle(one).borderBottomColor"
    assert tab.evaluate(style) == "rgba(0, 0, 0, 0)"

    for name, opened, box in (
        ("compare", (), ".compare-box"),
        ("positions", ("[data-study=order]",), ".positions-order-panes"),
    ):
        stage.anew("")
        stage.enter(name, *opened)
        stage.lay_out()
        canvas = stage.page.locator(f"{box} canvas").first
        canvas.evaluate("(canvas) => canvas.scrollIntoView({ block: 'center' })")
        size = canvas.bounding_box()
        canvas.tap(position={"x": 0.6 * size["width"], "y": 0.5 * size["height"]})
        stage.in_room()
        stage.lay_out()
        (reading,) = boxes(stage, ".reading:not(.nudge)")
        assert 0 < reading["y"] < PHONE["height"] - reading["height"], name

    # The line of parts stays, and the row of the step is in view.
    stage.resize(390, 620)
    stage.anew("")
    stage.type_source("I love 🐱, 🐶 and 🍕 very much 👨‍👩‍👧‍👦.")  # many tokens, in many lines
    line, box = stage.page.locator(".jumps"), stage.page.locator(".map-box")
    line.wait_for()
    for _ in range(3):  # it does not come and go
        stage.page.evaluate("() => new Promise((f) => requestAnimationFrame(() => setTimeout(f)))")
        assert line.is_visible()
    map_box = box.bounding_box()
    # the row of the step is in view, and fades where more of it is to the left
    drawn = stage.key("End")
    while drawn["at"] > 0 and box.evaluate("(box) => box.scrollLeft") == 0:
        drawn = stage.key("ArrowLeft")  # to a row that looks to the right
    stage.lay_out()
    drawn = stage.drawn()
    x, y, _, height = drawn["cell_boxes"][drawn["outlined_row"]][0]
    scrolled = box.evaluate("(box) => box.scrollLeft")
    assert scrolled > 0 and y + height <= map_box["height"]
    opaque = """(box, [x, y]) => box.querySelector('canvas').getContext('2d')
        .getImageData(...[x, y, 1, 1].map((at) => Math.round(at * devicePixelRatio))).data[3]"""
    edge, inside = (
        box.evaluate(opaque, [x + scrolled + beyond, y + height / 2]) for beyond in (1, 30)
    )
    assert edge < 50 < 250 < inside
    stage.choose("view", "table")  # so does a table
    expect(stage.page.locator(".table-box")).to_have_class(re.compile("fade-after"))


def test_what_opens_on_a_phone_is_whole_in_chinese_and_every_term_opens_by_touch(visit):
    stage = visit(PHONE, locale="zh-CN", **TOUCH)
    words = WORDS["zh"]
    stage.page.locator("[data-tool=help]").tap()
    sheet = stage.page.get_by_role("dialog", name=words["help"])
    sheet.get_by_text(words["help_cells"]).wait_for()
    rooms = stage.page.locator("[data-open]")
    assert sheet.locator("dt:visible").all_inner_texts() == rooms.all_inner_texts()
    assert not sheet.get_by_text(words["key_step_does"]).is_visible()  # there are no keys
    assert sheet.evaluate("(sheet) => sheet.scrollHeight - sheet.clientHeight") == 0
    stage.page.keyboard.press("Escape")

    stage.page.locator("[data-tool=link]").tap()
    stage.page.locator(".cite").wait_for()
    hidden = stage.page.locator(".cite section:not([hidden]) textarea").evaluate_all(
        "(texts) => texts.map((text) => text.scrollHeight - text.clientHeight)"
    )
    assert hidden == [0] * 3
    stage.page.keyboard.press("Escape")
    stage.page.locator(".whatif > summary").tap()
    panel = stage.page.locator(".whatif-panel")
    panel.wait_for()
    stage.page.locator(".keep-run").tap()
    tip = stage.page.get_by_role("tooltip")  # what a pressed button was for, without a pointer
    tip.wait_for()
    panel.locator(".whatif-line select").first.tap()
    tip.wait_for(state="hidden")
    box = panel.bounding_box()
    on_top = "([x, y]) => document.elementFromPoint(x, y).closest('.whatif-panel') !== null"
    assert stage.page.evaluate(on_top, [box["x"] + 30, box["y"] + box["height"] - 4])
    edges = panel.locator(".whatif-line > :first-child").evaluate_all(
        "(nodes) => nodes.map((node) => node.getBoundingClientRect().left)"
    )
    assert len(set(edges)) == 1
    # It closes for a dialog, also where what is touched takes no focus, as on an iPhone.
    stage.page.evaluate("() => document.activeElement.blur()")
    expect(panel).to_be_visible()
    stage.page.locator("[data-tool=help]").dispatch_event("click")
    sheet.wait_for()
    expect(panel).to_be_hidden()
    stage.page.keyboard.press("Escape")
    stage.page.locator("[data-open=inside]").tap()
    assert_jumps(stage, "way", 12)

    # A press asks.
    stage.anew("")
    stage.drawn()
    stage.page.locator(".ask").tap()
    stage.page.locator(".asked").first.wait_for()
    stage.page.locator(".asking-text").fill("填充的行也要遮住吗")
    first = stage.page.locator(".asked[data-asked=pad_rows]")
    expect(first).to_have_attribute("aria-selected", "true")
    width = PHONE["width"]
    assert all(
        box["x"] >= 0 and box["x"] + box["width"] <= width
        for box in (one.bounding_box() for one in stage.page.locator(".asked").all())
    )
    first.tap()
    assert stage.drawn("drawn.room === 'masks'")["message"] is None

    # Every term opens inside the window.
    stage.anew("")
    stage.drawn()
    tip = stage.page.get_by_role("tooltip")

    def open_each(words):
        words.first.tap()
        expect(tip).to_be_visible()
        stage.page.keyboard.press("Escape")
        expect(tip).to_be_hidden()
        opened = words.evaluate_all(OPEN_EACH)
        assert [one for one in opened if not all(one.values())] == []
        return len(opened)

    assert open_each(stage.page.locator(".term:visible")) > 8
    stage.page.locator("details.strategy summary").tap()
    rest, panel = boxes(stage, ".candidates-rest", ".strategy-panel")
    assert rest["y"] + rest["height"] <= panel["y"]  # the bars are seen while one chooses
    assert open_each(stage.page.locator(".strategy-panel .term")) > 7
    stage.page.locator("[data-tool=language]").click()  # English words are longer
    stage.drawn()
    assert open_each(stage.page.locator(".site-about:visible .term")) > 0


# What reaches beyond the right edge of the window, but for what scrolls in a box of its own.
BEYOND = """() => [...document.querySelectorAll('.stage *')].filter((node) => {
    const { width, right } = node.getBoundingClientRect();
    if (width <= 1 || right <= innerWidth + 0.5 || !node.checkVisibility()) return false;
    for (let box = node.parentElement; !box.matches('.room'); box = box.parentElement) {
        if (box.matches('.stage')) return true;
        if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(box).overflowX)) return false;
    }
    return true;
}).map((node) => node.className || node.tagName)"""


# How far down the picture of the open room begins.
PICTURE_BEGINS = """() => Math.min(...[...document.querySelectorAll(
    '.arcs, .room:not([hidden]) :is(canvas, .beam-box, .heads-list, .inside-reads, .inside-panel)')]
    .map((one) => one.getBoundingClientRect())
    .filter(({ height }) => height > 30).map(({ top }) => top))"""


def assert_begins_in_sight(stage, name):
    """The sentence has most of a line, and the picture of the open room is in sight below it."""
    size = stage.page.viewport_size
    stage.page.evaluate("() => scrollTo(0, 0)")
    assert stage.page.locator(".source-text").bounding_box()["width"] > 0.5 * size["width"]
    for side in ("source", "target") if name == "translate" else ():
        expect(stage.page.locator(f".strip-{side} .tokens")).to_be_in_viewport(ratio=1)
    for bar in (".thumb-bar", ".jumps"):  # for a thumb, which no mouse is
        expect(stage.page.locator(bar)).to_be_hidden()
    assert stage.page.evaluate(PICTURE_BEGINS) < size["height"] - 10, name


LEAST = {"width": 320, "height": 568}
# Windows at twice the size, in English and in Chinese.
TWICE = ({"width": 720, "height": 450}, {"width": 640, "height": 400})


def test_at_twice_the_size_and_on_the_least_phone_the_picture_is_in_sight_and_nothing_beyond(
    visit, pytestconfig
):
    """Every part of every room; each room in one of the languages, in both with --whole."""
    stage, whole = visit(LEAST), pytestconfig.getoption("--whole")
    for turn, name in enumerate(rooms_of(stage)):
        views = {"positions": "[data-study]", "inside": "[data-inside]"}.get(name)
        for language in ("en", "zh") if whole else (("en", "zh")[turn % 2],):
            assert stage.drawn()["language"] == language
            stage.resize(**TWICE[language == "zh"])
            room(stage, name)
            assert_begins_in_sight(stage, name)
            stage.resize(**LEAST)
            stage.drawn(READY)
            for view in stage.page.locator(views).all() if views else (None,):
                if view:
                    view.click()
                    stage.drawn(READY)
                assert stage.page.evaluate(BEYOND) == [], (name, view and view.inner_text())
            stage.page.locator("[data-tool=language]").click()
            stage.drawn(READY)

    # The first line is whole, and lines stand apart.
    for locale in ("en-US", "zh-CN"):
        stage = visit({"width": 320, "height": 700}, locale=locale)
        stage.drawn()
        first, last = boxes(stage, ".lessons-open", ".tool-language")
        assert first["y"] == last["y"]
        examples, translate = boxes(stage, ".examples", "[data-act=translate]")
        assert examples["y"] == translate["y"]
        title, menu = boxes(stage, ".map-title", ".reading-menu")
        assert menu["y"] - title["y"] - title["height"] >= 5
        stage.enter("masks")
        stage.page.locator(".masks-grid").evaluate("(grid) => grid.scrollIntoView()")
        stage.lay_out()
        foot = stage.page.locator(".masks-foot")
        assert foot.evaluate("(foot) => getComputedStyle(foot).position") == "static"
        click_cell(stage, 0, 1, 1)  # it covers some of a map only while it is about a cell of that
        stage.lay_out()
        jumps, foot = boxes(stage, ".jumps", ".masks-foot")
        assert foot["y"] + foot["height"] <= jumps["y"]
        for tab in stage.page.locator(".masks-room > .tabs .tab").all():
            # As high as a thumb, so one line of words.
            assert tab.bounding_box()["height"] <= 44
