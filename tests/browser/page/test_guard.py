"""What the page says of a sentence before its picture is believed, and of the models."""

import re

from playwright.sync_api import expect

from model_core.checkpoints.folder import read_config
from model_core.checkpoints.parts import parameters_by_part
from tests.browser.checks import assert_drawn_is_the_models
from tests.browser.conftest import PHONE, ROOMY, WIDE
from tests.conftest import CHECKPOINTS

LONG = (
    "My brother bought a new red car last week and sold it again on Sunday morning because it was"
    " too slow for him and his dog."
)
SHOWS = "([n, v]) => document.querySelector('.stage-host').stage.drawn().recipe[n] === v"


def guard(stage):
    return stage.drawn()["guard"]


def test_what_a_model_cannot_read_leads_to_one_that_can_and_every_model_is_told_apart(visit):
    stage = visit()
    stage.page.locator("[data-open=beam]").click()  # which a low window leaves the fewest lines
    stage.page.locator(".source-text").fill("我妹妹喜欢苹果。")
    assert "looks like Chinese" in guard(stage)
    for window, home in ((PHONE, ".source-line"), (WIDE, ".said")):  # over the map of a phone
        stage.resize(**window)
        stage.drawn()
        stage.page.locator(f"{home} > .guard").wait_for()
    stage.page.get_by_role("button", name="Switch to Chinese → English").click()
    stage.page.wait_for_function(SHOWS, arg=["model", "zh-en"])
    assert stage.drawn()["recipe"]["source"] == "我妹妹喜欢苹果。"
    assert guard(stage) is None

    # The model of another script gets an example; what was typed is one press or one choice away.
    stage.page.locator("[data-open=translate]").click()
    stage.page.locator("select.model").select_option("en-fr")
    stage.page.wait_for_function(SHOWS, arg=["model", "en-fr"])
    assert stage.drawn()["recipe"]["source"] != "我妹妹喜欢苹果。"
    assert "got an example" in guard(stage)
    stage.page.locator("select.model").select_option("zh-en")
    stage.page.wait_for_function(SHOWS, arg=["source", "我妹妹喜欢苹果。"])
    stage.page.locator("select.model").select_option("en-fr")
    stage.page.wait_for_function(SHOWS, arg=["model", "en-fr"])
    pieces = stage.decoding(stage.type_source("A cat in 東")).source.pieces
    count = sum(re.fullmatch("<0x[0-9A-F]{2}>", piece) is not None for piece in pieces)
    assert count == 3
    assert guard(stage).startswith(f"{count} of {len(pieces) - 1} tokens are single bytes")
    usual = 24  # the range of lengths of the card within which 99% of the sentences lie
    drawn = stage.type_source(LONG)
    count = len(drawn["source_labels"]) - 1
    assert count > usual
    assert guard(stage).startswith(f"{count} tokens:") and str(usual) in guard(stage)

    stage.type_source("My dog runs.")
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.page.wait_for_function(SHOWS, arg=["model", "reverse-tiny"])
    assert stage.drawn()["recipe"]["source"] == "attention"
    stage.page.get_by_role("button", name="Reverse “My dog runs.” all the same").click()
    stage.page.wait_for_function(SHOWS, arg=["source", "My dog runs."])
    drawn = stage.type_source("abc123")
    assert drawn["text"] == "321cba"
    assert_drawn_is_the_models(drawn, stage.decoding(drawn))

    # Models are told apart, and the card of one counts every parameter once.
    stage.resize(**ROOMY)
    stage.anew("")
    menu, names = stage.page.locator("select.model"), stage.service.library.names()
    titles = menu.locator("option:not([value^='beside:'])").all_inner_texts()
    assert len(set(titles)) == len(names)
    assert {"English → French", "English → French · pre-norm"} <= set(titles)
    assert not [title for title in titles for name in names if name in title]
    assert menu.locator("[value='own:']").count() == 0  # this server opens no others

    stage.page.get_by_role("button", name="About this model").click()
    card = stage.page.get_by_role("dialog", name="About this model")
    parts = parameters_by_part(CHECKPOINTS / "en-fr")
    _, training = read_config(CHECKPOINTS / "en-fr")
    assert sum(parts.values()) == training.parameters
    assert f"{training.parameters:,}" in card.inner_text()
    shown = card.locator(".card-parts small").all_inner_texts()
    assert [int(text.replace(",", "")) for text in shown] == list(parts.values())
    score = training.evaluation.searches[1].bleu
    assert str(score) in card.inner_text()
    stage.page.keyboard.press("Escape")
    expect(card).to_be_hidden()

    before = menu.bounding_box()["width"]
    menu.select_option("en-fr-prenorm")
    stage.drawn()
    assert before < menu.bounding_box()["width"] < 330  # as wide as the name
