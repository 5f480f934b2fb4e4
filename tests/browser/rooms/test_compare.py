"""The room Compare in a real Chromium: every number drawn is one of the two models'."""

from urllib.parse import quote

import numpy as np
from playwright.sync_api import expect

from model_core.values.recipe import Recipe
from tests.browser.conftest import PHONE
from tests.browser.walks import fragment

HOSTILE = "</s> <img src=x onerror=alert(1)> 猫"
READY = (
    "() => { const s = document.querySelector('.stage-host')?.stage?.drawn();"
    " return s && !s.busy && s.in_room?.ready && !s.in_room.busy }"
)
LINK = "#v=3&model=en-fr&text=The+old+cat+sleeps+on+the+warm+roof.&room=compare"


def settled(stage):
    """What the page draws, once no answer is outstanding."""
    stage.page.wait_for_function(READY)
    return stage.drawn()


def press(stage, selector):
    stage.page.locator(selector).click()
    return settled(stage)


def pick(stage, run, part, place):
    box = stage.page.locator(f'.compare-run[data-run="{run}"] [data-pick={part}]')
    box.select_option(index=place)
    return settled(stage)


def assert_maps_are_the_models(stage, drawn):
    """Three maps, cell by cell: what one run lacks is no number, and the third is A less B."""
    room = drawn["in_room"]
    pairs_R, pairs_C = room["pairs"]
    maps = {one["name"]: np.array(one["values"], float) for one in room["maps"]}
    recipes = (drawn["recipe"], room["b"])
    for run, recipe, place in zip("ab", recipes, room["places"], strict=True):
        decoding = stage.service.library.extend(Recipe.from_json(recipe), 0)[1]
        own_QK = decoding.trace(room["site"], place["layer"]).weights_HQK[place["head"]]
        of = "ab".index(run)
        for shape, pairs in zip(own_QK.shape, (pairs_R, pairs_C), strict=True):
            places = [pair[of] for pair in pairs if pair[of] is not None]
            assert places == list(range(shape))
        rows, columns = (
            [at for at, pair in enumerate(pairs) if pair[of] is not None]
            for pairs in (pairs_R, pairs_C)
        )
        np.testing.assert_array_equal(maps[run][np.ix_(rows, columns)], own_QK)
        lacking = np.ones_like(maps[run], bool)
        lacking[np.ix_(rows, columns)] = False
        np.testing.assert_array_equal(np.isnan(maps[run]), lacking)
    apart = maps["a"].astype(np.float32) - maps["b"].astype(np.float32)
    np.testing.assert_array_equal(maps["difference"], apart)
    assert (len(room["rows"]), len(room["columns"])) == apart.shape


def test_it_opens_on_the_norm_before_and_after_on_one_sentence(visit):
    stage = visit()
    stage.drawn()
    drawn = press(stage, "[data-open=compare]")
    room = drawn["in_room"]
    assert drawn["recipe"]["model"] == "en-fr" and room["b"]["model"] == "en-fr-prenorm"
    assert room["b"]["source"] == drawn["recipe"]["source"]
    assert_maps_are_the_models(stage, drawn)
    press(stage, "[data-tool=large]")
    tops = [box.bounding_box()["y"] for box in stage.page.locator(".compare-map").all()]
    assert len(set(tops)) == 1  # beside one another in large type too
    press(stage, "[data-tool=large]")
    pick(stage, "a", "layer", 1)
    drawn = pick(stage, "b", "head", 6)
    assert [(one["layer"], one["head"]) for one in drawn["in_room"]["places"]][1][1] == 6
    assert_maps_are_the_models(stage, drawn)
    for site in ("encoder", "decoder"):
        drawn = press(stage, f"[data-compare-site={site}]")
        assert drawn["in_room"]["site"] == site
        assert_maps_are_the_models(stage, drawn)
    # One cursor moves both: the row of the maps, and the candidates of the step of each.
    drawn = press(stage, "[data-compare-site=cross]")
    stage.key("Home")
    drawn = stage.key("ArrowRight")
    assert drawn["at"] == drawn["in_room"]["row"] == 1
    lines = drawn["in_room"]["candidates"]["lines"]
    for run, recipe in enumerate((drawn["recipe"], drawn["in_room"]["b"])):
        decoding = stage.service.library.extend(Recipe.from_json(recipe), 0)[1]
        tracer = stage.service.library.tracer(recipe["model"])
        best = decoding.steps[1].best(1)
        (line,) = [one for one in lines if one[0] == tracer.labels(best).texts[0].strip()]
        assert (
            line[1 + run].rstrip("✓")
            == f"{np.exp(decoding.steps[1].log_probabilities_V[best[0]]):.3f}"
        )


def test_a_kept_run_stays_and_a_link_holds_both(visit):
    stage = visit(link=LINK)
    first = settled(stage)["recipe"]
    press(stage, "[data-act=compare-keep]")
    stage.type_source("The old dog sleeps.")
    drawn = settled(stage)
    assert drawn["in_room"]["b"] == first and drawn["recipe"]["source"] == "The old dog sleeps."
    assert_maps_are_the_models(stage, drawn)
    assert "blank" in drawn["in_room"]["summary"][-1]
    by_position = press(stage, "[data-align=position]")
    assert_maps_are_the_models(stage, by_position)
    assert by_position["in_room"]["rows"] != drawn["in_room"]["rows"]
    link = fragment(stage)
    assert "compare.align=position" in link
    stage.anew(link)
    again = settled(stage)
    for name in ("b", "align", "rows", "columns", "places"):
        assert again["in_room"][name] == by_position["in_room"][name]
    assert again["recipe"] == drawn["recipe"]
    swapped = press(stage, "[data-act=compare-swap]")
    assert swapped["recipe"] == first and swapped["in_room"]["b"] == drawn["recipe"]
    assert_maps_are_the_models(stage, swapped)


def test_what_was_forced_is_named_and_b_is_fed_it(visit):
    stage = visit(link=LINK)
    settled(stage)
    press(stage, "[data-act=compare-keep]")
    stage.page.locator("[data-open=translate]").click()
    stage.key("Home")
    taken = stage.key("2")
    stage.act("end")
    drawn = press(stage, "[data-open=compare]")
    room = drawn["in_room"]
    word = taken["recipe"]["target"][0]
    label = stage.service.library.tracer("en-fr").labels([word["token"]]).texts[0].strip()
    assert f"“{label}” at step 1" in room["summary"][0] and room["lead"][0] and not room["fed"]
    drawn = press(stage, "[data-feed=a]")
    room = drawn["in_room"]
    assert room["fed"] and room["parting"] is None and not room["marked"]
    assert_maps_are_the_models(stage, drawn)
    assert "compare.feed=a" in fragment(stage)


def test_a_b_that_is_refused_is_mended_where_it_stands(visit):
    other = quote("v=3&model=nowhere&text=The+cat+sleeps.")
    stage = visit(link=f"{LINK}&compare.b={other}")
    why = stage.page.get_by_role("alert")
    expect(why).to_contain_text("nowhere")
    run = stage.page.locator('.compare-run[data-run="b"]')
    expect(run.locator(".compare-sentence")).to_have_value("The cat sleeps.")
    boxes = [one.bounding_box() for one in (why, run)]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]  # it covers nothing
    run.locator("select").first.select_option("model:en-fr-prenorm")
    drawn = settled(stage)
    assert drawn["in_room"]["b"]["model"] == "en-fr-prenorm"
    expect(why).to_be_hidden()
    expect(stage.page.locator(".compare-maps")).to_be_visible()


def test_the_tokens_that_a_choice_dropped_are_compared_with(visit):
    stage = visit()
    before = stage.drawn()
    stage.key("Home")
    stage.key("2")
    stage.act("end")
    press(stage, "[data-act=compare-dropped]")
    drawn = settled(stage)
    room = drawn["in_room"]
    assert room["b"] == before["recipe"]
    assert room["parting"]["a"] == 0 and "step 1" in room["lead"][0]
    assert len(room["marked"]) == 2 * sum(a != b for a, b in room["words"]) > 0
    # The run stood at its end: where both part there is more to see. A chosen step stays.
    assert drawn["at"] == room["row"] == 0
    stage.key("End")
    last = settled(stage)["at"]
    assert last > 0
    press(stage, "[data-align=position]")
    assert settled(stage)["at"] == last
    assert_maps_are_the_models(stage, drawn)


def test_hostile_words_stay_text_on_a_phone(visit):
    stage = visit(PHONE, locale="zh-CN", link=LINK)
    settled(stage)
    box = stage.page.locator(".compare-sentence")
    box.fill(HOSTILE)
    box.press("Enter")
    stage.page.wait_for_function(
        "text => document.querySelector('.stage-host').stage.drawn().in_room.b?.source === text",
        arg=HOSTILE,
    )
    drawn = settled(stage)
    assert_maps_are_the_models(stage, drawn)
    assert stage.page.locator(".stage img").count() == 0
    a, b = (stage.page.locator(f'[data-of="{run}"]').bounding_box() for run in "ab")
    assert a["y"] + a["height"] <= b["y"]  # A stands above B
    assert stage.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(stage.page.locator('[data-act="compare-same"]')).to_be_visible()


def test_a_slider_goes_through_the_training_and_the_anti_diagonal_appears(visit):
    stage = visit(link="#v=3&model=reverse-sinusoidal&text=attention&room=compare")
    drawn = settled(stage)
    room = drawn["in_room"]
    updates = room["runs"]["training"]["updates"]
    assert updates == sorted(updates) and len(updates) > 4
    assert room["b"]["model"] == f"reverse-sinusoidal@{updates[0]}"  # the first example
    assert f"{updates[-1]} in A, {updates[0]} in B" in room["summary"][0]
    assert_maps_are_the_models(stage, drawn)

    def on_the_anti_diagonal(of):
        (values,) = [one["values"] for one in room["maps"] if one["name"] == of]
        pairs = [pair for pair in room["pairs"][0] if pair["ab".index(of)] is not None]
        letters = len("attention")
        return np.mean([values[i][letters - 1 - i] for i in range(min(letters, len(pairs)))])

    assert all(None not in pair for pair in room["pairs"][0])  # it is fed A's tokens
    early, last = on_the_anti_diagonal("b"), on_the_anti_diagonal("a")
    assert early < 0.4 < 0.8 < last
    slider = stage.page.locator(".compare-updates")
    slider.focus()
    stage.page.keyboard.press("End")
    stage.page.wait_for_function(
        "() => document.querySelector('.stage-host').stage.drawn().in_room.b?.model"
        " === 'reverse-sinusoidal'"
    )
    room = settled(stage)["in_room"]
    assert on_the_anti_diagonal("b") == on_the_anti_diagonal("a") == last
    assert "same run" in room["summary"][0]
    stage.page.keyboard.press("ArrowLeft")
    stage.page.wait_for_function(
        "name => document.querySelector('.stage-host').stage.drawn().in_room.b?.model === name",
        arg=f"reverse-sinusoidal@{updates[-2]}",
    )
    assert_maps_are_the_models(stage, settled(stage))
    # The menu of models opens the same model earlier in its training.
    stage.page.locator("select.model").select_option(f"reverse-sinusoidal@{updates[1]}")
    drawn = settled(stage)
    assert drawn["recipe"]["model"] == f"reverse-sinusoidal@{updates[1]}"
    assert_maps_are_the_models(stage, drawn)
