"""What is fetched ahead is what would be answered later, and people come first."""

import threading

import pytest

from model_core.decoding.queue import ASKER, Asker
from model_core.decoding.tracer import Tracer
from viz_app.limits import Limits
from viz_app.server.service import Service

EDITED = ["hide:2", "head-off:cross.1.1"]


@pytest.fixture(scope="module")
def service(models):
    return Service(models, Limits(at_once=1, steps=8))


def recipe(**more):
    return {"model": "tiny", "source": "The old cat."} | more


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"edits": EDITED},
        {"strategy": {"kind": "sample", "temperature": 1.5, "top_k": 0, "top_p": 1, "seed": 3}},
    ],
    ids=["greedy", "edited", "sampled"],
)
def test_each_answer_is_the_one_that_is_given_when_it_is_asked_for(service, more):
    asked = service.answer({"recipe": recipe(**more), "extend": 1, "have": 0})
    have = len(asked["steps"])
    fetched = service.answer(
        {"recipe": asked["recipe"], "have": have, "next": 3, "others": [17, 40]}
    )
    at = asked["recipe"]
    for number, answer in enumerate(fetched["next"]):
        assert answer == service.answer({"recipe": at, "extend": 1, "have": have + number})
        at = answer["recipe"]
    assert len(fetched["next"]) == 3
    for token, answer in zip((17, 40), fetched["others"], strict=True):
        later = {"recipe": asked["recipe"], "extend": 1, "force": token, "have": have}
        assert answer == service.answer(later)


def test_a_limit_ends_what_is_fetched_and_is_told_when_it_is_met(service):
    at = service.answer({"recipe": recipe(), "extend": "end", "have": 0})["recipe"]
    cut = at | {"target": at["target"][:6]}
    fetched = service.answer({"recipe": cut, "have": 7, "next": 4})
    assert len(fetched["next"]) == 2
    assert service.answer({"recipe": at, "have": 9, "next": 4}) == {
        "version": 1,
        "next": [],
        "others": [],
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"next": 5},
        {"next": -1},
        {"next": True},
        {"next": 1, "others": [1] * 5},
        {"next": 1, "others": "12"},
        {"next": 1, "others": [None]},
        {"next": 1, "recipe": recipe(strategy={"kind": "beam", "width": 3})},
    ],
    ids=str,
)
def test_what_cannot_be_fetched_is_refused(service, wrong):
    assert "error" in service.answer({"recipe": recipe(), "have": 0} | wrong)


def test_nothing_is_fetched_while_somebody_waits(service):
    ahead = {"recipe": recipe(), "have": 0, "next": 2}
    waits = threading.Thread(target=lambda: service.answer({"recipe": recipe(), "extend": 1}))
    with service.queue.place(), service.queue.turn():
        waits.start()
        while not service.queue.waiting:
            pass
        token = ASKER.set(Asker("", True))
        refused = service.answer(ahead)
        ASKER.reset(token)
    waits.join()
    assert refused["error"]["code"] == "busy"
    assert len(service.answer(ahead)["next"]) == 2


def test_what_is_being_fetched_ends_when_somebody_comes(service, monkeypatch):
    came = []
    extend = Tracer.extend
    monkeypatch.setattr(
        Tracer, "extend", lambda *asked, **how: came.append(1) or extend(*asked, **how)
    )
    waiting = property(lambda queue: len(came))
    monkeypatch.setattr(type(service.queue), "waiting", waiting)
    fetched = service.answer({"recipe": recipe(), "have": 0, "next": 4, "others": [17]})
    assert len(fetched["next"]) == 1
    assert fetched["others"] == [None]
