"""The room Compare in a real Chromium: every number drawn is one of the two models'."""

import json
from urllib.parse import quote

import numpy as np
from playwright.sync_api import expect

from model_core.values.recipe import Choice, Recipe
from model_core.values.words import by_words
from tests.browser.conftest import PHONE, TABLET
from tests.browser.walks import fragment
from viz_app.rooms.compare.runs import beside
from viz_app.rooms.compare.view import CompareView

HOSTILE = "</s> <img src=x onerror=alert(1)> 猫"
LINK = "#v=3&model=en-fr&text=The+old+cat+sleeps+on+the+warm+roof.&room=compare"


def settled(stage, ready="true"):
    """What the page shows, once no answer is outstanding."""
    return stage.drawn(f"drawn.in_room?.ready && !drawn.in_room.busy && ({ready})")


def press(stage, selector):
    stage.page.locator(selector).click()
    return settled(stage)


def pick(stage, run, part, place):
    box = stage.page.locator(f'.compare-run[data-run="{run}"] [data-pick={part}]')
    box.select_option(index=place)
    return settled(stage)


def other(stage, drawn):
    """B: what was chosen, or what the room begins with."""
    room, a = drawn["in_room"], Recipe.from_json(drawn["recipe"])
    if room["b"] is not None:
        return Recipe.from_json(room["b"])
    (b,) = beside(stage.service.library.tracer(a.model), a, CompareView())
    assert room["b_source"] == b.source
    return b


def decodings(stage, drawn):
    """What the models make of A, and of B with the tokens that it is fed."""
    a, b = Recipe.from_json(drawn["recipe"]), other(stage, drawn)
    if drawn["in_room"]["fed"]:
        b = Recipe(b.model, b.source, tuple(Choice(one.token) for one in a.target))
    steps = 0 if b.target else None  # a run that names no tokens is carried to its end
    extend = stage.service.library.extend
    return {a.model: extend(a, 0)[1]}, {b.model: extend(b, steps)[1]}


def assert_maps_are_the_models(stage, drawn):
    """Three maps, cell by cell: what one run lacks is no number, and the third is A less B."""
    room = drawn["in_room"]
    maps = {one["name"]: np.array(one["values"], float) for one in room["maps"]}
    for one in room["maps"]:
        maps[one["name"]][np.array(one["marks"]) == "absent"] = np.nan
    for run, made, place in zip("ab", decodings(stage, drawn), room["places"], strict=True):
        (decoding,) = made.values()
        own_QK = decoding.trace(room["site"], place["layer"]).weights_HQK[place["head"]]
        of_words = stage.page.locator(
            ".compare-room [data-spelled=words][aria-pressed=true]"
        ).count()
        if of_words:
            own_QK = by_words(decoding, room["site"], written=True).weights(own_QK)
        there = ~np.isnan(maps[run])
        rows, columns = there.any(1), there.any(0)
        assert np.array_equal(there, np.outer(rows, columns))
        np.testing.assert_allclose(
            maps[run][np.ix_(rows, columns)], own_QK, rtol=0, atol=1e-6 * of_words
        )
    apart = maps["a"].astype(np.float32) - maps["b"].astype(np.float32)
    np.testing.assert_array_equal(maps["difference"], apart)


def test_it_opens_on_the_norm_before_and_after_on_one_sentence_side_by_side_in_every_window(visit):
    stage = visit()
    stage.drawn()
    drawn = press(stage, "[data-open=compare]")
    assert drawn["recipe"]["model"] == "en-fr" and other(stage, drawn).model == "en-fr-prenorm"
    assert drawn["in_room"]["b_source"] == drawn["recipe"]["source"]
    assert_maps_are_the_models(stage, drawn)
    press(stage, "[data-tool=large]")
    tops = [box.bounding_box()["y"] for box in stage.page.locator(".compare-map").all()]
    assert len(set(tops)) == 1  # beside one another in large type too
    press(stage, "[data-tool=large]")
    pick(stage, "a", "layer", 1)
    drawn = pick(stage, "b", "head", 6)
    assert drawn["in_room"]["places"][1]["head"] == 6
    assert_maps_are_the_models(stage, drawn)
    for site in ("encoder", "decoder"):
        drawn = press(stage, f"[data-compare-site={site}]")
        assert drawn["in_room"]["site"] == site
        assert_maps_are_the_models(stage, drawn)
    # One cursor moves both: the row of the maps, and the candidates of the step of each.
    press(stage, "[data-compare-site=cross]")
    stage.key("Home")
    drawn = stage.key("ArrowRight")
    assert drawn["at"] == 1 and {one["current"] for one in drawn["in_room"]["maps"]} == {1}
    lines = drawn["in_room"]["candidates"]
    for run, made in enumerate(decodings(stage, drawn)):
        ((model, decoding),) = made.items()
        tracer = stage.service.library.tracer(model)
        best = decoding.steps[1].best(1)
        (line,) = [one for one in lines if one[0] == tracer.labels(best).texts[0].strip()]
        probability = np.exp(decoding.steps[1].log_probabilities_V[best[0]])
        assert line[1 + run].replace("✓", "").strip() == f"{probability:.3f}"

    # On a tablet A stands beside B, and what is read right under the maps.
    stage.resize(**TABLET)
    stage.anew("")
    stage.enter("compare")
    stage.lay_out()
    a, b, apart, side = (
        stage.page.locator(one).bounding_box()
        for one in (*(f"[data-of={name}]" for name in ("a", "b", "difference")), ".compare-side")
    )
    assert a["y"] == b["y"] and a["x"] + a["width"] <= b["x"]
    assert apart["x"] == a["x"] and apart["y"] >= a["y"] + a["height"]
    assert side["x"] == b["x"] and abs(side["y"] - apart["y"]) < 8

    stage.resize(1920, 1080)
    stage.in_room()
    stage.lay_out()
    maps = stage.page.locator(".compare-box").first.bounding_box()
    reading = stage.page.locator(".compare-left .reading").bounding_box()
    assert 0 <= reading["y"] - maps["y"] - maps["height"] < 16


def test_a_kept_run_stays_in_a_link_too_and_b_may_be_fed_what_was_forced(visit):
    stage = visit(link=LINK)
    first = settled(stage)["recipe"]
    press(stage, "[data-act=compare-keep]")
    stage.type_source("The old dog sleeps.")
    drawn = settled(stage)
    assert drawn["in_room"]["b"] == first and drawn["recipe"]["source"] == "The old dog sleeps."
    assert "sleeps" in drawn["in_room"]["maps"][0]["column_labels"]
    assert_maps_are_the_models(stage, drawn)
    pieces = press(stage, "[data-spelled=plain]:visible")
    assert "sleep" in pieces["in_room"]["maps"][0]["column_labels"]
    assert "by=pieces" in fragment(stage)
    assert_maps_are_the_models(stage, pieces)
    press(stage, "[data-spelled=words]:visible")
    assert_maps_are_the_models(stage, drawn)
    assert "blank" in drawn["in_room"]["summary"][-1]
    by_position = press(stage, "[data-align=position]")
    assert_maps_are_the_models(stage, by_position)
    rows = by_position["in_room"]["maps"][0]["row_labels"]
    assert rows != drawn["in_room"]["maps"][0]["row_labels"]
    link = fragment(stage)
    assert "compare.align=position" in link
    stage.anew(link)
    again = settled(stage)
    for name in ("b", "align", "places"):
        assert again["in_room"][name] == by_position["in_room"][name]
    for one, before in zip(again["in_room"]["maps"], by_position["in_room"]["maps"], strict=True):
        assert one["row_labels"] == before["row_labels"]
        assert one["column_labels"] == before["column_labels"]
        numbers = [np.array(each["values"], float) for each in (one, before)]
        np.testing.assert_array_equal(*numbers)
    assert again["recipe"] == drawn["recipe"]
    stage.page.locator("[data-act=compare-swap]").click()
    absent = json.dumps(again["in_room"]["maps"][0]["marks"])  # the longer run lacks others
    swapped = settled(
        stage, f"JSON.stringify(drawn.in_room.maps[0].marks) !== JSON.stringify({absent})"
    )
    assert swapped["recipe"] == first and swapped["in_room"]["b"] == drawn["recipe"]
    assert_maps_are_the_models(stage, swapped)

    # What was forced is named, and B may be fed it.
    stage.anew(LINK)
    settled(stage)
    press(stage, "[data-act=compare-keep]")
    stage.page.locator("[data-open=translate]").click()
    stage.key("Home")
    taken = stage.key("2")
    stage.act("end")
    room = press(stage, "[data-open=compare]")["in_room"]
    word = taken["recipe"]["target"][0]
    label = stage.service.library.tracer("en-fr").labels([word["token"]]).texts[0].strip()
    assert f"“{label}” at step 1" in room["summary"][0] and room["lead"][0] and not room["fed"]
    drawn = press(stage, "[data-feed=a]")
    assert drawn["in_room"]["fed"] and not drawn["in_room"]["marked"]
    assert_maps_are_the_models(stage, drawn)
    assert "compare.feed=a" in fragment(stage)

    # The tokens that a choice dropped.
    stage.anew("")
    before = stage.drawn()
    stage.key("Home")
    stage.key("2")
    stage.act("end")
    drawn = press(stage, "[data-act=compare-dropped]")
    room = drawn["in_room"]
    assert room["b"] == before["recipe"]
    assert "step 1" in room["lead"][0] and room["marked"] and len(room["marked"]) % 2 == 0
    # The run stood at its end: where both part there is more to see. A chosen step stays.
    assert drawn["at"] == room["maps"][0]["current"] == 0
    stage.key("End")
    last = settled(stage)["at"]
    assert last > 0
    press(stage, "[data-align=position]")
    assert settled(stage)["at"] == last
    assert_maps_are_the_models(stage, drawn)


def test_hostile_words_stay_text_on_a_phone_and_a_b_that_is_refused_is_mended(visit):
    stage = visit(PHONE, locale="zh-CN", link=LINK)
    settled(stage)
    first = stage.page.locator('[data-of="a"]').bounding_box()
    assert first["y"] < 2 / 3 * PHONE["height"]  # a map stands on the first screen
    box = stage.page.locator(".compare-sentence")
    box.fill(HOSTILE)
    box.press("Enter")
    drawn = settled(stage, f"drawn.in_room.b?.source === {HOSTILE!r}")
    assert_maps_are_the_models(stage, drawn)
    assert stage.page.locator(".stage img").count() == 0
    a, b = (stage.page.locator(f'[data-of="{run}"]').bounding_box() for run in "ab")
    assert a["y"] + a["height"] <= b["y"]  # A stands above B
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(stage.page.locator('[data-act="compare-same"]')).to_be_visible()

    other = quote("v=3&model=nowhere&text=The+cat+sleeps.")
    stage.anew(f"{LINK}&compare.b={other}")
    why = stage.page.get_by_role("alert")
    expect(why).to_contain_text("nowhere")
    run = stage.page.locator('.compare-run[data-run="b"]')
    expect(run.locator(".compare-sentence")).to_have_value("The cat sleeps.")
    boxes = [one.bounding_box() for one in (why, run.locator(".compare-pick"))]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]  # it covers nothing
    run.locator("select").first.select_option("model:en-fr-prenorm")
    assert settled(stage)["in_room"]["b"]["model"] == "en-fr-prenorm"
    expect(why).to_be_hidden()
    expect(stage.page.locator(".compare-maps")).to_be_visible()


def test_a_slider_goes_through_the_training_and_the_anti_diagonal_appears(visit):
    stage = visit(link="#v=3&model=reverse-sinusoidal&text=attention&room=compare")
    drawn = settled(stage)
    updates = [
        int(name.partition("@")[2])
        for name in stage.page.locator("select.model option").evaluate_all(
            "(options) => options.map(({ value }) => value)"
        )
        if name.startswith("reverse-sinusoidal@")
    ]
    assert updates == sorted(updates) and len(updates) > 3
    room = drawn["in_room"]
    assert room["training"]["count"] == len(updates) + 1
    assert other(stage, drawn).model == f"reverse-sinusoidal@{updates[0]}"  # the first example
    assert f" in A, {updates[0]} in B" in room["summary"][0]
    assert_maps_are_the_models(stage, drawn)

    def on_the_anti_diagonal(of):
        (values,) = [one["values"] for one in room["maps"] if one["name"] == of]
        letters = len("attention")
        return np.mean([values[i][letters - 1 - i] for i in range(min(letters, len(values)))])

    early, last = on_the_anti_diagonal("b"), on_the_anti_diagonal("a")
    assert early < 0.4 < 0.8 < last
    slider = stage.page.locator(".compare-room .updates-slider")
    slider.focus()
    stage.page.keyboard.press("End")
    room = settled(stage, "drawn.in_room.b?.model === 'reverse-sinusoidal'")["in_room"]
    assert on_the_anti_diagonal("b") == on_the_anti_diagonal("a") == last
    assert "same run" in room["summary"][0]
    stage.page.keyboard.press("ArrowLeft")
    drawn = settled(stage, f"drawn.in_room.b?.model === 'reverse-sinusoidal@{updates[-1]}'")
    assert_maps_are_the_models(stage, drawn)
    # The menu of models opens the same model earlier in its training.
    stage.page.locator("select.model").select_option(f"reverse-sinusoidal@{updates[1]}")
    drawn = settled(stage, f"drawn.recipe.model === 'reverse-sinusoidal@{updates[1]}'")
    assert_maps_are_the_models(stage, drawn)
