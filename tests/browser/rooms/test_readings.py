"""Other readings of the large map in a real browser, and steps that were fetched before a click."""

from urllib.parse import quote

import numpy as np
from playwright.sync_api import expect

from model_core.studies.hiding import hide_words
from model_core.studies.readings import cross_rollout, mean_of_heads, rollout, value_norms
from model_core.values.recipe import Recipe
from model_core.values.words import words_of

EDITED = (
    "#v=3&model=en-fr&text=My+brother+bought+a+new+red+car.&edit=hide%3A3&site=cross&layer=1&head=4"
)


def choose(stage, reading):
    stage.page.locator(".reading-menu").select_option(reading)
    return stage.drawn(f"drawn.shown_reading === '{reading}'")


def cells(drawn):
    """The numbers of the map; NaN where there is none."""
    return np.array(
        [[np.nan if cell is None else cell for cell in row] for row in drawn["weights"]], float
    )


def test_every_reading_is_what_the_model_computes_a_link_opens_on_it_and_it_tells_what_was_needed(
    visit,
):
    stage = visit(link=EDITED)
    stage.drawn()
    stage.page.keyboard.press("End")
    drawn = choose(stage, "norms")
    recipe = Recipe.from_json(drawn["recipe"])
    tracer = stage.service.library.tracer(recipe.model, recipe.edits)
    decoding = tracer.evaluate(recipe)
    layer, head = drawn["layer"], drawn["head"]
    weights = {
        site: np.stack([decoding.trace(site, n).weights_HQK for n in range(decoding.layers(site))])
        for site in ("encoder", "cross")
    }
    norms_K = value_norms(tracer.model, decoding, "cross", recipe.edits)[layer, head]
    allowed_QK = decoding.trace("cross", layer).mask_QK
    seen = cells(drawn)
    assert np.array_equal(drawn["value_norms"], norms_K)
    expected = np.where(allowed_QK, weights["cross"][layer, head] * norms_K, np.nan)
    np.testing.assert_array_equal(seen.astype(np.float32), expected[: len(seen)])
    assert drawn["scale_limit"] == np.nanmax(expected)
    assert "norm" in drawn["title"] and "Kobayashi" in drawn["about_reading"]
    stage.page.wait_for_url("**reading=norms**")  # written after the picture
    mean = cells(choose(stage, "mean"))
    expected = np.where(allowed_QK, mean_of_heads(weights["cross"], layer), np.nan)
    np.testing.assert_allclose(mean, expected[: len(mean)], rtol=0, atol=1e-6)
    rolled = cells(choose(stage, "rollout"))
    expected = np.where(
        allowed_QK, cross_rollout(weights["cross"], layer, weights["encoder"]), np.nan
    )
    np.testing.assert_allclose(rolled, expected[: len(rolled)], rtol=0, atol=1e-6)
    hidden = choose(stage, "hidden")
    words = words_of(decoding.source)
    changes_TW = hide_words(tracer.model, decoding, words).changes_TW
    seen = cells(hidden)
    for at, word in enumerate(words):
        for token in word:
            np.testing.assert_allclose(seen[: len(changes_TW), token], changes_TW[:, at], atol=1e-6)
    assert "one sentence" in hidden["about_reading"]
    on_encoder = stage.choose("site", "encoder")
    assert on_encoder["shown_reading"] == "weights"
    assert "cross-attention" in on_encoder["about_reading"]
    place = on_encoder["layer"]
    own = cells(choose(stage, "rollout"))
    np.testing.assert_allclose(
        own[~np.isnan(own)],
        rollout(weights["encoder"], place)[~np.isnan(own)],
        rtol=0,
        atol=1e-6,
    )

    for reading in ("norms", "hidden"):
        stage.anew(f"{EDITED}&reading={reading}")
        stage.drawn(f"drawn.shown_reading === '{reading}'")
        assert stage.page.locator(".reading-menu").input_value() == reading

    # Where a word needed another than it was read from.
    for text, at, is_another in (
        ("She wants to buy a red car.", 5, False),
        ("I have not eaten since this morning.", 7, True),
    ):
        stage.anew(f"#v=3&model=en-fr&text={quote(text)}&at={at}")
        needed = stage.page.locator(".pair-needed")
        expect(needed).to_contain_text("times less likely")
        assert ("It needed" in needed.inner_text()) == is_another, text
        stage.page.locator(".reading-menu").select_option("hidden")  # it shows what was needed
        expect(stage.page.locator(".pair-said")).to_contain_text("depends most on")
        assert "It needed" not in needed.inner_text(), text


def test_steps_that_were_fetched_need_no_answer_and_characters_of_a_word_are_hidden_as_one(visit):
    stage = visit()
    stage.drawn()
    asked = []
    stage.page.on("request", lambda one: asked.append(one.post_data or ""))

    with stage.page.expect_response(
        lambda one: '"next":4' in (one.request.post_data or "")
    ) as fetched:
        stage.step_by_step()
    fetched.value.finished()
    stage.page.evaluate("() => new Promise(requestAnimationFrame)")  # and read by the page
    asked.clear()
    calls = stage.server_calls
    for steps in (2, 3, 4):
        assert stage.act("step")["steps"] == steps
    assert stage.server_calls == calls
    drawn = stage.drawn()
    decoding = stage.decoding(drawn)
    layer, head = drawn["layer"], drawn["head"]
    weights_QK = decoding.trace("cross", layer).weights_HQK[head]
    np.testing.assert_array_equal(cells(drawn).astype(np.float32), weights_QK)
    assert drawn["text"] == stage.service.library.tracer("en-fr").text(decoding)
    assert not any('"extend"' in one for one in asked)

    # Characters that are one word are hidden as one.
    stage.anew(f"#v=3&model=zh-en&text={quote('图书馆今天开门吗？')}&at=2")
    hide = stage.page.locator("[data-act=hide-needed]")
    expect(hide).to_have_text("Hide “图书馆”")
    hide.click()
    assert stage.drawn("drawn.recipe.edits")["recipe"]["edits"] == ["hide:1", "hide:2", "hide:3"]
    expect(stage.page.locator(".pair-said")).to_contain_text(
        "the probability of “library” went from"
    )
    stage.page.wait_for_url("**edit=hide%3A3**")
