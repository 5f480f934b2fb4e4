"""What colours say, in both schemes and where a system has its own."""

import numpy as np
import pytest

CORNERS = """(points) => {
    const canvas = document.querySelector('.stage canvas.map-canvas');
    const ratio = canvas.width / canvas.getBoundingClientRect().width;
    const pen = canvas.getContext('2d');
    return points.map((at) => [...pen.getImageData(
        ...at.map((one) => Math.round(one * ratio)), 1, 1).data].slice(0, 3));
}"""
# What is chosen, what is not, and what tells them apart without a colour of ours.
PAIRS = (
    (".head[aria-pressed=true]", ".head[aria-pressed=false]", "outlineStyle"),
    (".candidate.chosen", ".candidate:not(.chosen)", "fontWeight"),
    (".choice[aria-pressed=true]", ".choice[aria-pressed=false]", "borderBottomColor"),
    (".tab[aria-selected=true]", ".tab[aria-selected=false]", "borderBottomColor"),
    (".token.now", ".strip-target .token.later", "opacity"),
)


def style_of(stage, selector, name):
    return stage.page.locator(selector).first.evaluate(
        "(element, name) => getComputedStyle(element)[name]", name
    )


def lightness_follows(stage):
    """How far the lightness of the cells of the map goes with their weights: -1 to 1."""
    drawn = stage.drawn()
    boxes = [box for row in drawn["cell_boxes"] for box in row]
    # a corner of the cell: numbers may be written in its middle
    points = [[x + 0.15 * width, y + 0.2 * height] for x, y, width, height in boxes]
    lightness = np.array(stage.page.evaluate(CORNERS, points)) @ (0.2126, 0.7152, 0.0722)
    return np.corrcoef(lightness, np.ravel(drawn["weights"]))[0, 1]


def assert_chosen_is_seen(stage):
    """Where the system sets the colours."""
    stage.page.emulate_media(forced_colors="active")
    for chosen, other, name in PAIRS:
        assert style_of(stage, chosen, name) != style_of(stage, other, name), chosen
    assert style_of(stage, ".slider", "forcedColorAdjust") == "none"
    stage.page.emulate_media(forced_colors="none")


@pytest.fixture
def stage(visit):
    opened = visit()
    yield opened
    opened.page.emulate_media(forced_colors="none", contrast="no-preference")


def test_a_cell_tells_its_weight_one_colour_what_is_chosen_and_a_system_may_have_its_own(stage):
    scheme = "() => getComputedStyle(document.documentElement).colorScheme"
    assert "dark" not in stage.page.evaluate(scheme)
    assert lightness_follows(stage) < -0.95

    chosen = stage.page.locator(".head[aria-pressed=true]")
    selected = style_of(stage, ".tab[aria-selected=true]", "borderBottomColor")
    chosen.focus()
    ring = chosen.evaluate("node => getComputedStyle(node).outlineColor")
    assert style_of(stage, ".token.now", "color") == selected != ring
    shadows = chosen.evaluate(
        "node => [node, node.firstChild].map((part) => getComputedStyle(part).boxShadow).join()"
    )
    assert selected in shadows

    quiet = (".gutter", ".site-about", ".step-of")
    usual = [style_of(stage, selector, "color") for selector in quiet]
    stage.page.emulate_media(contrast="more")
    assert all(
        style_of(stage, selector, "color") != colour
        for selector, colour in zip(quiet, usual, strict=True)
    )
    stage.page.emulate_media(contrast="no-preference")

    stage.page.locator("[data-tool=scheme]").click()
    stage.page.wait_for_function(f"() => ({scheme})().includes('dark')")  # its bars, too
    assert lightness_follows(stage) > 0.95
    stage.key("Home")
    assert_chosen_is_seen(stage)
    stage.page.locator("[data-tool=scheme]").click()
    stage.page.wait_for_function(f"() => !({scheme})().includes('dark')")
    assert_chosen_is_seen(stage)
