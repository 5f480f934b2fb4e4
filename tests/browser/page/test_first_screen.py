"""What the page shows before anybody does anything: how much, how large, and how far up."""

from tests.browser.conftest import PHONE

WINDOW = {"width": 1440, "height": 900}
# What can be pressed or typed into, but for what the picture itself is made of.
CONTROLS = """() => [...document.querySelectorAll(
    ".stage :is(button, select, input, textarea, summary, a)")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true })
        && !one.matches(".token, .head, .candidate, .term")).length"""
SMALL = """() => [...document.querySelectorAll(".stage *")].filter((one) => one.checkVisibility()
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    && parseFloat(getComputedStyle(one).fontSize) < 13).map((one) => one.className)"""


def test_the_first_screen_is_calm_and_begins_with_its_picture(visit):
    stage = visit(WINDOW)
    drawn = stage.drawn()
    assert drawn["by"] == "words" and drawn["finished"] == "end"
    assert stage.page.evaluate(CONTROLS) <= 40
    assert stage.page.locator(".arcs").bounding_box()["y"] < 200
    assert stage.page.evaluate(SMALL) == []
    # What the word at hand needed comes by itself.
    stage.page.locator("[data-act=hide-needed]").wait_for()


def test_the_sentence_says_what_hiding_that_word_changes(visit):
    stage = visit(WINDOW)
    before = stage.drawn()
    written = before["row_labels"][before["outlined_row"]]
    stage.page.locator("[data-act=hide-needed]").click()
    after = stage.drawn("drawn.recipe.edits?.length > 0")
    assert all(edit.startswith("hide:") for edit in after["recipe"]["edits"])
    assert written not in after["text"]


def test_on_a_phone_the_pair_is_in_the_first_screen(visit):
    stage = visit(PHONE, has_touch=True, is_mobile=True)
    stage.drawn()
    box = stage.page.locator(".strip-target .tokens").bounding_box()
    assert box["y"] + box["height"] < 0.5 * PHONE["height"]
