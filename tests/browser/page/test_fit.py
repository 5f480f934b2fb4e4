"""What is on the page fits it, whatever was typed, and looks as its picture in the README."""

import os
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from tests.browser.checks import (
    HOSTILE,
    assert_drawn_is_the_models,
    assert_nothing_sticks_out,
    assert_scheme,
)
from tests.browser.conftest import CHECKPOINTS, PHONE, WIDE

STEP_IN_VIEW = """(() => {
    const [, y, , high] = drawn.cell_boxes[drawn.outlined_row][0];
    const [strip, token] = [".strip-target .tokens", ".strip-target .now"]
        .map((one) => document.querySelector(one).getBoundingClientRect());
    return y + high <= document.querySelector(".map-box").clientHeight
        && token.bottom <= strip.bottom + 1;
})()"""
PARTS = ("map", "candidates", "sites")
PICTURE = CHECKPOINTS.parent / "viz_app" / "translate.png"


@pytest.mark.parametrize(("window", "texts"), [(WIDE, HOSTILE[::2]), (PHONE, HOSTILE[1::2])])
def test_whatever_is_typed_stays_text(visit, window, texts):
    stage = visit(window)
    images = "() => document.querySelectorAll('.stage img, .stage script, .stage b').length"
    for text in texts:
        drawn = stage.type_source(text)
        assert drawn["message"] is None
        for view in ("lines", "table", "heat"):
            drawn = stage.choose("view", view)
            assert_drawn_is_the_models(drawn, stage.decoding(drawn))
        stage.tokens()
        stage.choose("spelled", "pieces")
        assert stage.page.evaluate(images) == 0
        assert stage.page.locator(".source-text").input_value() == text
        typed = stage.decoding(drawn).source
        assert typed.kinds.count("special") == 1 and typed.kinds[-1] == "special"
        assert_nothing_sticks_out(stage)
        stage.choose("spelled", "words")


def test_in_one_column_each_part_lies_below_the_one_before(visit):
    stage = visit()
    for width in (660, 800, 950):
        stage.resize(width, 900)
        parts = [stage.page.locator(f".stage-main > .{one}") for one in PARTS]
        boxes = [part.bounding_box() for part in parts]
        assert len({box["width"] for box in boxes}) == 1 and boxes[0]["width"] > 0.9 * width
        for above, below in pairwise(boxes):
            assert above["y"] + above["height"] <= below["y"]


def test_sixty_four_tokens_are_drawn(visit):
    stage = visit()
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


@pytest.mark.parametrize(("window", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
def test_the_page_fits(visit, window, scheme):
    stage = visit(window, scheme)
    assert_nothing_sticks_out(stage)
    assert_scheme(stage, scheme)
    if window is WIDE:
        box = stage.page.locator(".stage").bounding_box()
        assert box["y"] + box["height"] <= window["height"]


def test_the_picture_of_the_readme_is_this_page(visit, tmp_path):
    stage = visit()
    stage.page.mouse.move(5, 5)
    stage.page.locator(".pair-said button").first.wait_for()  # what comes after the first picture
    picture = PICTURE if os.environ.get("UPDATE_PICTURE") else tmp_path / "translate.png"
    stage.page.screenshot(path=picture)
    apart = np.abs(areas_of(picture) - areas_of(PICTURE))
    assert apart.mean() < 3 and apart.max() < 60, (apart.mean(), apart.max())


def areas_of(picture):
    """The mean lightness (0 to 255) of areas of 32 x 32 pixels: fonts differ, places do not."""
    with Image.open(picture) as opened:
        assert opened.size == (WIDE["width"], WIDE["height"])
        return np.array(opened.convert("L").reduce(32), float)
