"""What is written under the small maps is what the weights say; the room Heads has the file's."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.studies.without import without_each
from model_core.values.head_measures import MEASURES
from tests.browser.checks import assert_nothing_sticks_out
from tests.browser.conftest import PHONE, ROOMY, WIDE
from viz_app.links.link import ORDERS

SENTENCE = "My brother, who is a teacher, bought a new red car, a book and a hat."


def printed(stage):
    """The number under each head, by its layer and its place there."""
    return {
        (one["layer"], one["head"]): float(one["number"])
        for one in stage.drawn()["thumbnails"]
        if one["number"]
    }


def test_the_words_and_the_numbers_under_the_heads_are_those_of_the_models_weights(visit):
    stage = visit()
    for site in ("encoder", "decoder"):  # which open on their most focused head
        drawn = stage.choose("site", site)
        stage.page.locator(".sites select.order").select_option("entropy")
        found = printed(stage)
        assert found[drawn["layer"], drawn["head"]] == min(found.values())
        stage.page.locator(".sites select.order").select_option("place")
    stage.anew("#v=3&model=en-fr&text=The+cat+sleeps.&site=encoder&order=next")
    order = stage.page.locator(".sites select.order")
    assert order.input_value() == "next"  # a link keeps what the heads are sorted by
    offered = order.evaluate("(select) => [...select.options].map(({ value }) => value)")
    assert sorted(offered) == sorted([*ORDERS, "drawn"])  # or in a drawing of the model
    stage.type_source(SENTENCE)
    taught = set()
    for site in ("encoder", "decoder", "cross"):
        drawn = stage.choose("site", site)
        at = drawn["layer"], drawn["head"]
        trace = stage.decoding(drawn).trace(site, drawn["layer"])
        weights_QK = trace.weights_HQK[drawn["head"]][trace.mask_QK.sum(1) > 1]
        for name in ("largest", "entropy"):  # every measure: tests/viz_app/rooms/test_habits.py
            order.select_option(name)
            found = printed(stage)
            assert len(found) == 24
            if name == "largest":
                assert found[at] == pytest.approx(weights_QK.max(1).mean(), abs=0.0051)
            for layer in range(3):
                numbers = [number for (at_layer, _), number in found.items() if at_layer == layer]
                assert numbers == sorted(numbers, reverse=name != "entropy")
        captions = stage.page.locator(".head-does").all_inner_texts()
        assert all(text.startswith("H") for text in captions)  # which head, in place of a word
        order.select_option("place")
        assert printed(stage) == {}  # it would be of another thing each
        captions = stage.page.locator(".head-does").all_inner_texts()
        for layer in range(3):  # what tells the heads of a layer apart
            assert len(set(captions[8 * layer : 8 * layer + 8])) >= 3
        if any("taught" in text for text in captions):
            taught.add(site)
    assert taught == {"cross"}
    order.select_option("diagonal")  # no encoder head can look at the token beside its own
    stage.choose("site", "encoder")
    assert order.input_value() == "place"
    stage.lock(0, 3)
    stage.choose("site", "cross")
    stage.type_source("The cat sleeps.")  # a head that the reader chose stays
    drawn = stage.choose("site", "encoder")
    assert (drawn["layer"], drawn["head"]) == (0, 3)
    stage.type_source(SENTENCE, "Shift+Enter")
    stage.choose("site", "decoder")  # at the first step none can do anything
    assert set(stage.page.locator(".head-does").all_inner_texts()) == {""}
    stage.act("step")
    assert "" not in stage.page.locator(".head-does").all_inner_texts()


def assert_blocks_lead_to_their_attention(stage):
    decoding = stage.decoding(stage.drawn())
    if not stage.page.locator("button[data-plan]:visible").count():
        stage.page.locator(".order-label select").select_option("drawn")
    blocks = stage.page.locator("button[data-plan]")
    layers = decoding.layers("encoder") + decoding.layers("decoder") + decoding.layers("cross")
    expect(blocks).to_have_count(layers)
    for i in range(layers):
        block = blocks.nth(i)
        block.click()
        drawn = stage.drawn()
        assert drawn["site"] == block.get_attribute("data-plan")
        assert str(drawn["layer"]) == block.get_attribute("data-plan-layer")
        lit = stage.page.locator('button[data-plan][aria-pressed="true"]')
        assert lit.count() == 1
        assert lit.inner_text().split()[-2:] == [f"L{drawn['layer'] + 1}", f"H{drawn['head'] + 1}"]
    stage.page.locator('button[data-plan][tabindex="0"]').focus()
    stage.page.keyboard.press("ArrowDown")
    stage.page.keyboard.press("Enter")
    assert stage.drawn()["site"] == blocks.nth(blocks.count() - 2).get_attribute("data-plan")


def test_no_word_under_a_head_is_cut_and_every_block_of_the_drawing_leads_to_its_attention(visit):
    stage = visit()
    low = {"width": 1100, "height": 640}
    for language in ("en", "zh"):
        assert stage.drawn()["language"] == language
        for window in (ROOMY, WIDE, low, PHONE):
            stage.resize(**window)
            for site in ("encoder", "decoder", "cross") if window != low else ("cross",):
                stage.choose("site", site)
                cut = stage.page.evaluate(
                    """() => [...document.querySelectorAll(".head-does")]
                        .filter((node) => node.scrollWidth > node.clientWidth + 1)
                        .map((node) => node.textContent)"""
                )
                assert cut == [] or window == low, (language, window, site)
            if window == ROOMY:
                assert_drawing_has_room(stage)
            expect(stage.page.locator(".beginning")).to_be_hidden()
        stage.resize(**ROOMY)
        stage.page.locator("[data-tool=language]").click()

    for model in ("en-fr", "reverse-tiny"):
        stage.page.locator("select.model").select_option(model)
        stage.drawn(f"drawn.recipe.model === '{model}'")
        assert_blocks_lead_to_their_attention(stage)


def assert_drawing_has_room(stage):
    stage.page.locator(".order-label select").select_option("drawn")
    stage.lay_out()
    box, plan = (stage.page.locator(selector).bounding_box() for selector in (".sites", ".plan"))
    assert plan["y"] + plan["height"] <= box["y"] + box["height"] + 1
    stage.page.locator(".order-label select").select_option("place")


def known(stage):
    return stage.service.library.tracer(stage.drawn()["recipe"]["model"]).model.heads


def number(text):
    return float(text.replace("−", "-").replace("<", ""))


def click_first_cell(stage, grid, box):
    """The cell of the first head of the encoder."""
    x, y, width, height = box
    canvas = stage.page.locator(f"{grid} canvas")
    canvas.click(position={"x": x + width / 2, "y": y + height / 2})
    room = stage.in_room()
    assert "encoder self-attention, layer 1, head 1" in room["page"]["title"]
    return room


def test_every_number_is_that_of_the_file_what_a_head_does_comes_first_and_a_column_sorts(visit):
    stage = visit()
    room = stage.enter("heads")
    measures = known(stage)
    assert "250 sentences" in room["on"] and "nothing is trained again" in room["on"]
    page = room["page"]
    assert page["sentences"] == 10
    layer, head = (int(number) - 1 for number in re.findall(r"\d+", page["title"]))
    of_head = {
        name: float(measures.sites["cross"].measure_LH("cross", name)[layer, head])
        for name in MEASURES["cross"]
    }
    said = re.findall(r"\d\.\d{3}", page["does"])  # a sentence, then what is lost
    assert said and said[0] in [f"{value:.3f}" for value in of_head.values()]
    written = [[number(text.split(" ")[0]) for text in row[1:]] for row in page["lost"][1:3]]
    expected = [
        [measures.loss, of_head["loss_zero"], of_head["loss_mean"]],
        [measures.exact, of_head["exact_zero"], of_head["exact_mean"]],
    ]
    assert np.allclose(written, expected, atol=0.00051)
    assert len(page["lost"]) == 4  # and on this sentence

    # It opens on what each does, the one that is missed most first.
    lines = stage.page.locator(".heads-in")
    places = lines.locator(".heads-name").all_inner_texts()
    lost = {
        f"{site} L{layer + 1}H{head + 1}": float(found[layer, head])
        for site in MEASURES
        for found in [measures.sites[site].measure_LH(site, "loss_zero")]
        for layer, head in np.ndindex(found.shape)
    }
    assert sorted(places) == sorted(lost)
    said = [number(text) for text in lines.locator(".number").all_inner_texts()]
    assert np.allclose(said, [lost[place] for place in places], atol=0.00051)
    assert [lost[place] for place in places] == sorted(lost.values(), reverse=True)
    stage.page.locator("[data-heads=grid]").click()
    room = stage.in_room()
    room = click_first_cell(stage, ".heads-left > .heads-grid", room["grid"]["box"])

    # All heads with all measures, from the beginning of the table.
    stage.page.locator("[data-heads=table]").click()
    room = stage.in_room()
    box = stage.page.locator(".heads-table-box")
    assert box.evaluate("(box) => [box.scrollHeight > box.clientHeight, box.scrollTop]") == [
        True,
        0,
    ]
    rows = {row[0].strip(): row[1:] for row in room["table"][1:]}
    assert len(rows) == 72
    for site, names in MEASURES.items():
        for layer, head in np.ndindex(3, 8):
            row = rows[f"{site} L{layer + 1}H{head + 1}"]
            for name in names:
                value = float(measures.sites[site].measure_LH(site, name)[layer, head])
                said = row[room["sorts"].index(name) - 1]
                assert number(said) == pytest.approx(value, abs=0.00051)
    stage.page.locator("[data-heads=grid]").click()
    stage.in_room()

    stage.page.locator("[data-act=heads-open]").click()
    drawn = stage.drawn()
    assert drawn["room"] == "translate" and drawn["site"] == "encoder"
    stage.enter("heads")
    stage.page.locator("[data-act=heads-off]").click()
    stage.drawn("drawn.recipe.edits?.includes('head-off:encoder.1.1')")
    assert "of the model without your edits" in stage.enter("heads")["on"]
    stage.page.locator("[data-open=translate]").click()
    stage.choose("view", "table")
    assert stage.page.locator("table.weights caption").inner_text().endswith("encoder L1H1 off")

    # What a head does comes first, then the picture, then the controls.
    stage.resize(**ROOMY)
    stage.anew("")
    stage.enter("heads")
    for window in (ROOMY, PHONE):
        stage.resize(**window)
        stage.lay_out()
        parts = (".heads-does", ".heads-list", "[data-heads=table]")
        says, heads, views = (stage.page.locator(one).bounding_box() for one in parts)
        assert says["y"] + says["height"] <= heads["y"]
        assert heads["y"] + heads["height"] <= views["y"]
        assert heads["y"] < window["height"] / 2  # the list begins in the upper half
        # The head is named once, over what it does; the line over the list has its number.
        place = stage.page.locator(".heads-title h3").inner_text()
        named = stage.page.locator(".heads-says .heads-known")
        assert named.text_content().startswith(place) and named.bounding_box()["width"] <= 1
    lost = {
        (site, *at): float(value)
        for site, one in known(stage).sites.items()
        for at, value in np.ndenumerate(one.measure_LH(site, "loss_zero"))
    }
    order = sorted(lost, key=lost.__getitem__, reverse=True)
    drawn = stage.drawn()
    place = (drawn["site"], drawn["layer"], drawn["head"])
    says = stage.page.locator(".heads-rank span")
    assert f"number {order.index(place) + 1} of {len(order)} " in says.inner_text()
    for at, button in enumerate(stage.page.locator("[data-rank]").all()):
        site, layer, head = order[at]
        assert button.inner_text() == f"{site} L{layer + 1}H{head + 1} +{lost[order[at]]:.3f}"
    stage.page.locator("[data-rank]").first.click()
    expect(says).to_contain_text(f"number 1 of {len(order)} ")
    # What waits for its answer has its place already: the views stay under the finger.
    here = stage.page.locator(".heads-here")
    stage.page.evaluate("document.querySelector('[data-heads=here]').click()")
    expect(here).to_be_visible()
    before = here.bounding_box()["height"]
    stage.in_room()
    stage.lay_out()
    assert abs(here.bounding_box()["height"] - before) < 40
    stage.resize(**WIDE)
    stage.lay_out()
    box, curve = (
        stage.page.locator(one).bounding_box() for one in (".heads-here", ".heads-curve canvas")
    )
    assert curve["y"] + curve["height"] <= box["y"] + box["height"] + 1  # with its axis

    # On a phone, in Chinese, nothing sticks out, and a column sorts.
    stage.resize(**PHONE)
    stage.anew("")
    stage.page.locator("[data-tool=language]").click()
    stage.enter("heads")
    assert_nothing_sticks_out(stage)
    stage.page.locator("[data-heads=table]").click()
    stage.page.locator("[data-sort=entropy]").click()
    room = stage.in_room()
    column = room["sorts"].index("entropy")
    sorted_by = [number(row[column]) for row in room["table"][1:] if row[column][-1].isdigit()]
    most = max(one.measure_LH(site, "entropy").max() for site, one in known(stage).sites.items())
    assert sorted_by == sorted(sorted_by, reverse=True)
    assert sorted_by[0] == pytest.approx(float(most), abs=0.00051)
    assert_nothing_sticks_out(stage)


CROWD = """() => {
    const points = [...document.querySelectorAll('.heads-point')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2, one.title];
    });
    const near = ([x, y], reach) =>
        points.filter(([a, b]) => Math.hypot(a - x, b - y) <= reach).length;
    return points.filter((at) => near(at, 9) === near(at, 11)) // a pointer stands on whole pixels
        .map((at) => [near(at, 10), ...at]).sort((a, b) => b[0] - a[0]);
}"""


def test_every_head_is_off_in_turn_points_on_each_other_are_listed_and_a_pattern_finds_its_heads(
    visit,
):
    stage = visit()
    stage.enter("heads")
    stage.page.locator("[data-heads=here]").click()
    room = stage.in_room()
    here = room["here"]
    model = stage.service.library.tracer("en-fr").model
    expected = without_each(model, stage.decoding(stage.drawn()))
    added = np.concatenate([one.ravel() for one in expected.added.values()])
    assert np.allclose(np.ravel(here["values"]), added, atol=1e-5)
    assert f"{added.max():.3f}" in room["says"]
    click_first_cell(stage, ".heads-here .heads-grid", here["box"])
    chart = stage.page.locator(".heads-curve canvas")
    curve, left = chart.bounding_box(), stage.page.locator(".heads-left").bounding_box()
    assert curve["y"] + curve["height"] <= left["y"] + left["height"] + 1  # in sight
    chart.focus()
    says = stage.page.locator(".heads-here .heads-quiet")
    for n in range(2):
        stage.page.keyboard.press("ArrowRight")
        expect(says).to_contain_text(f"{expected.losses_N[n]:.3f}")
    stage.page.keyboard.press("Enter")  # the head that costs least
    site, layer, head = expected.order[0]
    title = stage.in_room()["page"]["title"]
    assert title.startswith(site) and title.endswith(f"layer {layer + 1}, head {head + 1}")

    stage.page.locator("[data-heads=scatter]").click()
    stage.in_room()
    crowd = stage.page.evaluate(CROWD)
    (count, x, y, _), (alone, *place, title) = crowd[0], crowd[-1]
    assert count > 1 and alone == 1
    stage.page.mouse.click(x, y)
    hits = stage.page.locator(".heads-pile .heads-hit")
    expect(hits).to_have_count(count)
    stage.page.keyboard.press("Escape")
    expect(hits.last).to_be_hidden()
    stage.page.mouse.click(x, y)
    expect(hits.last).to_be_visible()
    assert f"{count - 1} more here" in stage.in_room()["reads"]
    layer, head = re.search(r"L(\d+)H(\d+):", hits.last.inner_text()).groups()
    hits.last.click()
    expect(hits.last).to_be_hidden()
    title_there = stage.page.locator(".heads-title h3")
    expect(title_there).to_contain_text(f"layer {layer}, head {head}")
    assert stage.page.evaluate(CROWD) == crowd  # however long what is said of it
    stage.page.mouse.click(*place)
    expect(title_there).to_have_text(title)
    expect(hits.last).to_be_hidden()

    # What is found is most like the pattern, and keeps the focus.
    stage.anew("")
    stage.enter("heads")
    stage.page.locator("[data-pattern=previous]").click()
    room = stage.in_room()
    decoding = stage.decoding(stage.drawn())
    cosines = {}
    for site, layers in (("encoder", decoding.encoder), ("decoder", range(3))):
        for layer in range(len(layers)):
            weights_HQK = decoding.trace(site, layer).weights_HQK.astype(float)
            previous_QK = np.eye(*weights_HQK.shape[1:], k=-1)
            for head, weights_QK in enumerate(weights_HQK):
                lengths = np.linalg.norm(weights_QK) * np.linalg.norm(previous_QK)
                cosine = (weights_QK * previous_QK).sum() / lengths
                cosines[f"{site} L{layer + 1}H{head + 1}"] = f"{cosine:.3f}"
    best = sorted(cosines, key=lambda place: float(cosines[place]), reverse=True)[:8]
    assert [said for _, said in room["found"]] == [cosines[place] for place in best]
    assert all(cosines[place] == said for place, said in room["found"])
    hit = stage.page.locator(".heads-hit").nth(2)
    hit.focus()
    hit.press("Enter")
    stage.in_room()
    assert hit.evaluate("(node) => node === document.activeElement")
    # Another model brings its own heads.
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.drawn("drawn.recipe.model === 'reverse-tiny'")
    stage.page.locator("[data-heads=grid]").click()
    rows = stage.in_room()["grid"]["row_labels"]
    assert {row[-1] for row in rows} == {"1", "2"}
