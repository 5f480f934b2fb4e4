"""The room Heads in a real Chromium: its numbers are the file's, its finds the model's own."""

import numpy as np
import pytest

from model_core.values.head_measures import MEASURES
from tests.browser.checks import assert_nothing_sticks_out
from tests.browser.conftest import PHONE

READY = "() => document.querySelector('.stage-host').stage.drawn().in_room?.ready"


def shown(stage):
    stage.drawn()
    stage.page.wait_for_function(READY)
    return stage.drawn()["in_room"]


def enter(stage):
    stage.page.locator("[data-open=heads]").click()
    return shown(stage)


def known(stage):
    return stage.service.library.tracer("en-fr").model.heads


def test_every_number_is_that_of_the_file_and_a_head_opens_where_it_reads(visit):
    stage = visit()
    room = enter(stage)
    measures = known(stage)
    for one in room["heads"]:
        at = one["layer"], one["head"]
        site = measures.sites[one["site"]]
        for name in MEASURES[one["site"]]:
            expected = float(site.measure_LH(one["site"], name)[at])
            assert one["values"][name] == pytest.approx(expected, abs=1e-7)
    assert "250 sentences" in room["on"] and "no change is the normal result" in room["on"]
    assert room["page"]["sentences"] == 10
    x, y, width, height = room["cell"]  # encoder, layer 1, head 1
    canvas = stage.page.locator(".heads-grid canvas")
    canvas.click(position={"x": x + width / 2, "y": y + height / 2})
    room = shown(stage)
    assert "encoder self-attention · layer 1 · head 1" in room["page"]["title"]
    stage.page.locator("[data-act=heads-open]").click()
    drawn = stage.drawn()
    assert drawn["room"] == "translate" and drawn["site"] == "encoder"


def test_what_is_found_is_most_like_the_pattern_on_this_sentence(visit):
    stage = visit()
    enter(stage)
    stage.page.locator("[data-pattern=previous]").click()
    room = shown(stage)
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


def test_on_a_phone_in_chinese_nothing_sticks_out_and_a_column_sorts(visit):
    stage = visit(PHONE)
    stage.page.locator("[data-tool=language]").first.click()
    enter(stage)
    assert_nothing_sticks_out(stage)
    stage.page.locator("[data-heads=table]").click()
    stage.page.locator("[data-sort=entropy]").click()
    first = stage.page.locator(".heads-table tbody tr td").first
    first.wait_for()
    values = [one["values"]["entropy"] for one in shown(stage)["heads"]]
    assert first.inner_text() == f"{max(values):.3f}"
    assert_nothing_sticks_out(stage)
