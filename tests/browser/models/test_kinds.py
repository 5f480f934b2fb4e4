"""The page on a model of each kind has the sites that the model has, and says what is missing."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.walks import fragment
from tests.made_up import MadeUp
from tests.serving import serve
from viz_app.rooms.translate import summary

KINDS = ("encoder-decoder", "decoder", "encoder")
TEXT = "the old cat sleeps"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    models = [MadeUp(kind, biased=True, most=20) for kind in KINDS]
    with serve(tmp_path_factory.mktemp("models"), models=models) as running:
        yield running


@pytest.fixture
def at(served, look):
    """Opens the page with a model of a kind."""
    return lambda kind: look(served, link=link_to(kind))


def link_to(kind):
    return f"#v=3&model=made-up-{kind}&text={TEXT.replace(' ', '+')}"


def tabs(stage):
    shown = stage.page.locator("[data-site]:visible")
    return [one.get_attribute("data-site") for one in shown.all()]


def weights(stage, drawn):
    trace = stage.decoding(drawn).trace(drawn["site"], drawn["layer"])
    return np.where(trace.mask_QK, trace.weights_HQK[drawn["head"]], np.nan)


ROOM = (
    "() => { const { in_room: room, busy } ="
    " document.querySelector('.stage-host').stage.drawn(); return !busy && !room.busy }"
)
REFUSED = {"encoder": "positions", "decoder": "positions", "encoder-decoder": "inside"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_shows_the_sites_of_the_model_and_says_what_is_missing(at, kind, monkeypatch):
    stage = at(kind)
    sites = stage.service.library.tracer(f"made-up-{kind}").model.anatomy.sites
    assert tabs(stage) == [one.site for one in sites]
    seen = {}
    for one in sites:
        drawn = seen[one.site] = stage.choose("site", one.site)
        assert drawn["site"] == one.site
        assert len(drawn["thumbnails"]) == one.layers * one.heads
        shown = np.array(drawn["weights"], dtype=float)
        wanted = weights(stage, drawn)[: len(shown)]
        np.testing.assert_allclose(shown, wanted, rtol=1e-6)

    # A link opens the same again.
    stage.lock(1, 2)
    before = stage.drawn()
    stage.anew(fragment(stage))
    after = stage.drawn()
    for name in ("site", "layer", "head", "at", "weights", "recipe"):
        assert after[name] == before[name], name

    # A room that the model cannot have says why, in both languages.
    stage.page.locator(f"[data-open={REFUSED[kind]}]").click()
    refusal = stage.page.locator(".room-refusal")
    refusal.wait_for()
    assert "the model's own weights" in refusal.inner_text()
    stage.page.locator("[data-tool=language]").click()
    refusal.filter(has_text=re.compile(r"^[^A-Za-z]+$")).wait_for()
    stage.page.locator("[data-tool=language]").click()

    # Masks are shown of any model, and what breaking one leaks.
    stage.page.locator("[data-open=masks]").click()
    refusal.wait_for(state="hidden")
    stage.page.wait_for_function(ROOM)
    drawn = stage.drawn()
    site = "encoder" if kind == "encoder" else "decoder"
    assert drawn["in_room"]["site"] == site and drawn["message"] is None
    for part in ("[data-masks=passes]", "[data-breaks=causal]"):
        expect(stage.page.locator(part)).to_be_visible(visible=kind != "encoder")
    expect(stage.page.locator(".masks-lacking")).to_be_visible(visible=kind == "encoder")
    stage.page.locator("[data-masks-pads='no-pad-mask']").click()
    leaks = "Pads still get" if kind == "decoder" else "goes to pads"
    stage.page.locator(".masks-banner").filter(has_text=leaks).wait_for()

    if kind == "encoder":  # a model that only reads has no steps and no candidates
        stage.page.locator("[data-open=translate]").click()
        drawn = stage.drawn()
        assert drawn["steps"] == 0 and drawn["finished"] == "end"
        for part in (".candidates", ".playback", ".strip-target"):
            expect(stage.page.locator(part)).to_be_hidden()
        assert stage.page.locator("[data-act=translate]").inner_text() == "Read"
        stage.page.locator(".pads button").last.click()
        drawn = stage.drawn()
        assert drawn["column_labels"][-1] == "pad"
        assert {row[-1] for row in drawn["weights"]} == {None}

    # Heads that come one by one show the same numbers.
    monkeypatch.setattr(summary, "MOST_AT_ONCE", 0)
    stage.anew(link_to(kind))
    for site, whole in seen.items():
        stage.choose("site", site)
        stage.lock(whole["layer"], whole["head"])
        drawn = stage.drawn(f"drawn.title === {json.dumps(whole['title'])}")
        for name in ("weights", "masks", "row_labels", "column_labels"):
            assert drawn[name] == whole[name], name
        for one, other in zip(drawn["thumbnails"], whole["thumbnails"], strict=True):
            assert one["word"] == other["word"] and one["title"] == other["title"]
    if kind != "encoder":
        before = stage.drawn()
        stage.act("reset")
        after = stage.drawn()
        assert after["recipe"]["target"] == [] and after["steps"] < before["steps"]
    if kind == "decoder":
        assert_the_text_is_the_prompt_and_its_tokens_are_steps(stage)


def assert_the_text_is_the_prompt_and_its_tokens_are_steps(stage):
    expect(stage.page.locator(".strip-source")).to_be_hidden()
    drawn = stage.type_source(TEXT, "Shift+Enter")
    assert drawn["steps"] == 5 and drawn["at"] == 4 and drawn["recipe"]["target"] == []
    assert drawn["row_labels"][:-1] == TEXT.split()  # a row is named by the token after it
    given = stage.page.locator(".strip-target [data-how=given]")
    assert given.all_inner_texts() == TEXT.split()

    drawn = stage.act("back")
    assert drawn["at"] == 3  # a token that was given: what the model would have written is shown
    assert sum(one["chosen"] for one in drawn["candidates"]) == 1
    stage.key("2")
    assert stage.drawn()["recipe"]["target"] == []  # and cannot be changed

    stage.act("step")
    stage.key("2")
    drawn = stage.drawn()
    assert len(drawn["recipe"]["target"]) == 1 and drawn["at"] == 5
    stage.key("1")
    drawn = stage.act("back")
    stage.key("3")
    drawn = stage.drawn()
    assert [one["how"] for one in drawn["recipe"]["target"]][-1] == "forced"
    assert len(drawn["recipe"]["target"]) == 2
    drawn = stage.act("reset")
    assert drawn["recipe"]["target"] == [] and drawn["at"] == 4 and drawn["steps"] == 5
