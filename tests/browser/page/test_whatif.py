"""Edits on the page: what is switched off is crossed, and every number is the edited model's."""

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.studies.head import study_head
from model_core.values.recipe import Recipe
from tests.browser.checks import assert_drawn_is_the_models
from tests.browser.page.test_look import enter

CHIPS = ".edits .edit-chip"


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
        stage.page.locator(".whatif summary").click()
    line = stage.page.locator(f'.whatif-line[data-edit="{kind}"]')
    if value is None:
        line.locator("input").click()
    else:
        line.locator("select").select_option(value)
    return stage.drawn()


def test_a_key_switches_the_head_off_and_on_again(visit):
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


def test_a_hidden_token_is_struck_and_masked_by_menu_and_by_key(visit):
    stage = visit()
    stage.drawn()
    edit(stage, "hide", "3")
    third = stage.page.locator(".strip-source .token").nth(2)
    assert "struck" in third.get_attribute("class")
    _, decoding = shown(stage)
    assert not decoding.trace("cross", 0).mask_QK[:, 2].any()
    third.focus()
    stage.key("x")
    assert "struck" not in third.get_attribute("class")
    assert chips(stage) == []


@pytest.mark.parametrize(
    ("kind", "value", "spelled"),
    [
        ("sublayer-off", None, "sublayer-off:decoder.3.cross"),
        ("zero-value", "2", "zero-value:2"),
        ("no-scale", None, "no-scale"),
        ("no-positions", None, "no-positions"),
        ("causal-mask", "behind", "causal-mask:behind"),
        ("encoder-layer", "1", "encoder-layer:1"),
        ("dropout", "2", "dropout:2"),
    ],
)
def test_every_kind_of_line_edits_the_model(visit, kind, value, spelled):
    stage = visit()
    stage.drawn()
    edit(stage, kind, value)
    assert chips(stage) == [spelled]
    shown(stage)


def test_edits_add_up_survive_a_reload_and_go_with_one_click(visit):
    stage = visit()
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
    stage.page.locator(f'{CHIPS}[data-edit="hide:2"]').click()
    stage.drawn()
    assert chips(stage) == ["no-scale"]
    again = stage.act("untouched")
    assert chips(stage) == []
    np.testing.assert_array_equal(again["weights"], untouched["weights"])


def test_a_press_between_the_lines_of_the_menu_leaves_it_open(visit):
    stage = visit()
    stage.drawn()
    stage.page.locator(".whatif summary").click()
    stage.page.locator(".whatif-panel > p").click()
    assert stage.page.locator(".whatif").get_attribute("open") is not None


def test_the_menu_tells_the_translation_before_and_after_and_has_a_way_out(visit):
    stage = visit()
    before = stage.drawn()["text"]
    stage.page.locator(".whatif summary").click()
    told = stage.page.locator(".whatif-told")
    expect(told).to_have_text(before)
    after = edit(stage, "no-positions")["text"]
    assert after != before
    expect(told).to_have_text(f"{before} → {after}")
    stage.page.locator("[data-act=close-whatif]").click()
    expect(told).to_be_hidden()
    assert stage.page.evaluate("() => document.activeElement.matches('.whatif summary')")


def test_another_sentence_keeps_what_is_no_token_and_another_model_nothing(visit):
    stage = visit()
    stage.drawn()
    edit(stage, "no-scale")
    edit(stage, "hide", "2")
    stage.page.keyboard.press("Escape")
    stage.type_source("Tom loves Mary.")
    assert chips(stage) == ["no-scale"]
    shown(stage)
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.drawn()
    assert chips(stage) == []


def test_a_room_shows_the_edited_model(visit):
    stage = visit()
    stage.drawn()
    edit(stage, "hide", "1")
    stage.page.keyboard.press("Escape")
    enter(stage, "inside")
    recipe = Recipe.from_json(stage.drawn()["recipe"])
    cell = stage.drawn()["in_room"]["cell"]
    assert list(map(str, recipe.edits)) == ["hide:1"]
    edited = stage.service.library.tracer(recipe.model, recipe.edits)
    study = study_head(
        edited.model,
        edited.evaluate(recipe),
        *(cell[name] for name in ("site", "layer", "head", "query")),
    )
    assert study.weights_K[0] == 0
    assert np.array_equal(np.float32(cell["weights_K"]), np.float32(study.weights_K))
