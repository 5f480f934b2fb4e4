"""What is written under the small maps is what the weights say; the room Heads has the file's."""

import re
import unicodedata

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.studies.without_each import without_each
from model_core.values.head_measures import MEASURES
from tests.browser.checks import assert_nothing_sticks_out
from tests.browser.conftest import PHONE, WIDE
from viz_app.links.link import ORDERS

SENTENCE = "My brother, who is a teacher, bought a new red car, a book and a hat."


def is_mark(text):
    text = text.strip()
    return text != "" and all(unicodedata.category(letter).startswith("P") for letter in text)


def measures(trace, site, head):
    """The shares of every place, the mean largest weight and the mean entropy, with numpy."""
    weights_QK, mask_QK = trace.weights_HQK[head].astype(float), trace.mask_QK
    Q, K = weights_QK.shape
    rows, columns = np.indices((Q, K))
    last = max(k for k in range(K) if trace.keys.kinds[k] == "special")
    marks_K = np.array([is_mark(text) for text in trace.keys.texts[:K]])
    marks_K &= np.array(trace.keys.kinds[:K]) == "text"
    there = {
        "encoder": {
            "previous": columns == rows - 1,
            "itself": columns == rows,
            "next": columns == rows + 1,
            "first": columns == 0,
            "end": columns == last,
        },
        "decoder": {
            "previous": columns == rows - 1,
            "itself": columns == rows,
            "start": columns == 0,
        },
        "cross": {
            "diagonal": abs(columns - rows * last / max(1, Q - 1)) <= 1,
            "first": columns == 0,
            "end": columns == last,
        },
    }[site]
    choice_Q = mask_QK.sum(1) > 1
    shares = {}
    for name, place_QK in {**there, "marks": np.tile(marks_K, (Q, 1))}.items():
        place_QK = place_QK & mask_QK & choice_Q[:, None]
        has_Q = place_QK.any(1)
        shares[name] = (weights_QK * place_QK).sum(1)[has_Q].mean() if has_Q.any() else 0.0
    entropy_Q = -(weights_QK * np.log2(np.where(weights_QK > 0, weights_QK, 1))).sum(1)
    return shares, weights_QK.max(1)[choice_Q].mean(), entropy_Q.mean()


def test_the_numbers_under_the_heads_are_those_of_the_models_weights(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    for site in ("encoder", "decoder", "cross"):
        drawn = stage.choose("site", site)
        decoding = stage.decoding(drawn)
        words = set()
        for shown in drawn["thumbnails"]:
            trace = decoding.trace(site, shown["layer"])
            shares, largest, entropy = measures(trace, site, shown["head"])
            assert shown["shares"] == pytest.approx(shares, abs=1e-6)
            assert shown["largest"] == pytest.approx(largest, abs=1e-6)
            assert shown["entropy"] == pytest.approx(entropy, abs=1e-5)
            if shown["word"] in shares:
                assert shown["shares"][shown["word"]] >= 1 / 3 - 1e-6
            words.add(shown["word"])
            assert shown["caption"]["number"] == ""  # it would be of another thing each
        assert ("taught" in words) == (site == "cross")
        for layer in range(3):  # hardly two heads of a layer say the same
            captions = [
                f"{shown['caption']['word']} {shown['caption']['second']}"
                for shown in drawn["thumbnails"]
                if shown["layer"] == layer
            ]
            assert len(set(captions)) >= 4


def test_heads_are_sorted_by_the_number_under_them(visit):
    stage = visit()
    stage.choose("site", "encoder")
    order = stage.page.locator("select.order").first
    for name in ("previous", "next", "largest", "entropy"):
        order.select_option(name)
        drawn = stage.drawn()
        printed = [float(text) for text in stage.page.locator(".head-number").all_inner_texts()]
        for layer in range(3):
            numbers = printed[8 * layer : 8 * layer + 8]
            assert numbers == sorted(numbers, reverse=name != "entropy")
        captions = stage.page.locator(".head-does").all_inner_texts()
        assert all(text.startswith("H") for text in captions)  # which head, in place of a word
        assert drawn["order"] == name
    stage.choose("site", "cross")  # no cross-attention head can look at the token after its own
    order.select_option("diagonal")
    stage.choose("site", "encoder")
    assert order.input_value() == "place"
    assert stage.page.locator(".head-does").first.inner_text().split() != []


def test_a_link_keeps_what_the_heads_are_sorted_by(visit):
    stage = visit(link="#v=3&model=en-fr&text=The+cat+sleeps.&site=encoder&order=next")
    assert stage.drawn()["order"] == "next"
    order = stage.page.locator("select.order").first
    assert order.input_value() == "next"
    offered = order.evaluate("(select) => [...select.options].map(({ value }) => value)")
    assert sorted(offered) == sorted(ORDERS)


def test_at_the_first_step_no_head_of_the_decoder_has_a_word(visit):
    stage = visit()
    stage.type_source(SENTENCE, "Shift+Enter")
    stage.choose("site", "decoder")
    assert set(stage.page.locator(".head-does").all_inner_texts()) == {""}
    stage.act("step")
    assert "" not in stage.page.locator(".head-does").all_inner_texts()


ROOMY = {"width": 1440, "height": 900}


@pytest.mark.parametrize("model", ["en-fr", "reverse-tiny"])
def test_every_block_of_the_drawing_leads_to_its_attention(visit, model):
    stage = visit(ROOMY)
    stage.page.locator("select.model").select_option(model)
    decoding = stage.decoding(stage.drawn())
    stage.page.locator("[data-act=plan]").click()
    blocks = stage.page.locator("button[data-plan]")
    layers = decoding.layers("encoder") + decoding.layers("decoder") + decoding.layers("cross")
    assert blocks.count() == layers
    for i in range(blocks.count()):
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


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_no_word_under_a_head_is_cut_and_the_drawing_is_there_where_it_has_room(visit, locale):
    stage = visit(locale=locale)
    low = {"width": 1100, "height": 640}
    for window in (ROOMY, WIDE, low, PHONE):
        stage.resize(**window)
        for site in ("encoder", "decoder", "cross"):
            stage.choose("site", site)
            cut = stage.page.evaluate(
                """() => [...document.querySelectorAll(".head-does")]
                    .filter((node) => node.scrollWidth > node.clientWidth + 1)
                    .map((node) => node.textContent)"""
            )
            assert cut == [] or window == low
        if window == ROOMY:
            stage.page.locator("[data-act=plan]").click()
            box, plan = (
                stage.page.locator(selector).bounding_box() for selector in (".sites", ".plan")
            )
            assert plan["y"] + plan["height"] <= box["y"] + box["height"] + 1
            stage.page.locator("[data-act=plan]").click()
        expect(stage.page.locator(".beginning")).to_be_hidden()


def test_encoder_and_decoder_open_on_their_most_focused_head(visit):
    stage = visit()
    for site in ("encoder", "decoder"):
        drawn = stage.choose("site", site)
        best = min(drawn["thumbnails"], key=lambda shown: shown["entropy"])
        assert (drawn["layer"], drawn["head"]) == (best["layer"], best["head"])
    stage.lock(0, 3)
    stage.choose("site", "cross")
    stage.type_source(SENTENCE)  # a head that the reader chose stays
    drawn = stage.choose("site", "decoder")
    assert (drawn["layer"], drawn["head"]) == (0, 3)
    drawn = stage.choose("site", "encoder")
    best = min(drawn["thumbnails"], key=lambda shown: shown["entropy"])
    assert (drawn["layer"], drawn["head"]) == (best["layer"], best["head"])


STAGE = "document.querySelector('.stage-host').stage.drawn()"
READY = f"() => {STAGE}.in_room?.ready"


def room_of(stage):
    stage.drawn()
    stage.page.wait_for_function(READY)
    return stage.drawn()["in_room"]


def enter_heads(stage):
    stage.page.locator("[data-open=heads]").click()
    return room_of(stage)


def known(stage):
    return stage.service.library.tracer("en-fr").model.heads


def test_every_number_is_that_of_the_file_and_a_head_opens_where_it_reads(visit):
    stage = visit()
    room = enter_heads(stage)
    measures = known(stage)
    for one in room["heads"]:
        at = one["layer"], one["head"]
        site = measures.sites[one["site"]]
        for name in MEASURES[one["site"]]:
            expected = float(site.measure_LH(one["site"], name)[at])
            assert one["values"][name] == pytest.approx(expected, abs=1e-7)
    assert "250 sentences" in room["on"] and "nothing is trained again" in room["on"]
    page = room["page"]
    assert page["sentences"] == 10
    layer, head = (int(number) - 1 for number in re.findall(r"\d+", page["title"]))
    of_head = {
        name: float(measures.sites["cross"].measure_LH("cross", name)[layer, head])
        for name in (page["word"], "loss_zero", "loss_mean", "exact_zero", "exact_mean")
    }
    assert f"{of_head[page['word']]:.3f}" in page["does"]  # a sentence, then what is lost
    written = [[float(text.replace("−", "-")) for text in row[1:]] for row in page["lost"][1:3]]
    expected = [
        [measures.loss, of_head["loss_zero"], of_head["loss_mean"]],
        [measures.exact, of_head["exact_zero"], of_head["exact_mean"]],
    ]
    assert np.allclose(written, expected, atol=0.00051)
    assert len(page["lost"]) == 4  # and on this sentence
    x, y, width, height = room["cell"]  # encoder, layer 1, head 1
    canvas = stage.page.locator(".heads-left > .heads-grid canvas")
    canvas.click(position={"x": x + width / 2, "y": y + height / 2})
    room = room_of(stage)
    assert "encoder self-attention · layer 1 · head 1" in room["page"]["title"]
    stage.page.locator("[data-act=heads-open]").click()
    drawn = stage.drawn()
    assert drawn["room"] == "translate" and drawn["site"] == "encoder"
    enter_heads(stage)
    stage.page.locator("[data-act=heads-off]").click()
    stage.page.wait_for_function(f"() => {STAGE}.recipe.edits?.includes('head-off:encoder.1.1')")
    assert "of the model without your edits" in enter_heads(stage)["on"]
    stage.page.locator("[data-open=translate]").click()
    stage.choose("view", "table")
    assert stage.page.locator("table.weights caption").inner_text().endswith("encoder L1H1 off")


CROWD = """() => {
    const points = [...document.querySelectorAll('.heads-point')].map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2, one.title];
    });
    const near = ([x, y]) => points.filter(([a, b]) => Math.hypot(a - x, b - y) <= 10).length;
    return points.map((at) => [near(at), ...at]).sort((a, b) => b[0] - a[0]);
}"""


def test_every_head_is_off_in_turn_on_this_sentence_and_a_press_opens_it(visit):
    stage = visit()
    enter_heads(stage)
    stage.page.locator("[data-heads=here]").click()
    room = room_of(stage)
    here = room["here"]
    drawn = stage.drawn()
    model = stage.service.library.tracer("en-fr").model
    expected = without_each(model, stage.decoding(drawn))
    added = np.concatenate([one.ravel() for one in expected.added.values()])
    assert np.allclose(here["added"], added, atol=1e-5)
    assert np.allclose(here["losses"], expected.losses_N, atol=1e-5)
    assert f"{added.max():.3f}" in here["says"]
    canvas = stage.page.locator(".heads-here .heads-grid canvas")
    x, y, width, height = here["box"]
    canvas.click(position={"x": x + width / 2, "y": y + height / 2})
    assert "encoder self-attention · layer 1 · head 1" in room_of(stage)["page"]["title"]
    chart = stage.page.locator(".heads-curve canvas")
    chart.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):  # the head that costs least
        stage.page.keyboard.press(key)
    site, layer, head = expected.order[0]
    title = room_of(stage)["page"]["title"]
    assert title.startswith(site) and title.endswith(f"layer {layer + 1} · head {head + 1}")


def test_points_on_each_other_are_listed_and_a_lone_one_opens_at_once(visit):
    stage = visit()
    enter_heads(stage)
    stage.page.locator("[data-heads=scatter]").click()
    room_of(stage)
    crowd = stage.page.evaluate(CROWD)
    (count, x, y, _), (alone, *lone, title) = crowd[0], crowd[-1]
    assert count > 1 and alone == 1
    stage.page.mouse.click(x, y)
    hits = stage.page.locator(".heads-pile .heads-hit")
    expect(hits).to_have_count(count)
    stage.page.keyboard.press("Escape")
    expect(hits.last).to_be_hidden()
    stage.page.mouse.click(x, y)
    expect(hits.last).to_be_visible()
    assert f"{count - 1} more here" in room_of(stage)["reads"]
    head = hits.last.inner_text().split(":")[0].split(" · ", 1)[1]
    hits.last.click()
    expect(hits.last).to_be_hidden()
    expect(stage.page.locator(".heads-title h3")).to_contain_text(head)
    stage.page.mouse.click(*lone)
    expect(stage.page.locator(".heads-title h3")).to_have_text(title)
    expect(hits.last).to_be_hidden()


def test_what_was_found_keeps_the_focus_and_another_model_brings_its_own_heads(visit):
    stage = visit()
    enter_heads(stage)
    hit = stage.page.locator(".heads-hit").nth(2)
    hit.focus()
    hit.press("Enter")
    room_of(stage)
    assert hit.evaluate("(node) => node === document.activeElement")
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.page.wait_for_function(f"() => {STAGE}.recipe.model === 'reverse-tiny'")
    assert {one["layer"] for one in room_of(stage)["heads"]} == {0, 1}


def test_what_is_found_is_most_like_the_pattern_on_this_sentence(visit):
    stage = visit()
    enter_heads(stage)
    stage.page.locator("[data-pattern=previous]").click()
    room = room_of(stage)
    decoding = stage.decoding(stage.drawn())
    cosines = {}
    for site, layers in (("encoder", decoding.encoder), ("decoder", range(3))):
        for layer in range(len(layers)):
            weights_HQK = decoding.trace(site, layer).weights_HQK.astype(float)
            previous_QK = np.eye(*weights_HQK.shape[1:], k=-1)
            for head, weights_QK in enumerate(weights_HQK):
                lengths = np.linalg.norm(weights_QK) * np.linalg.norm(previous_QK)
                cosines[site, layer, head] = (weights_QK * previous_QK).sum() / lengths
    best = sorted(cosines, key=cosines.get, reverse=True)[:8]
    assert [(one["site"], one["layer"], one["head"]) for one in room["found"]] == best
    assert room["found"][0]["cosine"] == pytest.approx(cosines[best[0]], abs=1e-6)


def test_the_table_of_heads_opens_at_its_beginning(visit):
    stage = visit()
    enter_heads(stage)
    stage.page.locator("[data-heads=table]").click()
    room_of(stage)
    box = stage.page.locator(".heads-table-box")
    assert box.evaluate("(box) => box.scrollHeight > box.clientHeight && box.scrollTop") == 0


def test_on_a_phone_in_chinese_nothing_sticks_out_and_a_column_sorts(visit):
    stage = visit(PHONE)
    stage.page.locator("[data-tool=language]").first.click()
    enter_heads(stage)
    assert_nothing_sticks_out(stage)
    stage.page.locator("[data-heads=table]").click()
    stage.page.locator("[data-sort=entropy]").click()
    first = stage.page.locator(".heads-table tbody tr td").first
    first.wait_for()
    values = [one["values"]["entropy"] for one in room_of(stage)["heads"]]
    assert first.inner_text() == f"{max(values):.3f}"
    assert_nothing_sticks_out(stage)
