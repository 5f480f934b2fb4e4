"""The menu with folders from elsewhere in it."""

import json
import logging
import os
import shutil
import urllib.request

import numpy as np
import pytest

from model_core.checkpoints.store import open_checkpoint
from model_core.decoding.library import Library
from model_core.folders import CHECKPOINTS
from model_core.models.own import OwnModel
from tests.model_core.models.hub.tiny import saved_hub
from tests.serving import ask, serve
from tests.tiny import tiny_checkpoint
from viz_app.__main__ import main
from viz_app.files.linked import open_link
from viz_app.menu import catalogue
from viz_app.menu.catalogue import entry_of, models_of
from viz_app.server import logs
from viz_app.server.document import page_options
from viz_app.server.service import Service
from viz_app.text import WORDS


@pytest.fixture
def checkpoints(tmp_path):
    for name in ("good", "odd"):
        tiny_checkpoint(tmp_path / name)
    return tmp_path


def says(**training):
    def change(folder):
        values = json.loads((folder / "config.json").read_text())
        values["training"] = training
        (folder / "config.json").write_text(json.dumps(values))

    return change


def pipe(folder):
    (folder / "config.json").unlink()
    os.mkfifo(folder / "config.json")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (says(config=3), "TrainConfig must be a JSON object"),
        (says(alignment_head={"layer": 1}), "alignment_head must be a JSON object"),
        (says(config={"source_language": ["en"]}), "source_language is"),
        (says(data="\ud800"), "half of a character"),
        (pipe, "is not a regular file"),
    ],
    ids=["config", "head", "language", "half", "pipe"],
)
def test_a_folder_that_cannot_be_used_is_left_out_with_its_reason(
    checkpoints, caplog, spoil, reason
):
    spoil(checkpoints / "odd")
    with caplog.at_level(logging.WARNING):
        options = page_options(Service(checkpoints))
    assert [model["name"] for model in options["models"]] == ["good"]
    assert options["model"] == "good"
    assert "The model odd is left out" in caplog.text and reason in caplog.text


def test_a_folder_with_half_of_a_character_spoils_no_list_of_models(checkpoints):
    says(data="\ud800")(checkpoints / "odd")
    bare = checkpoints / "bare"
    bare.mkdir()
    (bare / "config.json").write_text(json.dumps({"model_type": "\udfff"}))
    with serve(checkpoints) as (address, _):
        headers = {"content-type": "application/json"}
        status, _, text = ask(address, "/api/models", "POST", "{}", headers)
    assert status == 200
    assert [model["name"] for model in json.loads(text)] == ["good"]


def test_the_page_begins_with_the_models_that_the_menu_has_read(checkpoints, monkeypatch):
    service = Service(checkpoints)
    assert service.first == "good"
    monkeypatch.setattr(catalogue, "models_of", lambda _: pytest.fail("they are read again"))
    assert page_options(service)["models"] == service.models


def test_a_name_that_is_no_text_is_left_out(checkpoints):
    odd = os.fsencode(checkpoints / "odd")
    os.rename(odd, odd + b"\xff")
    assert [model["name"] for model in models_of(checkpoints).own] == ["good"]


def test_the_app_runs_without_its_first_model(checkpoints):
    (checkpoints / "odd").rename(checkpoints / "en-fr")
    (checkpoints / "en-fr" / "config.json").write_text("{")
    with serve(checkpoints) as (address, service):
        assert service.first == "good"
        service.library.tracer("good")
        health = json.load(urllib.request.urlopen(f"{address}/health"))
        assert health["ready"] is True
        page = urllib.request.urlopen(f"{address}/config").read().decode()
        assert "good" in page and '"name": "en-fr"' not in page


def test_where_no_model_can_be_opened_the_reasons_are_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(logs, "keep_words_out_of_tracebacks", lambda: None)  # for good
    tiny_checkpoint(tmp_path / "odd")
    pipe(tmp_path / "odd")
    assert main(["--checkpoints", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: No checkpoint in")
    assert "not a regular file" in said and said.count("\n") == 1


def test_every_model_of_the_project_has_a_title_of_its_own_in_every_language():
    models = {one["name"]: one for one in models_of(CHECKPOINTS).own if not one["of"]}
    for words in WORDS.values():
        said = {key.removeprefix("named_") for key in words if key.startswith("named_")}
        titles = {
            (*models[name]["languages"], words.get(f"named_{name}") if name in said else None)
            for name in models
        }
        assert len(titles) == len(models) and said <= set(models)


def test_a_model_offers_no_string_longer_than_those_it_learnt():
    models = {model["name"]: model for model in models_of(CHECKPOINTS).own}
    assert "transformer2017" in models["reverse-tiny"]["examples"]
    assert models["reverse-dot"]["examples"] == ["attention", "abc123", "aaaabbbb"]


def test_a_folder_of_transformers_is_in_the_menu_and_said_in_full_once_it_is_asked(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    saved_hub(tmp_path / "marian", "marian")
    damaged = saved_hub(tmp_path / "damaged", "gpt2")
    (damaged / "tokenizer.json").write_text('{"added_tokens": 5}')
    assert not models_of(tmp_path).refused  # who opens it is told
    shutil.rmtree(damaged)
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "config.json").write_text('{"model_type": "gpt2"}')
    assert list(models_of(tmp_path).refused) == ["bare"]  # it has no weights, and the log says so
    service = Service(tmp_path)
    names = [model["name"] for model in page_options(service)["models"]]
    assert names == ["tiny", "marian"] and service.first == "tiny"
    assert service.models[1]["closed"]
    recipe = {"model": "marian", "source": "the old cat"}
    answer = service.answer({"recipe": recipe, "extend": 1})
    assert answer["entry"]["anatomy"]["kind"] == "encoder-decoder"
    assert service.models[1] == answer["entry"] == service.menu.opened[0]
    link = "v=3&model=marian&text=the+old+cat&site=encoder&encoder=0.1"
    shown = Service(tmp_path).answer({"link": link})
    assert shown["view"]["locks"] == {"encoder": {"layer": 0, "head": 1}} and "entry" in shown
    linked = open_link(Library(tmp_path), link)
    assert linked.recipe.model == "marian" and linked.picture.view.site == "encoder"
    shutil.rmtree(tmp_path / "tiny")
    alone = Service(tmp_path)
    page_options(alone)
    assert alone.first == "marian" and alone.answer({"link": ""})["recipe"]["model"] == "marian"


def test_a_model_that_is_trained_anew_is_told_by_the_weights_that_answer(tmp_path):
    before = tiny_checkpoint(tmp_path / "tiny").fingerprint
    closed, service = Service(tmp_path), Service(tmp_path)
    assert closed.models[0]["fingerprint"] == service.models[0]["fingerprint"] == before
    recipe = {"model": "tiny", "source": "The old cat"}
    assert "error" not in service.answer({"recipe": recipe, "extend": 1})
    after = tiny_checkpoint(tmp_path / "tiny", 1, encoder_layers=3).fingerprint
    assert closed.models[0]["fingerprint"] == after
    entry = service.models[0]
    assert (entry["fingerprint"], entry["encoder_layers"]) == (before, 2)
    for weights, stale in ((before, False), (after, True)):
        link = f"v=3&model=tiny&weights={weights}&text=The+old+cat"
        assert service.answer({"link": link})["view"].get("stale", False) == stale
        assert (open_link(service.library, link).note is not None) == stale


def test_a_shipped_model_that_was_taught_to_align_names_the_best_head_that_was_not():
    taught = [one for one in models_of(CHECKPOINTS)[0] if one["taught"]]
    assert {"en-fr", "en-fr-prenorm", "en-de", "zh-en", "en-zh"} == {one["name"] for one in taught}
    for one in taught:
        heads, best = one["taught"]["heads"], one["taught"]["natural"]
        agreement_LH = (
            open_checkpoint(CHECKPOINTS / one["name"])
            .heads.sites["cross"]
            .measure_LH("cross", "aligner")
        )
        others = {
            place: agreement
            for place, agreement in np.ndenumerate(agreement_LH)
            if list(place) not in heads
        }
        assert agreement_LH[tuple(best)] == max(others.values()) and best not in heads
    opened = entry_of(OwnModel(open_checkpoint(CHECKPOINTS / "en-fr")))
    assert opened["taught"] == next(one for one in taught if one["name"] == "en-fr")["taught"]
