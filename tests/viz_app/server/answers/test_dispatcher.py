"""What is answered past gradio: plain requests of programs, /ready and /metrics."""

import asyncio
import dataclasses
import json
import re
import shutil
import threading
import time

import pytest

from model_core.decoding.queue import ASKER, LEAVING, Asker
from model_core.errors import RecipeError
from model_core.models.loading import open_model
from tests.tiny import tiny_checkpoint
from viz_app.limits import DEMO
from viz_app.server.answers.dispatcher import Dispatcher
from viz_app.server.answers.requests import Reply, refusal
from viz_app.server.service import Service

SECRET = "heliotrope"


def program(dispatcher, name, values, address="a"):
    """The answer to one plain request."""
    return asyncio.run(dispatcher.to_program(name, json.dumps(values).encode(), address))


def test_a_program_names_what_it_gives_and_goes_on_with_the_recipe(models):
    dispatcher = Dispatcher(Service(models))
    first = program(dispatcher, "step", {"text": "The old cat.", "model": "tiny"})
    recipe = json.loads(first.body)["recipe"]
    second = json.loads(program(dispatcher, "step", {"recipe": recipe}).body)
    assert first.status == 200 and len(second["recipe"]["target"]) == 2
    for wrong in ({"txet": "x"}, 3, None):
        with pytest.raises(RecipeError, match="some of text"):
            program(dispatcher, "translate", wrong)
    unknown = program(dispatcher, "heliotrope", {})
    assert unknown.status == 404 and b"there are models, translate" in unknown.body


def test_a_body_that_nests_without_end_is_refused_by_name(models):
    dispatcher, deep = Dispatcher(Service(models)), b"[" * 100_000
    with pytest.raises(RecipeError, match="not JSON"):
        asyncio.run(dispatcher.to_program("step", deep, "a"))
    with pytest.raises(RecipeError, match="not JSON"):
        asyncio.run(dispatcher.to_stage(deep, "a"))


def test_an_error_of_a_program_has_a_status_and_a_name(models):
    dispatcher = Dispatcher(Service(models, DEMO))
    answer = program(dispatcher, "translate", {"text": "a" * 400, "model": "tiny"})
    assert (answer.status, answer.code, answer.after) == (400, "characters", None)
    assert json.loads(answer.body)["error"]["values"] == {"n": 400, "limit": 300}


def test_who_finds_no_place_is_told_when_to_ask_again(models):
    limits = dataclasses.replace(DEMO, at_once=1, in_line=1)
    service = Service(models, limits)
    service.queue.patience = 0.0
    with service.queue.place(), service.queue.place():
        answer = program(Dispatcher(service), "translate", {"text": "cat", "model": "tiny"})
    assert (answer.status, answer.code, answer.after) == (503, "busy", 1)
    assert "number 3 in line" in json.loads(answer.body)["detail"]


def test_a_model_that_fails_is_told_as_a_bug_without_its_words(models, caplog):
    service = Service(models)
    service.step = lambda *_: 1 / 0
    answer = program(Dispatcher(service), "step", {"text": SECRET, "model": "tiny"})
    assert answer.status == 500 and SECRET not in answer.body.decode()
    assert "ZeroDivisionError" in caplog.text


def test_it_is_ready_when_the_first_model_is_open(models):
    service = Service(models)
    dispatcher = Dispatcher(service)
    assert (dispatcher.health().status, dispatcher.ready().status, dispatcher.ready().after) == (
        200,
        503,
        1,
    )
    service.library.tracer("tiny")
    assert (dispatcher.ready().status, json.loads(dispatcher.ready().body)) == (
        200,
        {"ready": True},
    )


def test_health_names_the_model_that_the_app_was_started_with_too(models, tmp_path):
    service = Service(models)
    tiny_checkpoint(tmp_path / "mine")
    service.open_on(str(tmp_path / "mine"))
    assert json.loads(Dispatcher(service).health().body)["models"] == ["tiny", "mine"]


def test_what_may_be_asked_next_waits_behind_what_is_asked(models, monkeypatch):
    service, askers = Service(models), []
    monkeypatch.setattr(service, "reply", lambda _: askers.append(ASKER.get()) or Reply(b"{}"))
    recipe = {"model": "tiny", "source": "The old cat."}
    for asked in ({"next": 2}, {"extend": 1}):
        body = json.dumps({"recipe": recipe} | asked).encode()
        asyncio.run(Dispatcher(service).to_stage(body, "a"))
    assert askers == [Asker("a", ahead=True), Asker("a")]


def counted(dispatcher):
    """The numbers of /metrics by name and labels, after a look at every line of the format."""
    text, found = dispatcher.metrics(5).body.decode(), {}
    number = r"(?P<name>[a-z_]+(\{[^}]*\})?) (?P<value>[-+.e0-9]+)"
    for line in text.splitlines():
        match = re.fullmatch(rf"# (HELP|TYPE) [a-z_]+ .+|{number}", line)
        assert match, line
        if match["name"]:
            found[match["name"].removeprefix("attention_visualiser_")] = float(match["value"])
    assert text.endswith("\n") and SECRET not in text
    return found


def test_a_lesson_that_lies_with_the_reader_is_kept_for_nobody(models):
    dispatcher = Dispatcher(Service(models, DEMO))
    step = {"id": "one", "ask": {"kind": "number", "answer": "steps()"}}
    words = {"title": SECRET, "about": "", "one.say": "Look.", "one.ask": "How many?"}
    lesson = {"version": 1, "minutes": 1, "models": {"tiny": {"text": "The cat."}}}
    written = json.dumps(lesson | {"steps": [step], "words": {"en": words}})
    body = json.dumps({"lesson": {"name": "mine", "written": written}}).encode()
    for _ in range(2):
        assert SECRET in asyncio.run(dispatcher.to_stage(body, "a")).body.decode()
    found = counted(dispatcher)
    assert found["shared_bytes"] == found["shared_answers_total"] == 0


def test_what_is_asked_is_counted_and_never_quoted(models):
    service = Service(models, DEMO)
    dispatcher = Dispatcher(service)
    for _ in range(3):
        program(dispatcher, "translate", {"text": SECRET, "model": "tiny"})
    program(dispatcher, "translate", {"text": SECRET, "model": SECRET})
    program(dispatcher, "translate", {"text": SECRET * 99, "model": "tiny"})
    found = counted(dispatcher)
    assert found['requests_total{kind="api translate",outcome="ok"}'] == 3
    assert found['requests_total{kind="api translate",outcome="characters"}'] == 1
    assert found["shared_answers_total"] == 2 and found["connections"] == 5
    assert found['request_seconds_bucket{le="+Inf"}'] == found["request_seconds_count"] == 5
    assert found["turn_seconds_count"] == 2  # one was shared twice, one had no model, one no turn
    for part in ("request", "turn"):
        buckets = [value for name, value in found.items() if f"{part}_seconds_bucket" in name]
        assert len(buckets) > 5 and buckets == sorted(buckets)
    assert found["refused_total"] == found["waiting"] == 0
    dispatcher.count("api", refused := service.queue.refusal())
    assert counted(dispatcher)["refused_total"] == 1 and refusal(refused).status == 503


def test_heads_that_are_not_measured_are_asked_for_anew_each_time(models):
    dispatcher = Dispatcher(Service(models))
    recipe = {"model": "tiny", "source": "The cat"}
    for room, shared in (("heads", 0), ("inside", 1)):
        body = json.dumps({"room": room, "recipe": recipe}).encode()
        for _ in range(2):
            assert asyncio.run(dispatcher.to_stage(body, "a")).code == "ok"
            assert program(dispatcher, "room", {"name": room, "recipe": recipe}).code == "ok"
        assert counted(dispatcher)["shared_answers_total"] == 2 * shared


def test_what_waits_is_counted_while_it_waits(models):
    service = Service(models, dataclasses.replace(DEMO, at_once=1))
    dispatcher, asked = Dispatcher(service), {"text": "cat", "model": "tiny"}
    with service.queue.place(), service.queue.turn():
        waiting = threading.Thread(target=program, args=(dispatcher, "translate", asked))
        waiting.start()
        while not counted(dispatcher)["waiting"]:
            assert waiting.is_alive()
        began = time.perf_counter()
        counted(dispatcher)
        waited = time.perf_counter() - began
    waiting.join(30)
    found = counted(dispatcher)
    assert found["waiting"] == 0
    assert found["request_seconds_sum"] >= waited and found["turn_seconds_count"] == 2


def test_the_other_model_of_compare_is_opened_before_the_turn_begins(models, tmp_path):
    shutil.copytree(models / "tiny", tmp_path / "a")
    service = Service(tmp_path)
    recipe, other = ({"model": name, "source": "The cat"} for name in "ab")
    service.answer({"recipe": recipe})
    held = []

    def opening():
        held.append(service.queue.turns.held)
        return open_model(models / "tiny", "b")

    service.library.add("b", opening)
    dispatcher = Dispatcher(service)
    answer = program(
        dispatcher, "room", {"name": "compare", "recipe": recipe, "request": {"b": other}}
    )
    assert answer.code == "ok" and held == [0]


def test_the_work_of_who_went_away_ends_at_the_next_step(models):
    service = Service(models)
    dispatcher, steps = Dispatcher(service), []
    model = service.library.tracer("tiny").model
    advance = model.advance

    async def ask_and_leave():
        loop, gone = asyncio.get_running_loop(), threading.Event()

        def counting(state, token, how):
            steps.append(token)
            if len(steps) == 3:
                with LEAVING.get().then(gone.set):
                    loop.call_soon_threadsafe(asked.cancel)
                    assert gone.wait(60)
            return advance(state, token, how)

        model.advance = counting
        body = json.dumps({"text": "The old cat sleeps", "model": "tiny"}).encode()
        asked = asyncio.ensure_future(dispatcher.to_program("translate", body, "a"))
        with pytest.raises(asyncio.CancelledError):
            await asked
        while service.queue.turns.held:
            await asyncio.sleep(0)

    asyncio.run(ask_and_leave())
    found = counted(dispatcher)
    assert found['requests_total{kind="api translate",outcome="left"}'] == 1
    assert len(steps) == 3 and service.queue.places.held == 0
