"""Every limit is hit, names its number and its remedy, and is said in both languages."""

import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from model_core.decoding import choosing
from model_core.decoding.queue import Queue
from model_core.decoding.tracer import Tracer
from model_core.errors import VisualiserError
from model_core.values.recipe import Recipe, Strategy
from viz_app.limits import DEMO, LOCAL, Limits
from viz_app.menu.catalogue import stage_options
from viz_app.server.service import Service
from viz_app.text import WORDS

RECIPE = {"model": "tiny", "source": "The old cat."}


def service(models, **limits):
    return Service(models, dataclasses.replace(LOCAL, **limits))


def ask(service, recipe=RECIPE, **changes):
    return service.answer({"recipe": recipe, "extend": 0} | changes)


def assert_told(error, code, limit):
    """The error has its code and its number, and a sentence in each language that says it."""
    assert error["code"] == code
    assert str(error["values"]["limit"]) == str(limit)
    for words in WORDS.values():
        sentence = words.get(f"error_{code}", error["message"]).format(**error["values"])
        assert str(limit) in sentence and "{" not in sentence
    assert str(limit) in error["message"] and error["message"].endswith(".")


def test_a_source_has_so_many_characters(models):
    error = ask(service(models, characters=11))["error"]
    assert_told(error, "characters", 11)
    assert "error" not in ask(service(models, characters=12))


def test_a_source_has_so_many_tokens_pads_included(models):
    tokens = len(ask(service(models))["source"]["ids"])
    assert "error" not in ask(service(models, tokens=tokens))
    assert_told(ask(service(models, tokens=tokens - 1))["error"], "limit_tokens", tokens - 1)
    padded = ask(service(models, tokens=tokens), RECIPE | {"pads": 1})["error"]
    assert_told(padded, "limit_tokens", tokens)


def test_a_source_has_so_many_pads(models):
    assert_told(ask(service(models, pads=2), RECIPE | {"pads": 3})["error"], "limit_pads", 2)


def endless(models):
    """A recipe whose translation is long, made by taking a token that does not end it."""
    token = ask(service(models))["steps"][0]["candidates"][0]["token"]
    token = token if token > 2 else 42
    return RECIPE | {"target": [{"token": token}] * 3}


def test_a_translation_that_the_limit_ends_is_shown_and_says_so(models):
    recipe = endless(models)
    answer = ask(service(models, steps=5), recipe, extend="end")
    assert len(answer["recipe"]["target"]) == 5 and answer["finished"] is None
    assert_told(answer["notice"], "limit_steps", 5)
    done = service(models, steps=5).translate(recipe)
    assert done["notice"]["code"] == "limit_steps" and len(done["recipe"]["target"]) == 5


@pytest.mark.parametrize("changes", [{"extend": 1}, {"extend": "end"}, {"force": 42}])
def test_a_translation_at_the_limit_does_not_go_on(models, changes):
    recipe = endless(models)
    assert_told(ask(service(models, steps=3), recipe, **changes)["error"], "limit_steps", 3)
    assert "error" not in ask(service(models, steps=3), recipe)
    assert_told(ask(service(models, steps=2), recipe)["error"], "limit_steps", 2)


def test_a_finished_translation_as_long_as_the_limit_is_no_error(models):
    ended = RECIPE | {"target": [{"token": 42}, {"token": 2}]}
    answer = ask(service(models, steps=2), ended, extend="end")
    assert answer["finished"] == "end" and "notice" not in answer


def test_a_batch_has_so_many_sentences_of_so_many_characters(models):
    request = {"room": "masks", "view": "masks", "site": "encoder", "recipe": RECIPE}
    asked = service(models, sentences=2, characters=12)
    error = asked.answer(request | {"sentences": ["a", "b", "c"]})["error"]
    assert_told(error, "batch", 2)
    error = asked.answer(request | {"sentences": ["a", "b" * 13]})["error"]
    assert_told(error, "sentence_characters", 12)
    assert error["values"]["number"] == 2


def test_a_sentence_of_a_batch_has_so_many_tokens(models):
    request = {"room": "masks", "view": "masks", "site": "encoder", "recipe": RECIPE}
    tokens = len(ask(service(models))["source"]["ids"])
    asked, longer = service(models, tokens=tokens), f"{RECIPE['source']} {RECIPE['source']}"
    assert "error" not in asked.answer(request | {"sentences": [RECIPE["source"], "cat"]})
    error = asked.answer(request | {"sentences": [RECIPE["source"], longer]})["error"]
    assert_told(error, "sentence_limit_tokens", tokens)
    assert error["values"]["number"] == 2
    view = {"sentences": [RECIPE["source"], longer]}
    export = {
        "recipe": Recipe("tiny", "The old cat.").to_json(),
        "picture": "scores",
        "view": view,
        "format": "csv",
    }
    assert_told(asked.answer({"export": export})["error"], "sentence_limit_tokens", tokens)


def test_half_a_character_in_a_batch_is_named_before_its_tokens_are_counted(models):
    request = {"room": "masks", "view": "masks", "site": "encoder", "recipe": RECIPE}
    error = service(models, tokens=12).answer(request | {"sentences": ["cat", "cat \ud83d"]})
    assert error["error"]["code"] == "sentence_half_character"
    assert error["error"]["values"] == {"number": 2}


def test_a_batch_that_outlasts_its_time_is_told_of_no_sentence(models):
    request = {"room": "masks", "view": "masks", "site": "encoder", "recipe": endless(models)}
    asked = service(models, seconds=3.0)
    asked.queue = asked.library.queue = Queue(1, 1, 3.0, clock=lambda: 0.0)
    assert "error" not in ask(asked)  # the model is open
    ticks = iter(range(1000))
    asked.queue = asked.library.queue = Queue(1, 1, 3.0, clock=lambda: float(next(ticks)))
    error = asked.answer(request | {"sentences": ["roof", "cat"]})["error"]
    assert_told(error, "seconds", 3)


@pytest.mark.parametrize("view", ["masks", "passes"])
def test_the_translations_of_a_batch_end_at_the_limit_and_it_is_said(models, view):
    sentences = ["The old cat.", "The old cat sleeps.", "roof"]
    request = {"room": "masks", "view": view, "site": "decoder", "recipe": RECIPE}
    request |= {"sentences": sentences}
    assert "notice" not in service(models).answer(request)
    answer = service(models, steps=4).answer(request)
    assert_told(answer["notice"], "limit_room_steps", 4)
    longest = max(len(entry["recipe"]["target"]) for entry in answer["batch"])
    assert longest == 4
    whole = service(models).answer(request)["batch"]
    for entry, full in zip(answer["batch"], whole, strict=True):
        assert entry["recipe"]["target"] == full["recipe"]["target"][:4]


def test_the_translations_of_other_orders_end_at_the_limit_and_it_is_said(models):
    request = {"room": "positions", "study": "outcome", "recipe": RECIPE}
    whole = service(models).answer(request)
    assert "notice" not in whole
    answer = service(models, steps=2).answer(request)
    assert_told(answer["notice"], "limit_room_steps", 2)
    pairs = zip(answer["translations"]["on"], whole["translations"]["on"], strict=True)
    assert all(full.startswith(cut) and full != cut for cut, full in pairs)


def test_a_beam_searches_no_further_than_the_limit(models, monkeypatch):
    limits = []
    search = choosing.search_from

    def searched(beginning, limit, *others, **more):
        limits.extend(limit)
        return search(beginning, limit, *others, **more)

    monkeypatch.setattr(choosing, "search_from", searched)
    recipe = RECIPE | {"strategy": {"kind": "beam", "width": 2}}
    done = ask(service(models, steps=4), recipe, extend="end")["recipe"]["target"]
    assert limits == [4] and 1 <= len(done) <= 4
    assert "error" not in ask(service(models), recipe, extend="end")
    assert limits == [4, 23]  # the model's own


def test_a_search_has_so_wide_a_beam():
    recipe = Recipe("tiny", "The old cat.", strategy=Strategy("beam", width=4))
    dataclasses.replace(LOCAL, beam_width=4).check_recipe(recipe)
    with pytest.raises(VisualiserError) as told:
        dataclasses.replace(LOCAL, beam_width=3).check_recipe(recipe)
    assert_told(told.value.to_json(), "limit_beam", 3)


def test_an_answer_has_so_many_bytes(models):
    assert_told(ask(service(models, answer_bytes=500))["error"], "limit_answer", 500)
    with pytest.raises(VisualiserError) as told:
        service(models, answer_bytes=500).trace(RECIPE, "cross", 1)
    assert_told(told.value.to_json(), "limit_answer", 500)


def test_a_request_has_so_many_bytes():
    LOCAL.check_request(LOCAL.request_bytes)
    with pytest.raises(VisualiserError) as told:
        LOCAL.check_request(LOCAL.request_bytes + 1)
    assert_told(told.value.to_json(), "limit_request", LOCAL.request_bytes)


def test_whoever_finds_the_line_full_is_told_at_once(models):
    asked = service(models, at_once=1, in_line=1)
    with asked.queue.place(), asked.queue.place():
        assert_told(ask(asked)["error"], "busy", 2)
        status = asked.answer({"status": "tiny"})["status"]
        assert (status["waiting"], status["at_once"]) == (1, 1)
    assert "error" not in ask(asked)


def test_a_decode_that_outlasts_its_time_stops_between_two_steps(models):
    asked = service(models, seconds=3.0)
    asked.queue = asked.library.queue = Queue(1, 1, 3.0, clock=lambda: 0.0)
    assert "error" not in ask(asked)  # the model is open
    ticks = iter(range(1000))
    asked.queue = asked.library.queue = Queue(1, 1, 3.0, clock=lambda: float(next(ticks)))
    assert_told(ask(asked, endless(models), extend="end")["error"], "seconds", 3)
    assert next(ticks) < 10  # it did not go on to the end of the sentence


def test_a_file_whose_pictures_take_too_long_is_not_drawn(models):
    asked = service(models, export_seconds=7.0)
    ticks = iter(range(0, 1000, 4))
    asked.queue = asked.library.queue = Queue(1, 1, 500.0, clock=lambda: float(next(ticks)))
    error = asked.answer({"export": {"recipe": endless(models), "format": "gif"}})["error"]
    assert_told(error, "export_seconds", 7)


def test_what_is_too_large_to_be_kept_is_computed_anew_and_says_so(models):
    asked = service(models, cache_bytes=1000)
    answer = ask(asked, extend="end")
    assert_told(answer["notice"], "limit_cache", 1000)
    whole = ask(service(models), extend="end")
    assert "notice" not in whole
    assert {**answer, "notice": None} == {**whole, "notice": None}


def test_what_is_kept_stays_within_its_bytes(models):
    asked = service(models, cache_bytes=200_000)
    for number in range(30):
        ask(asked, RECIPE | {"source": f"cat {number}"}, extend="end")
    assert asked.library.cache.nbytes <= 200_000


def test_the_page_knows_the_limits_before_they_are_met():
    limits = stage_options((), DEMO)["limits"]
    assert limits["characters"] == DEMO.characters and limits["sentences"] == DEMO.sentences


def test_a_demo_gives_no_more_than_a_machine_of_ones_own():
    for field in dataclasses.fields(Limits):
        assert getattr(DEMO, field.name) <= getattr(LOCAL, field.name), field.name


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Limits)])
def test_a_limit_of_nothing_is_refused(name):
    with pytest.raises(ValueError, match=name):
        dataclasses.replace(LOCAL, **{name: 0})


def test_two_requests_use_the_models_at_once_and_the_rest_wait(models, monkeypatch):
    asked = service(models, at_once=2, in_line=20)
    assert "error" not in ask(asked)  # the model is open
    both, at_work, extend = threading.Barrier(2, timeout=60), [], Tracer.extend

    def together(*values):
        at_work.append(1)
        both.wait()  # for another one
        assert len(at_work) == 2
        both.wait()
        at_work.pop()
        return extend(*values)

    monkeypatch.setattr(Tracer, "extend", together)
    with ThreadPoolExecutor(12) as threads:
        answers = [*threads.map(lambda n: ask(asked, extend="end", have=n), range(12))]
    assert not any("error" in answer for answer in answers)
