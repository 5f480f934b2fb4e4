"""What the page says of a sentence before its picture is believed, and the card of the model."""

import re

from model_core.checkpoints.folder import read_config
from model_core.checkpoints.parts import parameters_by_part
from tests.browser.conftest import PHONE, WIDE
from tests.conftest import CHECKPOINTS

SHOWS = "([n, v]) => document.querySelector('.stage-host').stage.drawn().recipe[n] === v"


def guard(stage):
    return stage.drawn()["guard"]


def test_chinese_for_an_english_model_leads_to_the_chinese_one(visit):
    stage = visit()
    stage.page.locator("[data-open=beam]").click()  # which a low window leaves the fewest lines
    stage.page.locator(".source-text").fill("你会说英语吗？")
    assert "looks like Chinese" in guard(stage)
    for window, home in ((PHONE, ".source-line"), (WIDE, ".said")):  # over the map of a phone
        stage.resize(**window)
        stage.drawn()
        stage.page.locator(f"{home} > .guard").wait_for()
    stage.page.get_by_role("button", name="Switch to Chinese → English").click()
    stage.page.wait_for_function(SHOWS, arg=["model", "zh-en"])
    assert stage.drawn()["recipe"]["source"] == "你会说英语吗？"
    assert guard(stage) is None


def test_nothing_is_translated_from_nothing(visit):
    stage = visit()
    before = stage.drawn()
    after = stage.type_source("   ")
    assert "no sentence yet" in after["message"]
    assert after["recipe"] == before["recipe"]
    assert after["weights"] == before["weights"]


def test_characters_the_model_has_hardly_seen_are_counted(visit):
    stage = visit()
    drawn = stage.type_source("A cat in 東")
    pieces = stage.decoding(drawn).source.pieces
    count = sum(re.fullmatch("<0x[0-9A-F]{2}>", piece) is not None for piece in pieces)
    assert count == 3
    assert guard(stage).startswith(f"{count} of {len(pieces) - 1} tokens are single bytes")


def test_a_sentence_longer_than_usual_says_what_is_usual(visit):
    stage = visit()
    usual = 24  # the range of lengths of the card within which 99% of the sentences lie
    drawn = stage.type_source("cat " * (usual + 1) + "cat")
    count = len(drawn["source_labels"]) - 1
    assert count > usual
    assert guard(stage).startswith(f"{count} tokens:") and str(usual) in guard(stage)


def test_a_typed_sentence_is_offered_to_the_reversing_model(visit):
    stage = visit()
    stage.type_source("My dog runs.")
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.page.wait_for_function(SHOWS, arg=["model", "reverse-tiny"])
    assert stage.drawn()["recipe"]["source"] == "attention"
    stage.page.get_by_role("button", name="Reverse “My dog runs.” all the same").click()
    stage.page.wait_for_function(SHOWS, arg=["source", "My dog runs."])


def test_the_card_counts_every_parameter_once(visit):
    stage = visit()
    stage.page.get_by_role("button", name="About this model").click()
    card = stage.page.get_by_role("dialog", name="About this model")
    parts = parameters_by_part(CHECKPOINTS / "en-fr")
    _, training = read_config(CHECKPOINTS / "en-fr")
    assert sum(parts.values()) == training.parameters
    assert f"{training.parameters:,}" in card.inner_text()
    shown = [
        int(text.replace(",", "")) for text in card.locator(".card-parts small").all_inner_texts()
    ]
    assert shown == list(parts.values())
    score = training.evaluation["searches"][1]["bleu"]
    assert f"{score['value']:.1f} ± {score['interval']:.1f}" in card.inner_text()
    stage.page.keyboard.press("Escape")


def test_a_chinese_browser_opens_on_chinese(visit):
    stage = visit(locale="zh-CN")
    assert stage.drawn()["recipe"]["model"] == "zh-en"
    assert stage.drawn()["language"] == "zh"
