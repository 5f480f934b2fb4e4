"""Branches on the page: what a choice leaves can be gone back to; a target begun with a text."""

from playwright.sync_api import expect

from model_core.values.recipe import Recipe


def names(stage):
    return [chip.text_content() for chip in stage.page.locator(".branch[dir]").all()]


def test_what_a_choice_leaves_can_be_gone_back_to_and_a_text_begins_a_target(visit):
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
    assert left == f"with “{forced['text']}” at step 1"
    stage.key("Control+z")
    assert stage.drawn()["recipe"] == forced["recipe"]
    stage.key("ArrowRight")  # one level, however far the reader went on
    box = stage.page.locator(".source-text")
    box.focus()
    stage.page.keyboard.press("Control+z")  # in a field it belongs to the field
    assert stage.drawn()["recipe"]["target"][0] == forced["recipe"]["target"][0]
    box.blur()
    assert stage.key("Control+z")["recipe"] == greedy["recipe"]

    # What starting over dropped comes back, and another sentence has nothing to undo.
    undo = stage.page.locator(".playback [data-act=undo]")
    empty = stage.act("reset")
    assert empty["steps"] == 1 and empty["text"] == ""
    count = stage.page.locator(".step-of").first
    assert count.inner_text() == "step 0 of …"
    calls = stage.server_calls
    after = stage.act("undo")
    assert (after["recipe"], after["text"]) == (greedy["recipe"], greedy["text"])
    assert stage.server_calls == calls
    expect(undo).to_be_disabled()
    stage.act("leave")
    left = len(names(stage))

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
    assert len(names(stage)) == left + 1

    stage.act("begin")
    box.fill("chat " * 90)
    box.press("Enter")
    stage.page.locator(".message-text").wait_for()
    assert "this model writes 63 here" in stage.drawn()["message"]
    expect(box).to_be_visible()  # what was typed is still there
    assert stage.drawn()["recipe"] == begun["recipe"]

    stage.page.keyboard.press("Escape")
    stage.type_source("The old cat sleeps.")
    assert names(stage) == []
    stage.act("walk")
    expect(undo).to_be_disabled()
