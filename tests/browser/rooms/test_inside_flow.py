"""Inside a head, in a real Chromium: the scale, the digits, the step, and one token's path."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.studies.head import study_head
from model_core.studies.path import study_path
from model_core.studies.spread import study_spread
from tests.browser.rooms.test_inside import enter, number, parts, shown


def test_the_switch_shows_the_softmax_with_and_without_the_scale(visit):
    stage = visit()
    usual = enter(stage)["cell"]
    stage.choose("scale", "without")
    room = shown(stage)
    study = assert_without_scale(stage, room)
    assert room["cell"]["weights_K"] == usual["weights_K"]
    largest = [
        f"{weights_K.max():.3f}" for weights_K in (study.unscaled_weights_K, study.weights_K)
    ]
    line = room["cell"]["panels"]["softmax"]["lines"][1]
    assert re.findall(r"[01]\.\d{3}", line) == largest
    stage.choose("scale", "with")
    assert shown(stage)["cell"]["panels"] == usual["panels"]


def assert_without_scale(stage, room):
    cell = room["cell"]
    study = study_head(*parts(stage), *(cell[n] for n in ("site", "layer", "head", "query")))
    for key, cells in enumerate(cell["panels"]["softmax"]["cells"]):
        product, score, plain, own = (number(text) for text in cells[1:])
        assert product == pytest.approx(study.unscaled_scores_K[key], rel=1e-3, abs=5.1e-4)
        assert score == pytest.approx(study.scores_K[key], rel=1e-3, abs=5.1e-4)
        assert plain == pytest.approx(study.unscaled_weights_K[key], abs=5.1e-4)
        assert own == pytest.approx(study.weights_K[key], abs=5.1e-4)
    return study


def test_all_digits_are_there_on_demand_only(visit):
    stage = visit()
    long = re.compile(r"\d\.\d{5,}")
    body = stage.page.locator(".inside-body")
    for view in ("cell", "way"):
        enter(stage)
        stage.choose("inside", view)
        stage.choose("digits", "short")
        shown(stage)
        assert not long.search(body.inner_text()) and "float32" not in body.inner_text()
        stage.choose("digits", "all")
        shown(stage)
        assert long.search(body.inner_text())
    stage.page.locator("[data-tool=language]").first.click()
    expect(stage.page.locator("[data-digits=all][aria-pressed=true]")).to_contain_text("全部位数")


def test_the_cell_is_that_of_the_current_step_until_one_is_chosen(visit):
    stage = visit()
    for site, at in (("decoder", 2), ("cross", 4)):
        stage.choose("site", site)
        stage.key("Home")
        for _ in range(at):
            stage.key("ArrowRight")
        room = enter(stage)
        assert room["chosen"]["query"] == stage.drawn()["at"] == at
        assert room["chosen"]["key"] == int(np.argmax(room["cell"]["weights_K"]))
        stage.page.locator("[data-open=translate]").click()
    enter(stage)
    stage.page.locator('[data-tokens=query] [data-index="1"]').click()
    shown(stage)
    stage.page.locator("[data-open=translate]").click()
    stage.key("Home")
    assert enter(stage)["chosen"]["query"] == 1


def assert_stages_say_what_the_stream_is(way, study):
    """The hidden units, and the best token if the model stopped at each stage."""
    for stage_of, sublayer in zip(way["stages"][2:], study.sublayers, strict=True):
        if sublayer.hidden_F is None:
            assert stage_of["hidden"] is None
            continue
        assert np.array_equal(np.array(stage_of["hidden"], np.float32), sublayer.hidden_F)
        if stage_of["open"]:
            F, active = (int(one) for one in re.findall(r"\d+", stage_of["units"])[:2])
            assert (F, active) == (len(sublayer.hidden_F), (sublayer.hidden_F > 0).sum())
    if study.lens_SV is None:
        assert not any(stage_of["lens"] for stage_of in way["stages"])
        return
    for stage_of, log_probabilities_V in zip(way["stages"], study.lens_SV, strict=True):
        best = log_probabilities_V.argmax()
        share = np.exp(log_probabilities_V[best])
        assert np.float32(stage_of["lens"][0]["probability"]) == share
        assert stage_of["says"][0] == stage_of["lens"][0]["label"]
        assert number(stage_of["says"][1].replace("<.001", "0")) == pytest.approx(share, abs=5.1e-4)


@pytest.mark.parametrize("side", ["target", "source"])
def test_the_way_of_a_token_is_the_models_and_ends_in_sight(visit, side):
    stage = visit({"width": 1440, "height": 900})
    enter(stage)
    stage.choose("inside", "way")
    shown(stage)
    body, end = (stage.page.locator(one).bounding_box() for one in (".inside-body", ".way-end"))
    assert end["y"] + end["height"] <= body["y"] + body["height"]
    position = 2 if side == "target" else 1
    stage.page.locator(f'[data-tokens={side}] [data-index="{position}"]').click()
    way = shown(stage)["way"]
    study = study_path(*parts(stage), side, position)
    assert (way["side"], way["position"]) == (side, position)
    rows = [{row["id"]: row["values"] for row in s["rows"]} for s in way["stages"]]
    assert np.array_equal(np.array(rows[0]["x"], np.float32), study.embedding_D)
    assert np.array_equal(np.array(rows[1]["p"], np.float32), study.position_D)
    assert np.array_equal(np.array(rows[1]["sum"], np.float32), study.sum_D)
    assert len(rows) == 2 + len(study.sublayers)  # no final norm in this model
    assert_stages_say_what_the_stream_is(way, study)
    for values, stage_of, sublayer in zip(
        rows[2:], way["stages"][2:], study.sublayers, strict=True
    ):
        assert stage_of["id"] == sublayer.name
        for row, name in (("x", "entered"), ("made", "made"), ("passed", "passed")):
            expected = getattr(sublayer, f"{name}_D")
            assert np.array_equal(np.array(values[row], np.float32), expected)
        length = np.linalg.norm(sublayer.passed_D.astype(np.float64))
        assert stage_of["length"] == pytest.approx(length, rel=1e-6)
    prediction = way["prediction"]
    assert (prediction is None) == (side == "source")
    if side == "source":
        return

    best = np.argsort(-study.log_probabilities_V, kind="stable")[:10]
    assert prediction["candidates"]["ids"] == best.tolist()
    np.testing.assert_array_equal(np.array(prediction["logits"], np.float32), study.logits_V[best])
    printed = [number(cells[2]) for cells in prediction["shown"]]
    np.testing.assert_allclose(printed, np.exp(study.log_probabilities_V[best]), atol=5.1e-4)


def test_a_stage_opens_and_leads_to_its_heads(visit):
    stage = visit()
    enter(stage)
    stage.choose("inside", "way")
    room = shown(stage)
    assert sum(s["open"] for s in room["way"]["stages"]) == 1
    line = stage.page.locator('[data-stage="decoder.2.cross"]')
    line.locator(".stage-open").click()
    line.locator("canvas").wait_for()
    line.locator(".stage-heads").click()
    room = shown(stage)
    assert room["view"] == "cell"
    assert (room["cell"]["site"], room["cell"]["layer"]) == ("cross", 1)
    assert room["cell"]["query"] == room["chosen"]["query"]


def unfolded(room):
    return {stage["id"] for stage in room["way"]["stages"] if stage["open"]}


def test_another_language_keeps_what_is_unfolded_on_both_sides(visit):
    stage = visit()
    enter(stage)
    stage.choose("inside", "way")
    chosen = {"target": "decoder.2.cross", "source": "encoder.1.self"}
    before = {}
    for side, name in chosen.items():
        stage.page.locator(f"[data-tokens={side}] [data-index='1']").click()
        shown(stage)
        stage.page.locator(f"[data-stage='{name}'] .stage-open").click()
        before[side] = unfolded(shown(stage))
        assert name in before[side]
    stage.page.locator("[data-tool=language]").click()
    for side in ("source", "target"):
        stage.page.locator(f"[data-tokens={side}] [data-index='1']").click()
        assert unfolded(shown(stage)) == before[side]


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_the_whole_chain_is_in_sight(visit, locale):
    link = "#v=3&model=en-fr&text=The+old+cat+sleeps+on+the+warm+roof.&room=inside&cross=2.4"
    stage = visit(locale=locale, link=link)
    for size in ((1440, 900), (1280, 720)):
        stage.resize(*size)
        shown(stage)
        body = stage.page.locator(".inside-body").bounding_box()
        panels = [
            panel.bounding_box() for panel in stage.page.locator(".inside-panel:visible").all()
        ]
        assert len(panels) == 7
        assert max(box["y"] + box["height"] for box in panels) <= body["y"] + body["height"]
        cut = stage.page.evaluate(
            """() => [...document.querySelectorAll(".inside-panel :is(.panel-result, .panel-name)")]
                .filter((one) => one.scrollWidth > one.clientWidth + 1).length"""
        )
        assert cut == 0


def test_why_scores_are_divided_is_told_with_the_numbers_of_this_head(visit):
    stage = visit()
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
        assert room["spread"]["before"]["counts_B"] == study.before.counts_B.tolist()
        for weights in (study.plain, study.divided):
            assert f"{weights.largest:.3f}" in room["sentence"]
    chart = stage.page.locator(".spread-chart canvas").first
    chart.focus()
    stage.page.keyboard.press("ArrowRight")
    pairs = re.escape(str(int(study.before.counts_B.sum())))
    expect(stage.page.locator(".spread-all > [aria-live]")).to_contain_text(re.compile(pairs))
