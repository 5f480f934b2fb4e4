"""Branches on the page: what a choice leaves can be gone back to; a target begun with a text."""

from playwright.sync_api import expect

from model_core.values.recipe import Recipe


def names(stage):
    return [chip.text_content() for chip in stage.page.locator(".branch[dir]").all()]


def test_what_a_choice_leaves_is_a_branch_and_a_text_begins_a_target(visit):
    stage = visit()
    greedy = stage.drawn()
    calls = stage.server_calls
    assert names(stage) == []
    stage.key("Home")
    forced = stage.key("2")
    assert forced["recipe"]["target"][0]["how"] == "forced"
    assert len(names(stage)) == 1
    assert stage.server_calls <= calls + 1  # none where the answer was fetched ahead
    calls = stage.server_calls
    stage.page.locator(".branch[dir]").click()
    back = stage.drawn()
    assert stage.server_calls == calls  # the browser held it
    assert (back["recipe"], back["text"]) == (greedy["recipe"], greedy["text"])
    (left,) = names(stage)
    assert left == forced["text"]
    stage.key("Control+z")
    assert stage.drawn()["recipe"] == forced["recipe"]

    stage.act("begin")
    box = stage.page.locator(".begin-text")
    expect(box).to_be_focused()  # what is typed at once is no shortcut
    box.fill("Sur le toit")
    box.press("Enter")
    stage.page.locator(".begin-box").wait_for(state="hidden")
    begun = stage.drawn()
    hows = [choice["how"] for choice in begun["recipe"]["target"]]
    n = hows.count("forced")
    assert hows[:n] == ["forced"] * n and begun["at"] == n
    tracer = stage.service.library.tracer(begun["recipe"]["model"])
    recipe = Recipe.from_json(begun["recipe"])
    assert recipe.target_ids[:n] == tracer.model.target("Sur le toit").ids[:-1]
    assert begun["text"] == tracer.text(tracer.evaluate(recipe))
    assert len(names(stage)) == 2

    stage.act("begin")
    box.fill("chat " * 90)
    box.press("Enter")
    stage.page.locator(".message-text").wait_for()
    assert "this model writes 63 here" in stage.drawn()["message"]
    expect(box).to_be_visible()  # what was typed is still there
    assert stage.drawn()["recipe"] == begun["recipe"]
