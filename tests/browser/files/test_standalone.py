"""The page without a server, opened from a file with the network cut, in a real Chromium."""

import pytest
from playwright.sync_api import expect

from model_core.decoding.library import Library
from model_core.values.recipe import Recipe
from tests.browser.checks import (
    assert_drawn_is_the_models,
    assert_every_head_is_the_models,
    assert_scheme,
)
from tests.browser.conftest import PHONE
from tests.conftest import CHECKPOINTS
from viz_app.files.notebook import show
from viz_app.files.standalone import InitialState, standalone_html

SENTENCE = "My brother bought a new red car."
HOSTILE = "<img src=x onerror=alert(1)></script>"


@pytest.fixture(scope="module")
def shown():
    return show("en-fr", SENTENCE)


def visible_controls(page):
    return page.evaluate(
        """() => [...document.querySelectorAll(
            ".stage :is(button, select, input, textarea, a, summary)")]
            .filter((one) => one.checkVisibility())
            .map((one) => ({ tag: one.localName, name: one.dataset.act ?? one.dataset.tool
              ?? one.className, disabled: one.disabled === true, fixed: one.readOnly === true
              || one.getAttribute("aria-disabled") === "true", tab: one.tabIndex }))"""
    )


def over(page):
    """How far the page reaches over the window: to the right, and down."""
    return page.evaluate(
        "() => { const page = document.documentElement;"
        " return [page.scrollWidth - page.clientWidth, page.scrollHeight - page.clientHeight] }"
    )


def test_every_number_and_step_is_there_and_no_control_is_left_that_needs_a_server(
    open_file, shown
):
    stage = open_file(shown.html)
    drawn = stage.drawn()
    assert not drawn["stepping"] and over(stage.page) == [0, 0]
    assert_drawn_is_the_models(drawn, shown.decoding)
    x, y, width, height = drawn["cell_boxes"][4][2]
    box = stage.page.locator(".map-canvas").bounding_box()
    stage.page.mouse.move(box["x"] + x + width / 2, box["y"] + y + height / 2)
    assert f"{drawn['weights'][4][2]:.3f}" in stage.drawn()["reading"]
    last = len(shown.decoding.steps) - 1
    assert stage.key("Home")["at"] == 0
    for at in range(1, 4):
        drawn = stage.key("ArrowRight")
        assert drawn["at"] == at
        assert_drawn_is_the_models(drawn, shown.decoding)
    stage.page.get_by_role("slider", name="Step").fill("6")
    drawn = stage.drawn()
    assert drawn["at"] == 5
    assert_drawn_is_the_models(drawn, shown.decoding)
    for view in ("lines", "heat", "table"):
        drawn = stage.choose("view", view)
        assert drawn["view"] == view
        assert_drawn_is_the_models(drawn, shown.decoding)
    cell = stage.page.locator('td[data-query="2"][data-key="1"]').inner_text()
    assert cell == f"{drawn['weights'][2][1]:.3f}"
    stage.choose("view", "heat")
    stage.page.locator(".token[data-side=target]").nth(2).click()
    assert stage.drawn()["at"] == 1
    stage.page.get_by_role("slider", name="Step").fill(str(last))
    assert stage.drawn()["at"] == last - 1
    assert stage.act("play")["at"] == last
    assert stage.act("back")["at"] == last - 1
    assert stage.act("end")["at"] == last
    assert_every_head_is_the_models(stage, shown.decoding)

    # No control is left that needs a server, and the others work.
    made, page = stage.page.locator(".made"), stage.page
    assert "en-fr (" in made.inner_text() and SENTENCE in page.title()
    page.locator("[data-act=more-candidates]").click()
    controls = visible_controls(page)
    names = {control["name"] for control in controls}
    assert {"back", "step", "play", "end", "large", "scheme", "language", "help"} <= names
    assert not names & {"reset", "translate", "model", "examples", "look-inside"}
    for selector in (
        ".room-tab",
        ".pads",
        ".strategy",
        "select.model",
        ".examples",
        ".look-inside",
        ".count:not(:empty)",
        ".message",
    ):
        expect(page.locator(selector).filter(visible=True)).to_have_count(0)
    candidates = [one for one in controls if one["name"].startswith("candidate")]
    assert len(candidates) == 10
    assert all(one["fixed"] and one["tab"] == -1 for one in candidates)
    are_cut = "(all) => all.map((one) => one.scrollWidth > one.clientWidth)"
    assert not any(page.locator(".candidate-text").evaluate_all(are_cut))
    before = stage.drawn()
    page.locator(".candidate").nth(3).click(force=True)
    for key in ("Enter", "2"):
        stage.key(key)
    after = stage.drawn()
    assert after["recipe"] == before["recipe"] and after["at"] == before["at"]
    assert after["message"] is None

    ground = "() => getComputedStyle(document.documentElement).backgroundColor"
    used = "() => getComputedStyle(document.querySelector('.stage')).colorScheme"
    pixels = "() => document.querySelector('.map-canvas').toDataURL()"
    before = page.evaluate(used), page.evaluate(ground), page.evaluate(pixels)
    page.locator("[data-tool=scheme]").click()
    stage.drawn()
    page.wait_for_function(f"(old) => ({pixels})() !== old", arg=before[2])
    assert page.evaluate(used) != before[0] == "light" and page.evaluate(ground) != before[1]
    page.locator("[data-tool=large]").click()
    said = made.inner_text()
    for language in ("zh", "en"):
        page.locator("[data-tool=language]").click()
        assert stage.drawn()["language"] == language
        assert page.evaluate("() => document.documentElement.lang") == language
        assert (made.inner_text() == said) == (language == "en")
        # A key without its words would stand there as it is.
        assert "_" not in page.locator(".stage").inner_text()
    assert page.locator(".stage.large").count() == 1


def test_it_opens_where_it_was_told_to_or_on_what_there_is_whatever_it_says(open_file, shown):
    led = show(
        "en-fr",
        SENTENCE,
        site="decoder",
        layer=2,
        head=5,
        step=4,
        rows="predicted",
        drawing="lines",
        theme="dark",
        language="zh",
    )
    stage = open_file(led.html, window=PHONE)
    drawn = stage.drawn()
    assert (drawn["site"], drawn["layer"], drawn["head"], drawn["at"]) == ("decoder", 1, 4, 3)
    assert (drawn["rows"], drawn["view"]) == ("predicted", "lines")
    assert drawn["language"] == "zh" and drawn["recipe"] == led.recipe.to_json()
    assert_drawn_is_the_models(drawn, led.decoding)
    assert_scheme(stage, "dark")
    assert over(stage.page)[0] == 0

    view = {
        "site": "nowhere",
        "layer": 99,
        "head": -1,
        "at": "the last",
        "stepping": 1,
        "rows": 3,
        "room": "masks",
        "view": "<b>",
        "spelled": "yes",
        "unknown": {},
    }
    library = Library(CHECKPOINTS)
    stage = open_file(standalone_html(library, shown.recipe, InitialState(view)))
    plain = open_file(shown.html)
    names = ("site", "layer", "head", "at", "rows", "room", "view", "spelled", "weights")
    assert {n: stage.drawn()[n] for n in names} == {n: plain.drawn()[n] for n in names}

    # Hostile text stays text, and an unfinished recipe is shown as it is.
    stage = open_file(show("en-fr", HOSTILE).html, locale="zh-CN")
    drawn = stage.drawn()
    assert drawn["recipe"]["source"] == HOSTILE and drawn["language"] == "zh"
    assert stage.page.locator("img").count() == 0
    assert stage.page.locator(".source-text").input_value() == HOSTILE

    recipe, decoding = library.extend(Recipe("en-fr", SENTENCE), 3)
    stage = open_file(standalone_html(library, recipe))
    drawn = stage.drawn()
    assert drawn["steps"] == len(decoding.steps) == 4 and drawn["finished"] is None
    assert_drawn_is_the_models(drawn, decoding)
    expect(stage.page.locator("[data-act=step]")).to_be_disabled()


def test_a_notebook_shows_it_in_a_frame_that_cannot_reach_out_dark_where_the_notebook_is(open_file):
    shown = show("en-fr", SENTENCE, layer=2, head=6)
    stage = open_file(
        f"<!DOCTYPE html><style>* {{ color: red }}</style><body>{shown._repr_html_()}"
    )
    (frame,) = [one for one in stage.page.frames if one.parent_frame]
    drawn_now = "() => document.querySelector('.stage-host')?.stage?.drawn()"
    frame.wait_for_function(drawn_now)
    drawn = frame.evaluate(drawn_now)
    assert (drawn["layer"], drawn["head"]) == (1, 5)
    assert_drawn_is_the_models(drawn, shown.decoding)
    frame.locator("[data-tool=large]").click()  # remembered although storage is refused
    frame.locator("[data-tool=language]").click()
    assert frame.evaluate(drawn_now)["language"] == "zh"
    assert frame.locator(".stage.large").count() == 1
    assert (
        frame.evaluate("() => getComputedStyle(document.querySelector('.reading')).color")
        != "rgb(255, 0, 0)"
    )
    assert not frame.evaluate(
        "() => { try { return Boolean(parent.document) } catch { return false } }"
    )
    frame.locator("[data-tool=language]").click()
    frame.locator("[data-tool=export]").click()
    with stage.page.expect_download() as saving:
        frame.locator("dialog [data-act=save]").click()
    name = saving.value.suggested_filename
    assert name.startswith("en-fr-cross") and saving.value.failure() is None
    expect(frame.locator(".export-status")).to_contain_text(name)

    dark = "<style>body { color: #111 } body.night { background: #111; color: #ddd }</style>"
    stages = "".join(
        show("en-fr", SENTENCE, theme=theme)._repr_html_() for theme in ("auto", "light")
    )
    stage = open_file(f"<!DOCTYPE html>{dark}<body class=night><div>{stages}</div>")
    auto, light = (one for one in stage.page.frames if one.parent_frame)
    seen = "getComputedStyle(document.querySelector('.stage')).colorScheme"
    auto.wait_for_function(f"() => document.querySelector('.stage') && {seen} === 'dark'")
    assert light.evaluate(seen) == "light"
    stage.page.evaluate("document.body.className = ''")
    auto.wait_for_function(f"() => {seen} === 'light'")
    auto.locator("[data-tool=scheme]").click()  # from now on as the reader says
    auto.wait_for_function(f"() => {seen} === 'dark'")
    auto.evaluate("() => { window.heard = 0; addEventListener('message', () => { heard += 1 }) }")
    stage.page.evaluate("document.body.className = 'day'")
    auto.wait_for_function("() => heard > 0")
    assert auto.evaluate(seen) == "dark"
