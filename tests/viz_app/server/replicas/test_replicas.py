"""Work forwarded to replicas: the same answers, one line for all, and none lost with a replica.

The replicas are stand-ins in this process; `python -m benchmarks.load --ray` kills those of Ray.
"""

import asyncio
import concurrent.futures
import dataclasses
import json
import pickle
import sys
import threading
from contextlib import nullcontext
from unittest.mock import MagicMock

import pytest

from model_core.decoding.queue import ASKER, LEAVING, Asker, Leaving, check_left
from model_core.errors import CheckpointError, Left, ServingError, SourceTooLong, TooBusy
from tests.model_core.models.hub.tiny import saved_hub
from viz_app.__main__ import main, options
from viz_app.lessons.lesson import more_lessons
from viz_app.limits import DEMO
from viz_app.server.answers.dispatcher import Dispatcher
from viz_app.server.answers.requests import Reply
from viz_app.server.replicas import forwarding, ray_serve
from viz_app.server.replicas.forwarding import Forwarding, Lost
from viz_app.server.replicas.replica import Replica
from viz_app.server.service import Service

LIMITS = dataclasses.replace(DEMO, at_once=1, in_line=1)
RECIPE = {"model": "tiny", "source": "The old cat sleeps."}
STEP = {"recipe": RECIPE, "extend": 1}
PLAIN = bytes | str | int | None


class StandIn:
    """Two replicas in this process, in turns; `lost` are those that end while they answer."""

    most = 2

    def __init__(self, checkpoints, lessons=()):
        given = str(checkpoints), LIMITS, (), "auto", lessons
        self.made = [Replica(*pickle.loads(pickle.dumps(given))) for _ in range(self.most)]
        self.lost, self.asked, self.sent, self.during = set(), [], [], lambda: None

    def ask(self, name, body, seconds):
        at = len(self.asked) % self.most
        self.asked.append(at)
        self.sent.append((name, body))
        self.during()
        check_left()
        if at in self.lost:
            raise Lost
        answer = asyncio.run(self.made[at].ask(name, body))
        self.sent.append(answer)
        return Reply(*answer)

    def opened(self):
        left = [one for at, one in enumerate(self.made) if at not in self.lost]
        if not left:
            raise Lost
        return tuple(asyncio.run(left[0].opened()))

    def close(self):
        self.lost = {0, 1}


@pytest.fixture(scope="module")
def replicas(models):
    return StandIn(models)


@pytest.fixture
def service(models, replicas):
    replicas.__dict__.update(lost=set(), asked=[], sent=[], during=lambda: None)
    made = Forwarding(models, LIMITS, replicas)
    made.queue.patience = 0.0
    made.look()
    return made


def test_every_answer_and_every_error_is_that_of_a_service_here(models, service):
    here = Service(models, LIMITS)
    trace = here.step(RECIPE)["recipe"], "cross", 1
    hints = {"recipe": RECIPE, "format": "csv", "picture": "cross", "view": {}}
    for name, given in (
        ("answer", (STEP,)),
        ("answer", ({"recipe": RECIPE, "have": 0, "next": 2},)),
        ("answer", ({"recipe": RECIPE | {"model": "none"}},)),
        ("answer", ({"export": hints},)),
        ("translate", (RECIPE,)),
        ("step", (RECIPE, 17)),
        ("trace", trace),
        ("room", ({"room": "inside", "recipe": RECIPE},)),
        ("linked", ("v=3&model=tiny&text=The+cat",)),
    ):
        expected = json.dumps(getattr(here, name)(*given))
        assert json.dumps(getattr(service, name)(*given)) == expected, name
    with pytest.raises(SourceTooLong) as told:
        service.translate(RECIPE | {"source": "a" * 400})
    assert (told.value.code, told.value.values) == ("characters", {"n": 400, "limit": 300})
    assert service.models == here.models and service.first == here.first


def test_lessons_of_ones_own_are_played_by_every_replica(models, tmp_path):
    step = {"id": "one", "ask": {"kind": "number", "answer": "steps()"}}
    words = {"title": "Mine", "about": "", "one.say": "Look.", "one.ask": "How many?"}
    models_of = {"tiny": {"text": RECIPE["source"]}}
    given = {
        "version": 1,
        "minutes": 1,
        "models": models_of,
        "steps": [step],
        "words": {"en": words},
    }
    (tmp_path / "mine.json").write_text(json.dumps(given), encoding="utf-8")
    here = Service(models, LIMITS)
    here.more_lessons = more_lessons(tmp_path)
    service = Forwarding(models, LIMITS, StandIn(models, here.more_lessons))
    for request in ({"lessons": True}, *[{"lesson": {"name": "mine"}}] * StandIn.most):
        answer = service.answer(request)
        assert "mine" in json.dumps(answer) and answer == here.answer(request)


def test_what_travels_is_bytes_texts_and_numbers_for_names_of_ours(service, replicas):
    service.answer(STEP)
    (asked, answered), names = replicas.sent, {"stage"}
    assert asked[0] in names and json.loads(asked[1]) == [STEP]
    assert all(isinstance(part, PLAIN) for part in (*asked, *answered))
    with pytest.raises(ValueError, match="A replica answers"):
        replicas.ask("__reduce__", b"[]", 1)


def test_a_lost_replica_loses_nothing_and_two_are_told_by_name(service, replicas):
    dispatcher = Dispatcher(service)
    replicas.lost = {0}
    answer = asyncio.run(dispatcher.to_stage(json.dumps(STEP).encode(), "a"))
    assert answer.code == "ok" and replicas.asked == [0, 1]
    replicas.lost, replicas.asked = {0, 1}, []
    answer = asyncio.run(
        dispatcher.to_program("translate", json.dumps({"recipe": RECIPE}).encode(), "a")
    )
    assert (answer.status, answer.code, answer.after) == (503, "replicas", 5)
    assert replicas.asked == [0, 1]


def test_it_is_ready_while_a_replica_has_the_first_model_open(models, service, replicas):
    dispatcher = Dispatcher(service)
    assert dispatcher.ready().status == 200
    replicas.lost = {1}
    service.look()
    assert dispatcher.ready().status == 200
    replicas.lost = {0, 1}
    service.look()
    assert dispatcher.ready().status == 503 and dispatcher.health().status == 200
    assert Dispatcher(Forwarding(models, LIMITS, replicas)).ready().status == 503


def test_a_model_of_transformers_that_a_replica_opened_is_told_in_full(tmp_path):
    saved_hub(tmp_path / "marian", "marian")
    service = Forwarding(tmp_path, LIMITS, StandIn(tmp_path))
    assert service.models[0]["closed"] and not service.health()["ready"]
    service.look()
    assert service.first == "marian" and service.health()["ready"]
    (entry,) = service.models
    assert entry["examples"] and entry["anatomy"]["kind"] == "encoder-decoder"


def test_a_model_that_a_replica_lacks_is_told_by_name_and_stays_in_the_menu(
    models, tmp_path, monkeypatch
):
    saved_hub(tmp_path / "marian", "marian")
    replicas = StandIn(models)
    service = Forwarding(tmp_path, LIMITS, replicas)
    with pytest.raises(CheckpointError, match="marian"):
        service.entered("marian")
    monkeypatch.setattr(replicas, "opened", lambda: ("marian",))  # at another replica
    service.look()
    assert [entry["closed"] for entry in service.models] == [True]


def test_a_look_at_the_replicas_that_fails_is_not_the_last(service, replicas, monkeypatch):
    looks, again = [], threading.Event()

    def opened():
        looks.append(len(looks))
        if len(looks) == 1:
            raise OSError("the folder of models cannot be listed")
        again.set()
        return ()

    monkeypatch.setattr(replicas, "opened", opened)
    monkeypatch.setattr(forwarding, "LOOK", 0.001)
    service.warm_up()
    assert again.wait(60)
    service.close()


def test_the_line_and_the_share_of_an_address_hold_over_all_replicas(service, replicas):
    at_work, go_on = threading.Semaphore(0), threading.Event()

    def wait():
        at_work.release()
        assert go_on.wait(60)

    def ask(address):
        ASKER.set(Asker(address))
        return service.answer(STEP | {"recipe": RECIPE | {"pads": 1}})

    replicas.during = wait
    with concurrent.futures.ThreadPoolExecutor(4) as pool:  # two turns and two places
        asking = [pool.submit(ask, "a") for _ in range(3)]
        assert at_work.acquire(timeout=60) and at_work.acquire(timeout=60)
        while service.queue.waiting < 1:
            pass
        assert pool.submit(ask, "a").result(60)["error"]["code"] == "busy"  # its share is three
        asking.append(pool.submit(ask, "b"))
        while service.queue.waiting < 2:
            pass
        assert service.status("tiny")["waiting"] == 2 and len(replicas.asked) == 2
        refused = service.answer(STEP)["error"]
        go_on.set()
        assert all(one.result(60)["version"] == 1 for one in asking)
    assert refused["kind"] == TooBusy.__name__ and refused["values"]["limit"] == 4


def test_who_goes_away_ends_the_work(service, replicas):
    leaving = Leaving()
    token = LEAVING.set(leaving)
    replicas.during = leaving.tell
    try:
        with pytest.raises(Left):
            service.translate(RECIPE)
        replicas.asked = []
        assert service.answer(STEP)["error"]["code"] == "left" and not replicas.asked
    finally:
        LEAVING.reset(token)


def test_the_option_names_the_command_that_installs_what_is_missing(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["--ray", "2-8"]) == 1
    assert "python -m pip install -r requirements-ray.txt" in capsys.readouterr().err
    assert main(["--ray", "--desktop"]) == 1
    assert "leave out --ray" in capsys.readouterr().err


@pytest.mark.parametrize("failures", [2, 99])
def test_ray_is_started_again_where_a_busy_machine_takes_longer_than_it_allows(
    failures, monkeypatch, capsys, tmp_path
):
    ray, tries, ended = MagicMock(), [], []

    def init(**_):
        tries.append(len(ended))  # what an earlier try left has ended
        if len(tries) <= failures:
            raise OSError("The node timed out.")

    ray.init = init
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setattr(ray_serve, "ray_serve", lambda: (ray, MagicMock()))
    monkeypatch.setattr(ray_serve, "end_children", lambda: ended.append(1))
    starts = min(failures + 1, ray_serve._STARTS)
    with nullcontext() if failures < starts else pytest.raises(ServingError, match="timed out"):
        ray_serve.RayServe(tmp_path, LIMITS, (2, 2), (), "auto")
    assert tries == list(range(starts))
    assert capsys.readouterr().out.count("It is started again.") == starts - 1


def test_what_ray_says_of_its_own_end_is_not_told(monkeypatch, capsys, tmp_path):
    serve = MagicMock()
    serve.shutdown = lambda: print("The actor is dead.")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setattr(ray_serve, "ray_serve", lambda: (MagicMock(), serve))
    ray_serve.RayServe(tmp_path, LIMITS, (2, 2), (), "auto").close()
    assert not capsys.readouterr().out


def test_replicas_are_a_number_or_two():
    read = options().parse_args
    assert read([]).ray is None and read(["--ray"]).ray == read(["--ray", "2"]).ray == (2, 2)
    assert read(["--ray", "2-8"]).ray == (2, 8)
    for wrong in ("0", "8-2", "two", "2-", "-2", "2000"):
        with pytest.raises(SystemExit):
            read([f"--ray={wrong}"])
