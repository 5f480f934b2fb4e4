"""Inside a head, in a real Chromium: the scale, the digits, the spread, and one token's path."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.studies.head import study_head
from model_core.studies.path import study_path
from model_core.studies.spread import study_spread
from tests.browser.conftest import PHONE, WIDE
from tests.browser.rooms.test_inside import enter, parts, same, shown
from tests.browser.walks import unfold
from tests.viz_app.rooms.test_inside_chain import number


def unfolded(way):
    return {stage["id"] for stage in way["stages"] if stage["open"]}


def assert_way_is_the_models(way, study):
    """Every vector of every stage, its length, the hidden units and the best token so far."""
    first, second, *others = way["stages"]
    assert len(others) == len(study.sublayers)  # no final norm in this model
    same(first["rows"], study.embedding_D)
    same(second["rows"], study.embedding_D, study.position_D, study.sum_D)
    for stage, sublayer in zip(others, study.sublayers, strict=True):
        assert stage["id"] == sublayer.name
        every = ("entered_D", "made_D", "sum_D", "passed_D")
        same(stage["rows"], *(getattr(sublayer, name) for name in every))
        length = np.linalg.norm(sublayer.passed_D.astype(np.float64))
        assert stage["length"] == pytest.approx(length, rel=1e-6)
        assert (stage["hidden"] is None) == (sublayer.hidden_F is None)
        if sublayer.hidden_F is not None:
            same(stage["hidden"], sublayer.hidden_F)
            F, active = (int(one) for one in re.findall(r"\d+", stage["units"])[:2])
            assert (F, active) == (len(sublayer.hidden_F), (sublayer.hidden_F > 0).sum())
    assert (way["prediction"] is None) == (study.lens_SV is None)
    if study.lens_SV is None:
        assert not any(stage["says"] for stage in way["stages"])
        return
    for stage, log_probabilities_V in zip(way["stages"], study.lens_SV, strict=True):
        share = np.exp(log_probabilities_V.max())
        assert number(stage["says"][1].replace("<.001", "0")) == pytest.approx(share, abs=5.1e-4)
    best = np.argsort(-study.log_probabilities_V, kind="stable")[:10]
    logits, printed = ([number(cells[i]) for cells in way["prediction"]] for i in (1, 2))
    np.testing.assert_allclose(logits, study.logits_V[best], rtol=1e-3)
    np.testing.assert_allclose(printed, np.exp(study.log_probabilities_V[best]), atol=5.1e-4)


def test_a_head_stands_on_the_way_of_its_token_whose_stages_are_the_models_and_lead_to_their_heads(
    visit,
):
    stage = visit()
    cell = enter(stage)["cell"]
    stops = stage.page.locator(".along-stop")
    study = study_path(*parts(stage), "target", cell["query"])
    told = [stop.get_attribute("title") for stop in stops.all()]
    lengths = [number(re.search(r"length ([\d.]+)", one)[1].rstrip(".")) for one in told]
    made = [np.linalg.norm(one.made_D) for one in study.sublayers]
    assert lengths == pytest.approx(made, rel=1e-3)
    words = stops.locator(".key-name").all_inner_texts()

    stage.page.locator("[data-along='decoder.2.self']").click()
    room = shown(stage)
    assert (room["cell"]["site"], room["cell"]["layer"]) == ("decoder", 1)
    assert room["cell"]["query"] == cell["query"]
    pressed = stage.page.locator(".along-stop[aria-pressed=true]")
    assert pressed.evaluate_all("(all) => all.map(({ dataset }) => dataset.along)") == [
        "decoder.2.self"
    ]
    pressed.press("ArrowRight")
    expect(stage.page.locator("[data-along='decoder.2.cross']")).to_be_focused()

    stage.page.locator("[data-along='decoder.1.feed_forward']").click()
    room = shown(stage)
    assert unfolded(room["way"]) == {"decoder.1.feed_forward"}
    assert words == [one["says"][0] for one in room["way"]["stages"][2:]]

    # Every number of the way.
    stage.resize(1440, 900)
    stage.anew("")
    enter(stage)
    stage.choose("inside", "way")
    way = shown(stage)["way"]
    assert len(unfolded(way)) == 1
    body, end = (stage.page.locator(one).bounding_box() for one in (".inside-body", ".way-end"))
    assert end["y"] + end["height"] <= body["y"] + body["height"]
    looks = stage.page.locator(".stage-heads")
    widths = "(all) => all.map((one) => [one.scrollWidth, one.clientWidth])"
    assert all(text <= room for text, room in looks.evaluate_all(widths))  # no word sticks out
    opened = {}
    for side, position in (("target", 2), ("source", 1)):
        stage.page.locator(f'[data-tokens={side}] [data-index="{position}"]').click()
        for one in shown(stage)["way"]["stages"]:
            if not one["open"]:
                stage.page.locator(f"[data-stage='{one['id']}'] .stage-open").click()
        way = shown(stage)["way"]
        assert_way_is_the_models(way, study_path(*parts(stage), side, position))
        stage.page.locator(f"[data-stage='{way['stages'][-1]['id']}'] .stage-open").click()
        opened[side] = unfolded(shown(stage)["way"])
    stage.page.locator("[data-tool=language]").click()  # which keeps what is unfolded
    for side in ("source", "target"):
        stage.page.locator(f"[data-tokens={side}] [data-index='1']").click()
        assert unfolded(shown(stage)["way"]) == opened[side]
    stage.page.locator('[data-stage="decoder.2.cross"] .stage-heads').click()
    room = shown(stage)
    assert (room["view"], room["cell"]["site"], room["cell"]["layer"]) == ("cell", "cross", 1)
    assert room["cell"]["query"] == room["chosen"]["query"]


def assert_on_one_line(stage):
    steps = stage.page.locator(".panel-step")
    assert steps.all_inner_texts() == [str(place) for place in range(1, 8)]
    boxes = [step.bounding_box() for step in steps.all()]
    assert len({round(box["x"]) for box in boxes}) == 1
    heights = [box["y"] for box in boxes]
    assert heights == sorted(set(heights))


def assert_chain_is_in_sight(stage):
    body = stage.page.locator(".inside-body").bounding_box()
    told, reads = (
        stage.page.locator(one).bounding_box() for one in (".inside-sentence", ".inside-reads")
    )
    assert stage.page.locator(".along-list").bounding_box()["y"] < told["y"]
    assert told["y"] + told["height"] <= reads["y"]
    assert reads["y"] + reads["height"] <= body["y"]
    picker = stage.page.locator(".inside .head-picker").bounding_box()
    assert reads["y"] + reads["height"] <= picker["y"]  # the picture follows what is told
    panels = stage.page.locator(".inside-panel:visible")
    heads = [head.bounding_box() for head in panels.locator(".panel-head").all()]
    assert len(heads) == 7
    whole = [panels.nth(at).bounding_box() for at in range(3)]
    ends = [box["y"] + box["height"] for box in (*heads, *whole)]
    assert max(ends) <= body["y"] + body["height"]
    cut = stage.page.evaluate(
        """() => [...document.querySelectorAll(".inside-panel :is(.panel-result, .panel-name)")]
            .filter((one) => one.scrollWidth > one.clientWidth + 1).length"""
    )
    assert cut == 0
    # In columns, too, they stand on one line: each but the last leads to the next with a tip.
    order = "(all) => all.sort((a, b) => Number(a.textContent) - Number(b.textContent))"
    tips = stage.page.locator(".panel-step").evaluate_all(
        f"(steps) => ({order})(steps)"
        ".map((step) => getComputedStyle(step.closest('.inside-panel'), '::after').content)"
    )
    assert [tip != "none" for tip in tips] == [True] * 6 + [False]


def test_the_row_is_told_first_its_links_open_where_they_stand_and_digits_come_on_demand(
    visit,
):
    link = "#v=3&model=en-fr&text=The+old+cat+sleeps+on+the+warm+roof.&room=inside&cross=2.4"
    stage = visit(link=link)
    for language in ("en", "zh"):
        assert stage.drawn()["language"] == language
        for size in ((1440, 900), (1280, 720)):
            stage.resize(*size)
            shown(stage)
            assert_chain_is_in_sight(stage)
        stage.page.locator("[data-tool=language]").click()

    # Until all numbers are asked for its picture has the room.
    stage.anew("")
    stage.enter("inside")
    picture = stage.page.locator(".inside-reads")
    for size in ((1440, 900), (1280, 720)):
        stage.resize(*size)
        stage.lay_out()
        room, body, drawn, last = (
            stage.page.locator(one).last.bounding_box()
            for one in (".inside", ".inside-body", ".inside-reads", ".panel-about:visible")
        )
        assert drawn["height"] > room["height"] / 4
        assert last["y"] + last["height"] <= body["y"] + body["height"]
    before = picture.bounding_box()["height"]
    unfold(stage)
    stage.lay_out()
    assert picture.bounding_box()["height"] < before / 2

    # The links stand on one line, and each opens where it stands.
    stage.resize(1440, 900)
    stage.anew("")
    stage.enter("inside")
    stage.lay_out()
    assert_on_one_line(stage)
    stage.page.locator("[data-unfold=product]").click()
    expect(stage.page.locator("[data-panel=product] .product-steps")).to_be_visible()
    assert_on_one_line(stage)
    stage.resize(**PHONE)
    stage.lay_out()
    assert_on_one_line(stage)
    pressed = [one.bounding_box() for one in stage.page.locator(".panel-open").all()]
    assert min(min(box["width"], box["height"]) for box in pressed) >= 24
    stage.resize(320, 640)
    stage.lay_out()
    beyond = "() => document.documentElement.scrollWidth - innerWidth"
    assert stage.page.evaluate(beyond) <= 0  # what is handed on is as long as its words

    # Why scores are divided is told with numbers.
    stage.resize(**WIDE)
    stage.anew("")
    enter(stage)
    stage.choose("inside", "spread")
    for query in (6, 2):
        stage.page.locator(f'[data-tokens=query] [data-index="{query}"]').click()
        room = shown(stage)
        drawn = stage.drawn()
        place = [drawn["locked"][name] for name in ("layer", "head")]
        study = study_spread(*parts(stage), drawn["site"], *place, query)
        printed = [number(text) for text in room["spread"]["shown"]]
        spreads = [study.before.deviation, study.after.deviation]
        assert printed == pytest.approx(spreads, rel=1e-3)
        for weights in (study.plain, study.divided):
            assert f"{weights.largest:.3f}" in room["sentence"]
    chart = stage.page.locator(".spread-chart canvas").first
    chart.focus()
    stage.page.keyboard.press("ArrowRight")
    pairs = re.escape(str(int(study.before.counts_B.sum())))
    expect(stage.page.locator(".spread-all > [aria-live]")).to_contain_text(re.compile(pairs))

    # The softmax without the scale, and all digits.
    stage.choose("inside", "cell")
    usual = shown(stage)["cell"]
    stage.choose("scale", "without")
    panels = shown(stage)["cell"]["panels"]
    study = study_head(*parts(stage), *(usual[n] for n in ("site", "layer", "head", "query")))
    for key, cells in enumerate(panels["softmax"]["cells"]):
        product, score, plain, own = (number(text) for text in cells[1:])
        assert product == pytest.approx(study.unscaled_scores_K[key], rel=1e-3, abs=5.1e-4)
        assert score == pytest.approx(study.scores_K[key], rel=1e-3, abs=5.1e-4)
        assert plain == pytest.approx(study.unscaled_weights_K[key], abs=5.1e-4)
        assert own == pytest.approx(study.weights_K[key], abs=5.1e-4)
    both = (study.unscaled_weights_K, study.weights_K)
    said = re.findall(r"[01]\.\d{3}", panels["softmax"]["lines"][1])
    assert said == [f"{weights_K.max():.3f}" for weights_K in both]
    stage.choose("scale", "with")
    assert shown(stage)["cell"]["panels"] == usual["panels"]

    long = re.compile(r"\d\.\d{5,}")
    body = stage.page.locator(".inside-body")
    for view in ("cell", "way"):
        stage.choose("inside", view)
        stage.choose("digits", "short")
        shown(stage)
        assert not long.search(body.inner_text()) and "float32" not in body.inner_text()
        stage.choose("digits", "all")
        shown(stage)
        assert long.search(body.inner_text())
    stage.page.locator("[data-tool=language]").first.click()
    expect(stage.page.locator("[data-digits=all][aria-pressed=true]")).to_contain_text("全部位数")
