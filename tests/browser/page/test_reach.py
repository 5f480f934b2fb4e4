"""The page for everyone: by keyboard, in every window, from the back row."""

import numpy as np
from playwright.sync_api import expect

from tests.browser.conftest import FRAMES, IN_ROOM, ROOMY, WIDE
from tests.browser.page.test_walk import EVERYDAY
from tests.browser.walks import room, rooms_of
from viz_app.text import WORDS

FOCUSED = "document.activeElement"
WINDOWS = [ROOMY, WIDE]
LONG = "My brother bought a new red car last week and sold it again on Sunday morning."


# the keyboard


def test_steps_go_by_keys_focus_stays_beside_them_and_a_sentence_is_one_stop(visit):
    stage = visit()
    stage.act("walk")
    for act, beside in (("step", "play"), ("back", "step")):
        move = stage.page.locator(f"[data-act={act}]:visible").first
        while move.is_enabled():  # one that is over hands its focus on
            move.press("Enter")
            stage.drawn()
        expect(stage.page.locator(f"[data-act={beside}]:visible").first).to_be_focused()

    # By arrow keys; shortcuts of one character can be switched off.
    stage.anew("")
    steps = stage.drawn()["steps"]
    drawn = stage.key("Home")
    count = stage.page.locator(".step-of").first
    assert count.inner_text() == f"step 1 of {steps}"
    stage.page.locator(".strip-target .token").first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        stage.page.keyboard.press(key)
    assert stage.drawn()["at"] == 0
    assert stage.key("Enter")["at"] == 2
    stage.page.evaluate(f"() => {FOCUSED}.blur()")
    stage.key("Home")
    stage.key("?")
    box = stage.page.locator(".help [name=shortcuts]")
    expect(box).to_be_checked()
    box.uncheck()
    stage.page.keyboard.press("Escape")
    for key in ("2", "e", "?"):
        stage.key(key)
    assert stage.drawn()["recipe"] == drawn["recipe"]
    assert stage.page.locator("dialog[open]").count() == 0
    assert stage.key("ArrowRight")["at"] == 1  # the others still work
    stage.page.locator("[data-tool=language]").click()
    stage.page.get_by_role("button", name=WORDS["zh"]["help"]).click()  # not before they came
    expect(stage.page.locator(".help [name=shortcuts]")).not_to_be_checked()

    # It is read aloud in the order of the page.
    stage.anew("")
    stage.drawn()
    said = stage.page.locator(".stage").aria_snapshot()
    parts = ('list "source"', 'group "pads"', 'list "target"', "was read from")
    parts += ('region "attention map"',)
    parts += ('region "Most probable next tokens"', 'region "Attention"')
    places = [said.index(part) for part in parts]
    assert places == sorted(places)
    word = stage.page.get_by_role("list", name="source").get_by_role("button").first
    assert word.get_attribute("data-index") == "0"  # it is pressed to see how it was tokenised
    stage.enter("beam")
    assert stage.page.locator(".strip-source .token").first.get_attribute("role") is None

    # By keyboard a sentence is one stop, and the map is the first.
    stage.anew("")
    drawn = stage.drawn()
    stage.page.locator(".skip").focus()
    before = stage.page.locator(".stage :is(button, select, textarea, input)").first
    assert before.get_attribute("class") == "skip"
    stage.page.keyboard.press("Enter")
    stage.page.wait_for_function(f"() => {FOCUSED}.matches('.map-canvas')")
    for side in ("source", "target"):
        stops = stage.page.locator(f".strip-{side} .token[tabindex='0']")
        assert stops.count() == 1
    stage.page.locator(".strip-source .token").first.focus()
    at = stage.page.locator(".strip-source .token").nth(2)
    for _ in range(2):
        stage.page.keyboard.press("ArrowRight")
    expect(at).to_be_focused()
    # What points at a token says who attends to it; nothing has moved, and nothing was taken.
    assert drawn["source_labels"][2] in stage.drawn()["reading"]
    stage.page.keyboard.press("Enter")
    assert stage.drawn()["at"] == drawn["at"] and stage.drawn()["recipe"] == drawn["recipe"]
    room(stage, "inside")
    keys = stage.page.locator("[data-tokens=key]")
    chosen = keys.locator("[aria-pressed=true]")
    before = int(chosen.get_attribute("data-index"))
    expect(keys.locator(".token[tabindex='0']")).to_have_count(1)
    chosen.press("ArrowLeft")
    stage.page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("data-index", str(before - 1))
    assert stage.drawn()["at"] == drawn["at"]
    room(stage, "masks")
    stage.page.wait_for_function(
        "() => document.querySelector('.stage-host').stage.drawn().in_room?.maps"
    )
    stage.page.locator(".skip").press("Enter")
    stage.page.wait_for_function(f"() => {FOCUSED}.matches('.masks-room canvas')")


# the window


# Of the row of buttons and of each of them: what has no name, or more words than room.
CUT_MOVES = """(row) => [row, ...[...row.querySelectorAll(".move")].filter((one) =>
    one.checkVisibility())].filter((one) => one.scrollWidth > one.clientWidth
        || (one !== row && !(one.title && (one.ariaLabel || one.innerText.trim()))))
    .map((one) => one.outerHTML)"""


def assert_words_are_whole(stage, size):
    """Those of the buttons of the steps; the page fits the window."""
    _, height = size
    stage.act("walk")
    assert stage.page.locator(".playback .moves").evaluate(CUT_MOVES) == []
    end = stage.page.locator(".stage-body").bounding_box()
    assert end["y"] + end["height"] <= height + 1
    assert stage.page.evaluate("() => document.documentElement.scrollHeight <= window.innerHeight")
    expect(stage.page.locator(".thumb-bar")).to_be_hidden()  # it is for phones
    stage.act("leave")


def assert_heads_are_whole(stage, size):
    """All heads are there, and no word of one or of the drawing of the model is cut."""
    for site in ("cross", "decoder", "encoder"):
        stage.choose("site", site)
        box = stage.page.locator(".head").last.bounding_box()
        assert box["height"] > 20 and box["y"] + box["height"] <= size[1]
        cut = stage.page.evaluate(
            """() => [...document.querySelectorAll(".plan-block, .head-does, .plan-notes p")]
                .filter((one) => one.scrollWidth > one.clientWidth + 1)
                .map((one) => one.textContent)"""
        )
        assert cut == []


def assert_menu_is_whole(stage):
    needed, given = stage.page.locator("select.model").evaluate(
        """(menu) => {
            const style = getComputedStyle(menu);
            const pen = document.createElement("canvas").getContext("2d");
            pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
            const arrow = 16 + parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
            return [pen.measureText(menu.selectedOptions[0].text).width + arrow, menu.offsetWidth];
        }"""
    )
    assert needed <= given


def test_a_warning_covers_nothing_and_in_every_window_nothing_is_cut_and_the_page_fits(
    visit, pytestconfig
):
    stage = visit()
    source = stage.drawn()["recipe"]["source"]
    for number, window in enumerate([*WINDOWS, {"width": 720, "height": 450}]):
        stage.resize(**window)
        stage.type_source(("cat " * 120, "")[number % 2])
        message = stage.page.locator(".message")
        expect(message).to_contain_text(source)
        over = message.bounding_box()
        for near in (".source-text", ".strip-source .tokens", ".strip-target .tokens"):
            box = stage.page.locator(near).bounding_box()
            above = box["y"] + box["height"] <= over["y"] + 1
            assert above or over["y"] + over["height"] <= box["y"] + 1, near

    # Nothing is cut, and the page fits.
    stage.anew("")
    whole = pytestconfig.getoption("--whole")
    for _ in ("en", "zh"):
        for size in ((1440, 900), (1280, 720)):
            stage.resize(*size)
            stage.drawn()
            assert_menu_is_whole(stage)
            assert_words_are_whole(stage, size)
        stage.resize(390, 844)
        stage.drawn()
        assert_menu_is_whole(stage)
        stage.page.locator("[data-tool=language]").click()
    stage.resize(1440, 900)
    stage.key("x")  # with what is changed, and a branch, in a line of their own
    stage.page.locator('.candidate[data-place="1"]').click()
    for size in ((1440, 900), (1280, 720)):
        stage.page.locator("[data-tool=language]").click()
        stage.resize(*size)
        assert_heads_are_whole(stage, size)
    # What is changed holds in every room: usual or large, or with --whole in both.
    for name in rooms_of(stage):
        room(stage, name)
        has_lines = name in ("masks", "compare", "inside")  # of its own
        if has_lines:
            assert stage.page.locator(".sentences > :not(.edits):visible").count() == 0, name
        for large in (False, True) if whole else (not has_lines,):
            if large:
                stage.page.locator("[data-tool=large]").click()
            chip = stage.page.locator(".sentences > .edits .edit-chip")
            expect(chip).to_be_in_viewport(ratio=1)
            if large:
                stage.page.locator("[data-tool=large]").click()


# from the back row

CELL = """() => {
    const drawn = document.querySelector('.stage-host').stage.drawn();
    const [, , width, height] = drawn.room === 'masks' ? drawn.in_room.maps[5].first_cell
        : drawn.cell_boxes[0][0];
    return [width, height];
}"""


def cell_of(stage):
    """Width and height of a cell, once the room stands still."""
    stage.drawn(f"drawn.room === 'translate' || {IN_ROOM}")
    stage.page.evaluate(f"() => {FRAMES}")
    return stage.page.evaluate(CELL)


def assert_larger_gives_no_cell_less_room(stage):
    for text, places in (
        ("Tom sleeps.", ((WINDOWS[0], "translate"), (WINDOWS[1], "masks"))),
        (LONG, ((WINDOWS[1], "masks"), (WINDOWS[1], "translate"))),
    ):
        stage.type_source(text)
        for window, name in places:
            stage.resize(**window)
            stage.page.locator(f"[data-open={name}]").click()
            usual = cell_of(stage)
            stage.page.locator("[data-tool=large]").click()
            larger = cell_of(stage)
            stage.page.locator("[data-tool=large]").click()
            assert larger[0] * larger[1] >= 0.9 * usual[0] * usual[1], (text, name, larger, usual)
            assert larger[0] >= usual[0], (text, name)


# The last row is whole, in letters that can be read from afar. The line under the map may take
# another row from it, after which it is drawn once more.
LAST_ROW_IN_SIGHT = """(([, y, , height]) => height >= 14
    && y + height <= document.querySelector('.map-box').clientHeight)
    (drawn.cell_boxes.at(-1)[0])"""


def test_a_projector_shows_large_maps_sentences_whole_and_of_long_ones_what_a_step_looks_at_most(
    visit, pytestconfig
):
    stage = visit()
    assert_larger_gives_no_cell_less_room(stage)
    stage.type_source("The old cat sleeps on the warm roof.")
    for window in WINDOWS:
        stage.resize(**window)
        before = stage.key("End")
        button = stage.page.locator("[data-tool=large]")
        pressed = button.bounding_box()
        button.click()
        stage.drawn()
        larger = button.bounding_box()
        for at, size in (("x", "width"), ("y", "height")):  # the next press needs no other place
            assert 0 < pressed[at] + pressed[size] / 2 - larger[at] < larger[size]
        large = stage.page.locator(".stage").evaluate("(stage) => getComputedStyle(stage).fontSize")
        assert large == "20px"
        for gone in (".sites", ".model", ".pair-acts", ".strip-end >> nth=0", ".head-acts"):
            expect(stage.page.locator(gone)).to_be_hidden()
        # Both sentences stay, and another one can be typed.
        expect(stage.page.locator(".source-text")).to_have_value(before["recipe"]["source"])
        expect(stage.page.locator(".source-text")).to_be_editable()
        expect(stage.page.locator("[data-act=translate]")).to_be_visible()
        words = stage.page.locator(".strip-target .token:visible").all_inner_texts()
        assert [word for word in words if word != "end"] == before["row_labels"][:-1]
        boxes = {
            name: stage.page.locator(name).bounding_box()
            for name in (".map", ".candidates", ".tools", ".strip-target .tokens", ".pair-said")
        }
        rows = [row[0] for row in stage.drawn()["cell_boxes"]]
        assert len(rows) == 10
        seen = stage.page.locator(".map-box").bounding_box()["height"]
        assert rows[0][1] > 0 and rows[-1][1] + rows[-1][3] <= seen
        assert boxes[".strip-target .tokens"]["height"] > 30
        assert boxes[".pair-said"]["y"] + boxes[".pair-said"]["height"] <= boxes[".map"]["y"]
        assert boxes[".map"]["width"] > 0.55 * window["width"]
        assert boxes[".candidates"]["y"] + boxes[".candidates"]["height"] <= window["height"]
        assert boxes[".tools"]["x"] + boxes[".tools"]["width"] <= window["width"]
        assert stage.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
        assert stage.key("ArrowLeft")["at"] == before["at"] - 1
        head = stage.key("ArrowUp")  # heads too, although their small maps are put away
        assert head["head"] != before["head"] or head["layer"] != before["layer"]
        stage.page.locator(".map [data-pick=head]").select_option(index=1)  # the pointer does, too
        stage.page.locator(".map [data-map-site=encoder]").click()
        picked = stage.drawn()
        assert picked["site"] == "encoder"
        assert stage.choose("map-site", "cross")["locked"] == {"layer": head["layer"], "head": 1}
        stage.key("?")
        keys = stage.page.locator("dialog.help")
        assert keys.evaluate("(keys) => keys.scrollHeight - keys.clientHeight") == 0
        stage.key("Escape")
        stage.page.locator("[data-tool=large]").click()
        expect(stage.page.locator(".source-text")).to_be_visible()

    # Sentences are shown whole, and of long ones what a step looks at most.
    stage.page.locator("[data-tool=large]").click()
    for sentence in EVERYDAY if pytestconfig.getoption("--whole") else EVERYDAY[:3]:
        drawn = stage.type_source(sentence)
        assert len(drawn["cell_boxes"]) == len(drawn["row_labels"])
        stage.drawn(LAST_ROW_IN_SIGHT)
    stage.resize(1280, 900)
    stage.type_source(f"{LONG[:-1]}, and {LONG[:-1]}, and {LONG}")
    stage.key("Home")
    box = stage.page.locator(".map-box")
    inner, whole = box.evaluate("({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]")
    assert whole > 1.2 * inner
    for _ in range(18):
        drawn = stage.key("ArrowRight")
        at = drawn["at"]
        most = int(np.argmax([weight or 0 for weight in drawn["weights"][at]]))
        x, _, width, _ = drawn["cell_boxes"][at][most]
        assert x > 0 and x + width <= inner
    stage.page.locator("[data-tool=large]").click()
