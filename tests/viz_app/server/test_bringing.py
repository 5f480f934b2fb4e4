"""Models opened by their path: where that is allowed, what is refused, what the menu gets."""

import json

import pytest
from starlette.requests import Request

from model_core.models.hub.families import FAMILIES
from tests.model_core.checkpoints.imports.test_importing import saved
from tests.model_core.models.hub.tiny import saved_hub
from tests.refusals import refusal
from tests.tiny import tiny_checkpoint, tiny_config
from tests.variants import VARIANTS, WHOLE
from viz_app.server.access import is_from_here
from viz_app.server.address import Address
from viz_app.server.bringing import FROM_HERE, read_hints
from viz_app.server.document import page_options
from viz_app.server.service import Service
from viz_app.text import WORDS


@pytest.fixture
def service(tmp_path, here):
    tiny_checkpoint(tmp_path / "models" / "tiny")
    return Service(tmp_path / "models", opens_paths=True)


def test_a_file_is_in_the_menu_and_answers_from_then_on(service, tmp_path):
    asked = {"path": str(saved(tmp_path)), "heads": 2, "settings": ["norm_eps=0.001"]}
    entry = service.answer({"bring": asked})["model"]
    assert (entry["name"], entry["group"]) == ("theirs", "imported")
    assert service.library.tracer("theirs").model.config.norm_eps == 0.001
    assert service.answer({"brought": True})["models"] == [entry]
    assert [model["name"] for model in service.models] == ["tiny", "theirs"]
    assert "hidden_score" in entry["anatomy"]["unusual"]
    recipe = {"model": "theirs", "source": entry["examples"][0], "target": []}
    answer = service.answer({"recipe": recipe, "extend": "end"})
    assert "error" not in answer and answer["recipe"]["model"] == "theirs"
    again = service.answer({"bring": asked})["model"]
    assert again["name"] == "theirs-2" and again["fingerprint"] == entry["fingerprint"]


def test_a_folder_is_opened_too(service, tmp_path):
    tiny_checkpoint(tmp_path / "elsewhere" / "mine", 5)
    assert (
        service.answer({"bring": {"path": str(tmp_path / "elsewhere" / "mine")}})["model"]["name"]
        == "mine"
    )


def test_what_is_wrong_with_a_file_is_told(service, tmp_path):
    assert service.answer({"bring": {"path": str(tmp_path / "no")}})["error"]["code"] == "no_path"
    (tmp_path / "junk.pt").write_bytes(b"junk")
    error = service.answer({"bring": {"path": str(tmp_path / "junk.pt")}})["error"]
    assert error["code"] == "checkpoint" and "junk.pt" in error["message"]
    assert service.answer({"brought": True})["models"] == []


def test_a_malformed_wish_is_refused():
    for asked in (
        None,
        [],
        {},
        {"path": 3},
        {"path": ""},
        {"path": "a\0b"},
        {"path": "a" * 5000},
        {"path": "a", "surprise": 1},
        {"path": "a", "layout": "surprise"},
        {"path": "a", "layout": ["hkproj"]},
        {"path": "a", "heads": 0},
        {"path": "a", "heads": True},
        {"path": "a", "heads": 10**9},
        {"path": "a", "tokenizers": "b"},
        {"path": "a", "tokenizers": ["b", "c", "d"]},
        {"path": "a", "tokenizers": [None]},
        {"path": "a", "settings": "norm_place=pre"},
        {"path": "a", "settings": [3]},
    ):
        refusal(read_hints, asked)


def test_a_path_without_a_name_is_no_model(service):
    for path in ("/", "//", "/tmp/.."):
        error = service.answer({"bring": {"path": path}})["error"]
        assert error["kind"] == "CheckpointMissing" and "has no name" in error["message"]


def test_a_path_with_half_of_a_character_is_told_as_any_that_is_not_there(service):
    answer = service.reply({"bring": {"path": "\ud800"}})
    assert (answer.code, answer.status) == ("no_path", 400)
    assert json.loads(answer.body)["error"]["values"]["path"].endswith("\ud800")


def test_no_path_is_read_for_others(service, tmp_path):
    asked = {"bring": {"path": str(saved(tmp_path))}}
    FROM_HERE.set(False)
    assert service.answer(asked)["error"]["code"] == "bring"
    FROM_HERE.set(True)
    assert Service(service.checkpoints).answer(asked)["error"]["code"] == "bring"


def test_a_server_is_somebodys_own_where_only_its_own_computer_reaches_it():
    for address, own in (
        (Address(), True),
        (Address(host="localhost"), True),
        (Address(host="::1"), True),
        (Address(host="0.0.0.0"), False),
        (Address(host="192.168.1.2"), False),
        (Address(host="example.org"), False),
        (Address(root_path="/attention"), False),
        (Address(share=True), False),
        (Address(for_strangers=True), False),
    ):
        assert address.is_own == own


def test_a_request_is_from_here_where_it_says_so_and_no_proxy_passed_it_on():
    for headers, here in (
        ({"host": "127.0.0.1:7860"}, True),
        ({"host": "localhost"}, True),
        ({"host": "[::1]:7860"}, True),
        ({"host": "evil.example:7860"}, False),
        ({}, False),
        ({"host": "[::1"}, False),
        ({"host": "localhost", "x-forwarded-for": "10.0.0.1"}, False),
        ({"host": "localhost", "Forwarded": "for=10.0.0.1"}, False),
    ):
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        assert is_from_here(Request({"type": "http", "headers": raw})) == here


def test_every_unusual_thing_has_a_sentence_in_both_languages():
    every = [tiny_config(**changes) for changes in (VARIANTS | WHOLE).values()]
    codes = {code for config in every for code in config.unusual} | {"source_start"}
    assert len(codes) == 12
    for code in codes:
        for words in WORDS.values():
            assert words[f"unusual_{code}"]


def test_the_page_is_told_that_paths_are_opened_only_where_they_are(service):
    assert page_options(service)["layouts"][0] == "hkproj"
    assert page_options(Service(service.checkpoints))["layouts"] is None


@pytest.mark.parametrize("kind", ["marian", "gpt2", "bert"])
def test_a_folder_of_transformers_is_opened_too(service, tmp_path, kind):
    folder = saved_hub(tmp_path / "foreign", kind)
    entry = service.answer({"bring": {"path": str(folder)}})["model"]
    assert (entry["name"], entry["anatomy"]["kind"]) == ("foreign", FAMILIES[kind].kind)
    recipe = {"model": "foreign", "source": "the old cat", "target": []}
    assert "error" not in service.answer({"recipe": recipe, "extend": 1})
