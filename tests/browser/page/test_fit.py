"""What is on the page fits it, whatever was typed, in windows of any size."""

from itertools import pairwise

import pytest

from tests.browser.checks import HOSTILE, assert_drawn_is_the_models, assert_nothing_sticks_out
from tests.browser.conftest import PHONE, WIDE

STEP_IN_VIEW = """(() => {
    const [, y, , high] = drawn.cell_boxes[drawn.outlined_row][0];
    const [strip, token] = [".strip-target .tokens", ".strip-target .now"]
        .map((one) => document.querySelector(one).getBoundingClientRect());
    return y + high <= document.querySelector(".map-box").clientHeight
        && token.bottom <= strip.bottom + 1;
})()"""
PARTS = ("map", "candidates", "sites")
IMAGES = "() => document.querySelectorAll('.stage img, .stage script, .stage b').length"


@pytest.mark.parametrize(("turn", "window"), [(0, WIDE), (1, PHONE)], ids=["wide", "phone"])
def test_whatever_is_typed_stays_text(visit, pytestconfig, turn, window):
    """Each text in one of the windows and one of the views; in all of them with --whole."""
    stage, whole = visit(window), pytestconfig.getoption("--whole")
    views = ("lines", "table", "heat")
    for number, text in enumerate(HOSTILE if whole else HOSTILE[turn::2]):
        drawn = stage.type_source(text)
        assert drawn["message"] is None
        for view in views if whole else (views[number % 3],):
            drawn = stage.choose("view", view)
            assert_drawn_is_the_models(drawn, stage.decoding(drawn))
        stage.tokens()
        stage.choose("spelled", "pieces")
        assert stage.page.evaluate(IMAGES) == 0
        assert stage.page.locator(".source-text").input_value() == text
        typed = stage.decoding(drawn).source
        assert typed.kinds.count("special") == 1 and typed.kinds[-1] == "special"
        assert_nothing_sticks_out(stage)
        stage.choose("spelled", "words")


def test_sixty_four_tokens_are_drawn_and_in_one_column_the_parts_lie_below_each_other(visit):
    stage = visit()
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
