"""The page on models of the library transformers, one of each kind."""

from urllib.parse import quote_plus

import numpy as np
import pytest

from model_core.models.hub.families import FAMILIES
from tests.browser.walks import unfold
from tests.model_core.models.hub.tiny import eager, saved_hub
from tests.model_core.models.hub.tokenizing import tokenizer_of
from tests.serving import serve
from viz_app.text import WORDS

TEXT = "the old cat"
MODELS = {"t5": TEXT, "marian": TEXT, "qwen2": TEXT, "bert": "the old <mask> sleeps"}


def made(name):
    from model_core.models.hub.generating import ends_of, start_of  # which load transformers
    from model_core.models.hub.model import HubModel
    from model_core.models.hub.words import Words

    own, family = eager(name), FAMILIES[name]
    tasks = ["on the "] if name == "t5" else []
    words = Words(tokenizer_of(family.kind), family, start_of(own), ends_of(own), tasks)
    return HubModel(name, own, family, words)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    saved_hub(root / "gpt2", "gpt2")
    with serve(root, models=[made(name) for name in MODELS]) as one:
        yield one


@pytest.fixture
def at(served, look):
    """Opens the page with a model and its text; `more` is what a link says besides."""
    return lambda name, more="": look(
        served, link=f"#v=3&model={name}&text={quote_plus(MODELS[name])}{more}"
    )


def assert_weights_are_the_models(stage, drawn):
    trace = stage.decoding(drawn).trace(drawn["site"], drawn["layer"])
    shown = np.array(drawn["weights"], dtype=float)
    wanted = np.where(trace.mask_QK, trace.weights_HQK[drawn["head"]], np.nan)[: len(shown)]
    np.testing.assert_allclose(shown, wanted, rtol=1e-6)


def assert_a_cell_is_there(stage):
    stage.page.click("[data-open=inside]")
    stage.page.click("[data-inside=cell]")
    stage.drawn("drawn.in_room?.ready")
    unfold(stage)
    stage.page.wait_for_selector(".inside-row tbody tr.picked:visible")


def assert_rooms_open(stage, name):
    """The weights of the map, a cell, a token's way, and what the order of the tokens does."""
    sites = stage.service.library.tracer(name).anatomy.sites
    assert_weights_are_the_models(stage, stage.choose("site", sites[0].site))
    assert_a_cell_is_there(stage)
    stage.page.click("[data-inside=way]")
    stage.page.wait_for_selector(".way-stage.open")
    stage.page.click("[data-open=positions]")
    stage.page.wait_for_selector(".positions-badge:not(:empty)")
    stage.page.click("[data-study=order]")
    stage.page.wait_for_selector(".positions-verdict:has-text('order matters')")
    stage.page.click(".positions-order [data-mode=off]")
    tells = "the causal mask alone" if name == "qwen2" else "the same attention"
    stage.page.wait_for_selector(f".positions-verdict:has-text('{tells}')")
    stage.page.click("[data-study=rotary]")
    stage.page.wait_for_selector(".positions-rotary .positions-verdict:has-text('rounding')")
    stage.page.click("[data-open=translate]")


def test_of_a_translator_a_writer_and_a_reader_the_weights_are_the_models_and_a_task_is_set(at):
    assert_rooms_open(at("marian"), "marian")

    stage = at("qwen2")
    assert_rooms_open(stage, "qwen2")
    stage.page.select_option("select.model", "gpt2")
    drawn = stage.drawn("drawn.recipe?.model === 'gpt2'")
    assert drawn["site"] == "decoder"
    assert_weights_are_the_models(stage, drawn)
    assert_a_cell_is_there(stage)

    # A reader says what it lacks, and writes a masked word.
    stage = at("bert")
    assert_rooms_open(stage, "bert")
    stage.page.click(".whatif > summary")
    lacking = stage.page.locator('.whatif-line[data-edit="causal-mask"]')
    lacking.wait_for(state="attached")
    for group in stage.page.locator(".whatif-group:not([open]) > summary").element_handles():
        group.click()
    lacking.locator("select:disabled").wait_for()
    says = WORDS["en"]["whatif_lacks_causal-mask"].format(model="bert")
    assert lacking.locator("small").inner_text() == says
    stage.page.select_option('.whatif-line[data-edit="dropout"] select', "2")
    stage.page.wait_for_selector('.edit-chip[data-edit="dropout:2"]')
    assert_weights_are_the_models(stage, stage.drawn())
    stage.page.keyboard.press("Escape")

    # What the model expects behind a mask.
    word = stage.page.locator(".fill-word", has_not_text="<").first
    text = word.locator(".kind").inner_text()
    word.click()
    stage.page.wait_for_function("() => document.querySelector('.fill-word') === null")
    assert text in stage.page.locator(".strip-source .token").all_inner_texts()

    # A task is set before the sentence. This model writes to its limit, so that rows come when a
    # head is looked at.
    stage = at("t5", "&target=")  # with no token written yet
    stage.page.select_option("[data-setting=prefix]", "on the ")
    stage.page.wait_for_function(
        "() => document.querySelectorAll('.strip-source .token').length === 6"
    )
    said = stage.page.locator(".strip-source .token").all_inner_texts()
    assert said[:5] == ["on", "the", "the", "old", "cat"]
    stage.page.click("[data-site=encoder]")
    assert_a_cell_is_there(stage)
