"""The line in front of the models: who works, who waits, who is refused, who is stopped."""

import threading
import time
from contextlib import ExitStack

import pytest

from model_core.decoding.queue import ASKER, Asker, Places, Queue, check_time
from model_core.errors import OutOfTime, TooBusy


def test_who_is_refused_is_told_a_time_that_a_few_long_calls_are_enough_to_know(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    queue = Queue(at_once=1, in_line=9, clock=lambda: now[0])
    for _ in range(3):
        with queue.turn():
            now[0] += 2.0
    with ExitStack() as held:
        for _ in range(8):  # all that one address may have
            held.enter_context(queue.place())
        with pytest.raises(TooBusy) as refused, queue.place():
            pass
    assert refused.value.values["seconds"] == 16


def test_nobody_waits_who_would_hardly_be_answered_in_time(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    queue = Queue(at_once=1, in_line=99, seconds=10.0, clock=lambda: now[0])
    for seconds, refused in ((0.25, False), (0.5, True)):
        for _ in range(200):
            with queue.turn():
                now[0] += seconds
        with ExitStack() as held:
            for _ in range(18):
                queue.check_room()
                held.enter_context(queue.place())
            if refused:
                with pytest.raises(TooBusy) as told:
                    queue.check_room()
                assert told.value.values["seconds"] == 9
    with queue.turn():
        now[0] += 600.0
    queue.check_room()  # nobody is there


def test_a_full_line_answers_at_once_with_the_place_in_line():
    queue = Queue(at_once=1, in_line=2)
    with ExitStack() as here:
        for _ in range(3):
            here.enter_context(queue.place())
        assert queue.waiting == 2
        with pytest.raises(TooBusy, match="takes 3") as refused, queue.place():
            pass
        told = {"n": 4, "limit": 3, "seconds": 1}
        assert (refused.value.code, refused.value.values) == ("busy", told)
    with queue.place():
        assert queue.waiting == 0


def test_whoever_is_refused_takes_no_place():
    queue = Queue(at_once=1, in_line=1)
    with queue.place(), queue.place():
        for _ in range(5):
            with pytest.raises(TooBusy), queue.place():
                pass
    with queue.place(), queue.place():
        assert queue.waiting == 1


def test_a_place_is_free_again_after_an_error():
    queue = Queue(at_once=1, in_line=1)
    for _ in range(5):
        with pytest.raises(KeyError), queue.place(), queue.turn():
            raise KeyError
    assert queue.waiting == 0


def test_whoever_finds_it_full_waits_a_moment_at_the_door():
    queue = Queue(at_once=1, in_line=1, overflow=1, patience=30.0)
    entered = threading.Event()

    def come():
        with queue.place():
            entered.set()

    with queue.place():
        with queue.place():
            late = threading.Thread(target=come)
            late.start()
            while queue.waiting < 2:
                assert late.is_alive()
            with pytest.raises(TooBusy, match="number 4 in line"), queue.place():
                pass  # the door is full too
        assert entered.wait(30)
    late.join(30)
    assert queue.waiting == 0


def test_nobody_waits_at_the_door_longer_than_its_patience():
    queue = Queue(at_once=1, in_line=1, overflow=5, patience=0.01)
    with queue.place(), queue.place(), pytest.raises(TooBusy), queue.place():
        pass
    assert queue.waiting == 0


def called(places, *waiters):
    """Who of those in line is called, one after the other, as places are given back."""
    order, left = [], dict(enumerate(waiters))
    while left:
        places.leave(order[-1][1] if order else Asker("held"))
        number = next(number for number, one in left.items() if one.called.is_set())
        order.append((number, left.pop(number).asker))
    return [number for number, _ in order]


def test_people_come_before_what_is_asked_ahead_and_then_who_has_least_at_work():
    places = Places(2, 2, 2)
    greedy, modest = Asker("greedy"), Asker("modest")
    assert places.enter(greedy, 0) and places.enter(Asker("held"), 0)
    ahead = places.join(Asker("ahead", True))
    line = [ahead, places.join(greedy), places.join(greedy), places.join(modest)]
    assert called(places, *line) == [3, 1, 2, 0]


def test_one_address_leaves_a_quarter_of_the_places_to_the_others():
    queue = Queue(at_once=2, in_line=6)
    with ExitStack() as here:
        token = ASKER.set(Asker("greedy"))
        for _ in range(6):
            here.enter_context(queue.place())
        with pytest.raises(TooBusy), queue.place():
            pass
        ASKER.set(Asker("modest"))
        with queue.place(), queue.place():
            pass
        ASKER.reset(token)


def test_what_is_asked_ahead_takes_half_of_the_places_and_waits_at_no_door():
    queue = Queue(at_once=1, in_line=3, overflow=9, patience=30.0)
    with ExitStack() as here:
        token = ASKER.set(Asker("a", ahead=True))
        for _ in range(2):
            here.enter_context(queue.place())
        with pytest.raises(TooBusy), queue.place():
            pass
        ASKER.reset(token)


def test_no_more_work_at_once_than_there_are_queue():
    queue = Queue(at_once=2)
    lock, inside, most = threading.Lock(), 0, 0
    full, go_on = threading.Event(), threading.Event()

    def work():
        nonlocal inside, most
        with queue.turn():
            with lock:
                inside += 1
                most = max(most, inside)
                if inside == 2:
                    full.set()
            go_on.wait(30)
            with lock:
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    assert full.wait(30)
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert most == 2


def test_a_turn_inside_a_turn_is_the_same_one():
    queue = Queue(at_once=1, seconds=0.1)
    with queue.turn(), queue.turn():
        pass


def test_whoever_gets_no_turn_in_time_is_told():
    queue = Queue(at_once=1, seconds=0.01)
    told = []

    def wait():
        try:
            with queue.turn():
                pass
        except OutOfTime as error:
            told.append(error.code)

    with queue.turn():
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join(30)
    assert told == ["seconds"]


def test_work_is_stopped_between_two_steps_when_its_time_is_over():
    now = [0.0]
    queue = Queue(seconds=5, clock=lambda: now[0])
    with queue.turn():
        now[0] = 5.0
        check_time()
        now[0] = 5.1
        with pytest.raises(OutOfTime, match="more than 5 seconds"):
            check_time()
    check_time()  # outside of a turn there is no limit
