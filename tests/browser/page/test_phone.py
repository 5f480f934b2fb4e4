"""The page under a thumb: the map first with its digits, and a way through a tall room."""

import re

import pytest

from tests.browser.conftest import PHONE
from tests.browser.walks import READY, room, rooms_of
from viz_app.text import WORDS

TOUCH = {"has_touch": True, "is_mobile": True}


def test_the_translation_stands_under_its_button(visit):
    stage = visit(PHONE, **TOUCH)
    text = stage.type_source("What is your name?")["text"]
    assert stage.page.locator(".translation").text_content() == text
    said = stage.page.locator(".strip-target .tokens")
    assert said.inner_text().split() == [*stage.drawn()["row_labels"]]
    box, button = said.bounding_box(), stage.page.locator("[data-act=translate]").bounding_box()
    assert button["y"] < box["y"] and box["y"] + box["height"] < 0.5 * PHONE["height"]
    assert not stage.page.locator("[data-tool=large]").is_visible()  # nothing would be larger


def test_a_touched_cell_and_its_sentence_stay(visit):
    stage = visit(PHONE, **TOUCH)
    stage.type_source("She sees the big black cat.")
    stage.page.locator(".map .map-canvas").scroll_into_view_if_needed()
    x, y, width, height = stage.drawn()["cell_boxes"][1][2]
    canvas = stage.page.locator(".map .map-canvas")
    canvas.tap(position={"x": x + width / 2, "y": y + height / 2})
    drawn = stage.drawn()
    labels = drawn["column_labels"]
    assert labels[2] in drawn["reading"]
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


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_on_a_phone_the_map_comes_first_and_targets_fit_a_thumb(visit, locale):
    stage = visit(PHONE, locale=locale, **TOUCH)
    stage.drawn()
    tops = [
        stage.page.locator(name).bounding_box()["y"]
        for name in (".strip-target .tokens", ".map", ".candidates", ".sites")
    ]
    assert tops == sorted(tops)
    small = stage.page.evaluate("""() => [...document.querySelectorAll(
        '.stage button, .stage select, .stage summary, .stage .token')]
        .filter((node) => node.getClientRects().length && !node.matches('.term, .skip, .dart'))
        // Words stand in a sentence.
        .map((node) => [node.className, node.offsetWidth, node.offsetHeight,
            node.matches('.token, .as-link') ? 20 : 43.5])
        .filter(([, width, height, least]) => Math.min(width, height) < least)""")
    assert small == []
    tall, wide = stage.page.evaluate(
        "() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
    )
    assert tall <= 3 * PHONE["height"] and wide <= PHONE["width"]


# What a canvas writes while it is painted anew.
WRITTEN = """async (press) => {
    const texts = [];
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
        texts.push(text);
        return write.call(this, text, ...more);
    };
    document.querySelector(press).click();
    await new Promise(requestAnimationFrame);
    document.querySelector(".stage-host").stage.drawn();
    CanvasRenderingContext2D.prototype.fillText = write;
    return texts;
}"""


def test_the_map_of_a_phone_is_whole_in_the_first_screen_and_has_its_digits(visit):
    stage = visit(PHONE, **TOUCH)
    drawn = stage.drawn()
    map_box = stage.page.locator(".map-box").bounding_box()
    last = drawn["cell_boxes"][-1][-1]
    assert map_box["y"] + last[1] + last[3] <= PHONE["height"]
    texts = stage.page.evaluate(WRITTEN, "[data-tool=scheme]")
    weights = [weight for row in drawn["weights"] for weight in row if weight and weight >= 0.095]
    digits = [text for text in texts if re.fullmatch(r"(1?\.\d\d)", text)]
    assert sorted(digits) == sorted(f"{weight:.2f}".removeprefix("0") for weight in weights)


@pytest.mark.parametrize(("locale", "view"), [("en-US", "cell"), ("zh-CN", "way")])
def test_a_tall_room_on_a_phone_has_its_parts_to_jump_to(visit, locale, view):
    stage = visit(PHONE, locale=locale, **TOUCH)
    stage.page.locator("[data-open=inside]").tap()
    stage.page.locator(f"[data-inside={view}]").tap()
    stage.page.wait_for_function(
        "(view) => { const room = document.querySelector('.stage-host').stage.drawn().in_room;"
        " return room?.ready && room.view === view && room[view] }",
        arg=view,
    )
    assert stage.page.evaluate("document.documentElement.scrollHeight > 2 * innerHeight")
    line = stage.page.locator(".jumps")
    line.wait_for()
    jumps = stage.drawn()["jumps"]
    assert len(jumps) == (7 if view == "cell" else 12)
    for at in (len(jumps) // 2, 1):
        line.locator(f"[data-to='{at}']").tap()
        name = stage.page.locator(".panel-name, .stage-name").filter(visible=True).nth(at)
        assert name.text_content() == jumps[at]
        box = line.bounding_box()
        top = name.bounding_box()["y"]
        assert box["y"] + box["height"] == pytest.approx(PHONE["height"], abs=1)
        assert 0 <= top < 0.5 * PHONE["height"]


def test_the_help_of_a_phone_says_what_rows_and_rooms_are_and_leaves_out_the_keys(visit):
    stage = visit(PHONE, locale="zh-CN", **TOUCH)
    stage.page.locator("[data-tool=help]").tap()
    sheet = stage.page.get_by_role("dialog", name=WORDS["zh"]["help"])
    sheet.get_by_text(WORDS["zh"]["help_cells"]).wait_for()
    rooms = stage.page.locator("[data-open]")
    assert sheet.locator("dt:visible").all_inner_texts() == rooms.all_inner_texts()
    assert not sheet.get_by_text(WORDS["zh"]["key_step_does"]).is_visible()
    assert sheet.evaluate("(sheet) => sheet.scrollHeight - sheet.clientHeight") == 0


def test_the_line_of_parts_stays_and_the_row_of_the_step_is_in_view(visit):
    stage = visit({"width": 390, "height": 620}, **TOUCH)
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
    x, y, _, height = drawn["cell_boxes"][drawn["outlined_row"]][0]
    scrolled = box.evaluate("(box) => box.scrollLeft")
    assert scrolled > 0 and y + height <= map_box["height"]
    opaque = """(box, [x, y]) => box.querySelector('canvas').getContext('2d')
        .getImageData(...[x, y, 1, 1].map((at) => Math.round(at * devicePixelRatio))).data[3]"""
    edge, inside = (
        box.evaluate(opaque, [x + scrolled + beyond, y + height / 2]) for beyond in (1, 30)
    )
    assert edge < 50 < 250 < inside


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


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_on_the_least_phone_nothing_reaches_beyond_the_window(visit, locale):
    stage = visit({"width": 320, "height": 568}, locale=locale)
    for name in rooms_of(stage):
        room(stage, name)
        assert stage.page.evaluate(BEYOND) == [], name
    for name, views in (("positions", "[data-study]"), ("inside", "[data-inside]")):
        room(stage, name)
        for view in stage.page.locator(views).all():
            view.click()
            stage.drawn(READY)
            assert stage.page.evaluate(BEYOND) == [], view.inner_text()


def test_what_opens_on_a_phone_is_whole(visit):
    stage = visit(PHONE, **TOUCH)
    stage.page.locator("[data-tool=link]").tap()
    stage.page.locator(".cite").wait_for()
    hidden = "(texts) => texts.map((text) => text.scrollHeight - text.clientHeight)"
    assert (
        stage.page.locator(".cite section:not([hidden]) textarea").evaluate_all(hidden) == [0] * 3
    )
    stage.page.keyboard.press("Escape")
    stage.page.locator(".whatif summary").tap()
    panel = stage.page.locator(".whatif-panel")
    panel.wait_for()
    stage.page.locator(".keep-run").tap()
    tip = stage.page.get_by_role("tooltip")  # what a pressed button was for, without a pointer
    tip.get_by_text("side by side").wait_for()
    panel.locator(".whatif-line select").first.tap()
    tip.wait_for(state="hidden")
    box = panel.bounding_box()
    on_top = "([x, y]) => document.elementFromPoint(x, y).closest('.whatif-panel') !== null"
    assert stage.page.evaluate(on_top, [box["x"] + 30, box["y"] + box["height"] - 4])
    edges = panel.locator(".whatif-line > :first-child").evaluate_all(
        "(nodes) => nodes.map((node) => node.getBoundingClientRect().left)"
    )
    assert len(set(edges)) == 1
