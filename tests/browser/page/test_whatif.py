"""Edits on the page: what is switched off is crossed, and every number is the edited model's."""

import numpy as np
from playwright.sync_api import expect

from model_core.studies.head import study_head
from model_core.values.recipe import Recipe
from tests.browser.checks import assert_drawn_is_the_models
from tests.browser.conftest import PHONE, ROOMY

CHIPS = ".edits .edit-chip"
BOXES = ("no-scale", "no-positions")
# Whether the page has given up waiting for the answer, and is drawn without it.
IS_SLOW = """() => {
    document.querySelector(".stage-host").stage.drawn();
    return document.querySelector(".stage").matches(".slow");
}"""

# One of each kind of line; of a token there is `hide`.
LINES = (
    ("sublayer-off", None, "sublayer-off:decoder.3.cross"),
    ("no-scale", None, "no-scale"),
    ("causal-mask", "behind", "causal-mask:behind"),
    ("encoder-layer", "1", "encoder-layer:1"),
    ("dropout", "2", "dropout:2"),
)


def shown(stage):
    """What is drawn, against what the core makes of the recipe on the page."""
    drawn = stage.drawn()
    recipe = Recipe.from_json(drawn["recipe"])
    tracer = stage.service.library.tracer(recipe.model, recipe.edits)
    decoding = tracer.evaluate(recipe)
    assert_drawn_is_the_models(drawn, decoding)
    said = stage.page.locator(".translation").text_content()
    assert said == tracer.text(decoding)
    return recipe, decoding


def chips(stage):
    return [chip.get_attribute("data-edit") for chip in stage.page.locator(CHIPS).all()]


def edit(stage, kind, value=None):
    """One line of the menu: a box, or a choice."""
    if not stage.page.locator(".whatif").evaluate("menu => menu.open"):
        stage.page.locator(".whatif > summary").click()
    line = stage.page.locator(f'.whatif-line[data-edit="{kind}"]')
    line.locator("..").evaluate("group => { group.open = true; }")
    if value is None:
        line.locator("input").click()
    else:
        line.locator("select").select_option(value)
    return stage.drawn()


def test_heads_tokens_and_lines_edit_the_model_tell_what_they_changed_add_up_and_go_again(visit):
    stage = visit()
    before = stage.drawn()
    untouched = shown(stage)
    stage.key("x")
    off = f"head-off:{before['site']}.{before['layer'] + 1}.{before['head'] + 1}"
    assert chips(stage) == [off]
    crossed = stage.page.locator(".head.off")
    assert crossed.count() == 1
    assert crossed.get_attribute("data-layer") == str(before["layer"])
    recipe, decoding = shown(stage)
    assert list(map(str, recipe.edits)) == [off]
    assert decoding.log_probabilities != untouched[1].log_probabilities  # it predicts otherwise
    stage.key("x")
    assert chips(stage) == [] and stage.page.locator(".head.off").count() == 0
    assert shown(stage)[1].target.ids == untouched[1].target.ids

    edit(stage, "hide", "3")
    stage.page.keyboard.press("Escape")
    third = stage.page.locator(".strip-source .token").nth(2)
    assert "struck" in third.get_attribute("class")
    _, decoding = shown(stage)
    assert not decoding.trace("cross", 0).mask_QK[:, 2].any()
    stage.enter("inside")  # a room shows the edited model
    cell = stage.drawn()["in_room"]["cell"]
    recipe = Recipe.from_json(stage.drawn()["recipe"])
    assert list(map(str, recipe.edits)) == ["hide:3"]
    edited = stage.service.library.tracer(recipe.model, recipe.edits)
    where = (cell[name] for name in ("site", "layer", "head", "query"))
    study = study_head(edited.model, edited.evaluate(recipe), *where)
    assert study.weights_K[2] == 0
    assert np.array_equal(np.float32(cell["weights_K"]), np.float32(study.weights_K))
    stage.page.locator("[data-open=translate]").click()
    expect(third).to_be_visible()  # what is hidden takes no focus, and says nothing
    third.focus()
    stage.key("x")
    assert "struck" not in third.get_attribute("class")
    assert chips(stage) == []

    # Every kind of line, which tells what it changed.
    stage.anew("")
    untouched = stage.drawn()
    stage.page.locator(".whatif > summary").click()
    stage.page.locator(".whatif-panel > p").click()  # between the lines
    told = stage.page.locator(".whatif-changed")
    expect(told).to_have_text(untouched["text"])
    for kind, value, spelled in LINES:
        after = edit(stage, kind, value)
        assert chips(stage) == [spelled]
        shown(stage)
        if after["text"] != untouched["text"]:
            expect(told).to_have_text(f"{untouched['text']} → {after['text']}")
        stage.page.keyboard.press("Escape")
        stage.page.locator(f"{CHIPS}[data-edit='{spelled}']").click()
        stage.drawn()
    stage.page.locator(".whatif > summary").click()
    stage.page.locator("[data-act=close-whatif]").click()
    expect(told).to_be_hidden()
    assert stage.page.evaluate("() => document.activeElement.matches('.whatif > summary')")

    # A box shows at once that it was pressed.
    stage.anew("")
    stage.drawn()
    stage.page.locator(".whatif > summary").click()
    lines = [stage.page.locator(f'.whatif-line[data-edit="{kind}"]') for kind in BOXES]
    for line in lines:
        line.locator("..").evaluate("group => { group.open = true; }")
    held = []
    stage.page.route("**/stage/answer", lambda route: held.append(route))
    for line in lines:
        line.locator("input").click()
        stage.page.wait_for_function(IS_SLOW)
        expect(line.locator("input")).to_be_checked()
    assert chips(stage) == []
    for route in held:
        route.continue_()
    stage.page.unroute_all()
    stage.drawn(f"drawn.recipe.edits?.length === {len(BOXES)}")
    assert set(chips(stage)) == set(BOXES)

    stage.page.keyboard.press("Escape")
    held.clear()
    stage.page.route("**/stage/answer", lambda route: held.append(route))
    for place, key in ((1, "x"), (2, "Shift+X")):
        stage.page.locator(".strip-source .token").nth(place).focus()
        stage.page.keyboard.press("Control+x")  # which is no key of the page
        stage.page.keyboard.press(key)
    for route in held:
        route.continue_()
    stage.page.unroute_all()
    stage.drawn(f"drawn.recipe.edits?.length === {len(BOXES) + 2}")
    assert set(chips(stage)) == {*BOXES, "hide:2", "hide:3"}

    # They survive a reload and another sentence, and not another model.
    stage.anew("")
    untouched = stage.drawn()
    edit(stage, "no-scale")
    edit(stage, "hide", "2")
    stage.page.keyboard.press("Escape")
    both = {"hide:2", "no-scale"}
    assert set(chips(stage)) == both
    stage.page.reload()
    stage.drawn()
    assert set(chips(stage)) == both
    shown(stage)
    again = stage.act("untouched")
    assert chips(stage) == []
    np.testing.assert_array_equal(again["weights"], untouched["weights"])
    edit(stage, "no-scale")
    edit(stage, "hide", "2")
    stage.page.keyboard.press("Escape")
    stage.type_source("Tom loves Mary.")
    assert chips(stage) == ["no-scale"]  # what is of no token
    shown(stage)
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.drawn()
    assert chips(stage) == []


# How far apart two elements are, in pixels: across, and down between their middles.
BESIDE = """([one, other]) => {
    const [a, b] = [one, other].map((name) => {
        const found = [...document.querySelectorAll(name)].filter((node) => node.checkVisibility());
        return found.at(-1).getBoundingClientRect();
    });
    return [b.left - a.right, Math.abs(a.top + a.height / 2 - b.top - b.height / 2)];
}"""


def test_what_changes_something_stands_where_that_stands_and_the_line_under_the_pair_stays(visit):
    stage = visit(PHONE)
    stage.page.locator("[data-act=begin]").wait_for()
    for window in (PHONE, {"width": 1024, "height": 768}, ROOMY):
        stage.resize(**window)
        before = stage.drawn()
        stage.lay_out()
        for what, control in (
            (".strip-source .token", ".pads button"),
            (".strip-target .token", "[data-act=begin]"),
            (".map-title:not(.other)", "[data-act=head-off]"),
            ("[data-act=head-off]", ".whatif > summary"),
        ):
            across, down = stage.page.evaluate(BESIDE, [what, control])
            assert 0 <= across < 60 and down < 6, (window, what, control)
            box = stage.page.locator(f"{control} >> visible=true").bounding_box()
            assert window != PHONE or min(box["width"], box["height"]) >= 44
        title = stage.page.locator(".map-title:visible").bounding_box()
        assert window == PHONE or title["height"] < 25  # in one line

    # A word that is pressed offers to hide it right under it, and hidden, to show it again.
    word = stage.page.locator(".strip-source .token").nth(5)
    hide = stage.page.locator("[data-act=hide-word]")
    hidden = f"hide:{int(word.get_attribute('data-index')) + 1}"
    for edits in ([hidden], []):
        word.click()
        box, under = hide.bounding_box(), word.bounding_box()
        assert 0 <= box["y"] - under["y"] - under["height"] < 20
        hide.click()
        drawn = stage.drawn(f"(drawn.recipe.edits ?? []).length === {len(edits)}")
        assert (drawn["recipe"].get("edits") or []) == edits
        assert ("struck" in word.get_attribute("class")) is bool(edits)
        expect(hide).to_be_hidden()

    # The head on the map is switched off at its name, and on again.
    off = stage.page.locator("[data-act=head-off]")
    for pressed in ("true", "false"):
        off.click()
        stage.drawn()
        assert off.get_attribute("aria-pressed") == pressed
        assert stage.page.locator(".head.off").count() == (pressed == "true")
    assert stage.drawn()["text"] == before["text"]
    stage.page.locator(".reading-menu").select_option("rollout")  # which is of no one head
    stage.drawn()
    expect(off).to_be_hidden()

    # The line under the pair stays where it is, whatever comes and goes in it.
    stage.anew("")
    stage.drawn()
    stage.lay_out()
    names = (".switch-spelled", ".pair-acts .look-inside")

    def places():
        return [stage.page.locator(name).locator("visible=true").bounding_box() for name in names]

    before = places()
    for change in (
        lambda: stage.key("x"),
        lambda: stage.act("undo"),
        lambda: stage.choose("spelled", "plain"),
        lambda: stage.choose("spelled", "words"),
        lambda: stage.act("walk"),
        lambda: stage.act("leave"),
    ):
        change()
        stage.lay_out()
        assert places() == before
