"""What is on the page fits it, whatever was typed, in windows of any size."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.checks import HOSTILE, assert_drawn_is_the_models, assert_nothing_sticks_out
from tests.browser.conftest import PHONE, ROOMY, TABLET, WIDE

STEP_IN_VIEW = """(() => {
    const [, y, , high] = drawn.cell_boxes[drawn.outlined_row][0];
    const [strip, token] = [".strip-target .tokens", ".strip-target .now"]
        .map((one) => document.querySelector(one).getBoundingClientRect());
    return y + high <= document.querySelector(".map-box").clientHeight
        && token.bottom <= strip.bottom + 1;
})()"""
PARTS = ("map", "candidates", "sites")
HIGHER = "() => document.documentElement.scrollHeight - innerHeight"
# Elements of what was typed.
MADE = "() => document.querySelectorAll('.stage :is(img, script, b, s, pad)').length"


# What several of them say fits one sentence.
TYPED = [HOSTILE[0], " ".join(HOSTILE[1:3]), HOSTILE[3], " ".join(HOSTILE[4:6]), HOSTILE[6]]
WAYS = [("lines", "plain"), ("table", "pieces"), ("heat", "words")]  # a view and a spelling


def test_whatever_is_typed_stays_text_in_every_room_and_reaches_beyond_no_window(
    visit, pytestconfig
):
    """Each text in one of the windows, views and spellings; in all of them with --whole."""
    stage, whole = visit(WIDE), pytestconfig.getoption("--whole")
    for turn, window in enumerate((WIDE, PHONE)):
        stage.resize(**window)
        stage.anew("")
        for number, text in enumerate(HOSTILE if whole else TYPED[turn::2], 2 * turn):
            assert_stays_text(stage, text, WAYS if whole else (WAYS[number % 3],))
    assert_stays_text_in_rooms(stage)


def assert_stays_text(stage, text, ways):
    assert stage.type_source(text)["message"] is None, text
    for view, spelled in ways:
        stage.choose("view", view)
        if spelled == "pieces":
            stage.tokens()  # beside which pieces are offered
        drawn = stage.choose("spelled", spelled)
        decoding = stage.decoding(drawn)
        assert_drawn_is_the_models(drawn, decoding)
        assert stage.page.evaluate(MADE) == 0, text
        assert_nothing_sticks_out(stage)
    assert stage.page.locator(".source-text").input_value() == text
    kinds = decoding.source.kinds
    assert kinds.count("special") == 1 and kinds[-1] == "special", text


# The other views of rooms that have some, and keys of words that stand there as they are.
VIEWS = {"positions": "[data-study]", "inside": "[data-inside]"}
RAW = r"\b(?!W_|d_|c_H)[a-z]+(_[a-z]+)+\b"


def assert_stays_text_in_rooms(stage):
    stage.page.emulate_media(color_scheme="dark")
    stage.anew("")
    foreign = f"<img src=x onerror=alert(1)> </s> {{row}} {HOSTILE[4]}"
    for text, window, rooms in (
        (foreign, PHONE, ("masks", "positions", "inside", "heads", "beam")),
        ("cat " * 62, WIDE, ("positions",)),
        (None, PHONE, ("positions", "inside")),  # the same
    ):
        stage.resize(**window)
        assert not text or stage.type_source(text)["message"] is None, text
        for name in rooms:
            stage.enter(name)
            views = stage.page.locator(VIEWS[name]).all() if name in VIEWS else [None]
            for view in views:
                if view:
                    view.click()
                    stage.in_room()
                assert stage.page.evaluate(MADE) == 0, name
                assert not re.search(RAW, stage.page.locator(f"[data-room={name}]").inner_text())
                assert_nothing_sticks_out(stage)
                if window is WIDE:
                    assert stage.page.evaluate(HIGHER) <= 0, name


# Where sentences have several lines: what reaches beyond its place, or has a number over it.
OUT_OF_PLACE = """() => [...document.querySelectorAll(
    ".strip .token, .pair-said span, .message-text")]
    .filter((one) => one.checkVisibility() && (one.getBoundingClientRect().right > innerWidth
        || one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
        || !["none", "normal"].includes(getComputedStyle(one, "::before").content)))
    .map((one) => one.textContent)"""


# Where the parts are that stay when the stepping begins, in pixels from the top of the page.
TOPS = """(parts) => parts.map((part) =>
    Math.round(document.querySelector(part).getBoundingClientRect().top + scrollY))"""


# How much is painted of the arcs.
PAINTED = """() => {
    document.querySelector(".stage-host").stage.drawn();
    const canvas = document.querySelector(".arcs-canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.reduce((sum, value, at) => sum + (at % 4 === 3 ? value : 0), 0);
}"""


def test_long_words_and_sentences_have_their_place_in_every_window(visit):
    stage = visit(PHONE)
    for text in (f"{'Donaudampfschifffahrt' * 4} sleeps", " ".join(["the cat sleeps and"] * 12)):
        stage.type_source(text)
        stage.page.locator(".sentences.wraps").wait_for(state="attached")
        stage.lay_out()
        assert stage.page.evaluate(OUT_OF_PLACE) == [], text
        assert_nothing_sticks_out(stage)
    said = stage.type_source("cat " * 120)
    message = stage.page.locator(".message")
    assert text[:40] in message.inner_text() and text not in message.inner_text()
    assert said["recipe"]["source"] == text  # what stands below is still of it
    assert message.bounding_box()["height"] < 0.2 * PHONE["height"]

    # The parts stand in one column, and sixty-four tokens are drawn.
    stage.anew("")
    for width in (660, 950):
        stage.resize(width, 900)
        parts = [stage.page.locator(f".stage-main > .{one}") for one in PARTS]
        boxes = [part.bounding_box() for part in parts]
        assert len({box["width"] for box in boxes}) == 1 and boxes[0]["width"] > 0.9 * width
        for above, below in pairwise(boxes):
            assert above["y"] + above["height"] <= below["y"]
    stage.type_source(("cat " * 63).strip())
    for window in (WIDE, PHONE):
        stage.resize(**window)
        drawn = stage.choose("site", "cross")
        assert len(drawn["source_labels"]) == 64
        assert_drawn_is_the_models(drawn, stage.decoding(drawn))
        stage.resize(window["width"], window["height"] - 50)
        stage.drawn(STEP_IN_VIEW)
        drawn = stage.choose("site", "encoder")
        assert len(drawn["weights"]) == 64
        assert_drawn_is_the_models(drawn, stage.decoding(drawn))
        assert_nothing_sticks_out(stage)

    # A word that is pointed at stands out, and a long name takes no line.
    stage.resize(**TABLET)
    stage.anew("")
    stage.lay_out()
    at_rest = stage.page.evaluate(PAINTED)
    stage.page.locator(".strip-target .now").hover()  # the arcs that are looked at stay the same
    stage.page.locator(".strip-target .now.pointed").wait_for()
    assert 0 < stage.page.evaluate(PAINTED) < 0.8 * at_rest
    # What another sentence brings under a pointer that rests is not pointed at until it moves.
    met = stage.page.locator(".strip-target .token:hover")
    stage.type_source("Yes.")
    expect(met).to_have_count(0)
    stage.type_source("He wants to buy a red car.")
    expect(met).to_have_count(1)
    stage.drawn()
    assert stage.page.locator(".token.pointed").count() == 0
    met.hover(position={"x": 8, "y": 8})
    stage.page.locator(".strip-target .token:hover.pointed").wait_for()
    stage.page.locator(".model").select_option("reverse-leak")  # the longest name
    stage.drawn()
    button, text = (stage.page.locator(one) for one in ("[data-act=translate]", ".source-text"))
    assert button.bounding_box()["y"] == pytest.approx(text.bounding_box()["y"], abs=4)


def test_the_page_stays_where_it_is_under_what_lies_over_it_and_ends_with_escape(visit):
    stage = visit(TABLET)
    for size, parts in (
        (TABLET, (".arcs", ".map", ".candidates", ".sites")),
        (PHONE, (".arcs", ".map")),
    ):
        stage.resize(**size)
        stage.anew("")
        stage.page.locator("[data-act=hide-needed]").wait_for()  # a line with a link in it
        stage.lay_out()
        before = stage.page.evaluate(TOPS, parts)
        stage.page.locator("[data-act=walk]").click()
        stage.drawn("drawn.stepping")
        stage.page.locator("[data-act=hide-needed]").wait_for()
        stage.lay_out()
        assert stage.page.evaluate(TOPS, parts) == before, size

    # How a pressed word came about is said over the page.
    long = "The unbelievable hippopotamus swims."  # what is said of it takes four lines of a phone
    for size, text in ((ROOMY, None), (PHONE, None), (PHONE, long)):
        stage.resize(**size)
        stage.anew("")
        if text:
            stage.type_source(text)
        stage.page.locator("[data-act=hide-needed]").wait_for()
        stage.drawn()
        stage.lay_out()
        parts = [stage.page.locator(one) for one in (".pair-acts", ".map", ".map-box canvas")]
        before = [part.first.bounding_box() for part in parts]
        stage.page.locator(".strip-source .token").nth(3).click()
        sheet = stage.page.locator(".assembly-sheet")
        expect(sheet).to_contain_text("the order in which it learnt them")
        stage.lay_out()
        assert [part.first.bounding_box() for part in parts] == before
        if size != PHONE:  # no control is under it
            ends = sum(sheet.bounding_box()[one] for one in ("y", "height"))
            assert ends <= stage.page.locator(".pair-step").bounding_box()["y"] + 5
        sheet.locator("[data-act=close-assembly]").click()
        expect(sheet).to_be_hidden()

    # What lies over the page is whole and ends with Escape, as the stepping does.
    stage.resize(**WIDE)
    stage.anew("")
    word = stage.page.locator(".strip-source .token").nth(3)
    sheet = stage.page.locator(".assembly-sheet")
    word.click()
    expect(sheet).to_contain_text("the order in which it learnt them")
    stage.lay_out()
    box, target, source = (
        part.bounding_box()
        for part in (
            sheet,
            *(stage.page.locator(f".strip-{one} .tokens") for one in ("target", "source")),
        )
    )
    # In a low window it lies between the two sentences, and covers neither of them.
    assert source["y"] + source["height"] <= box["y"] + 8
    assert box["y"] + box["height"] <= target["y"] + 8
    word.click()
    for leave in (
        lambda: stage.page.keyboard.press("Escape"),
        lambda: stage.page.keyboard.press("ArrowDown"),
        lambda: stage.page.locator(".map-title").first.click(),
    ):
        word.click()
        expect(sheet).to_be_visible()
        leave()
        expect(sheet).to_be_hidden()
    stage.page.locator("[data-act=walk]").click()
    stage.drawn("drawn.stepping")
    stage.page.locator("[data-tool=export]").click()
    dialog = stage.page.locator("dialog.export")
    expect(dialog).to_be_visible()
    stage.page.evaluate("document.activeElement.blur()")  # as where what was pressed is off
    stage.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    stage.drawn("drawn.stepping")
    stage.page.keyboard.press("Escape")
    stage.drawn("!drawn.stepping")

    # The menu of strategies is whole in a low window, and covers no bar: they are seen to change.
    stage.page.locator("details.strategy summary").click()
    stage.choose("strategy", "sample")
    stage.drawn("!drawn.sampling.awaited")
    stage.lay_out()
    menu, rest = (
        stage.page.locator(one).bounding_box() for one in (".strategy-panel", ".candidates-rest")
    )
    assert menu["y"] + menu["height"] <= WIDE["height"]
    assert rest["y"] + rest["height"] <= menu["y"]
