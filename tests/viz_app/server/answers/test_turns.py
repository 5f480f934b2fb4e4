"""Turns that are waited for in no thread: the same places, the same errors, the same order."""

import asyncio
import contextvars
from itertools import pairwise

import pytest

from model_core.decoding.queue import Asker, Queue, check_time
from model_core.errors import OutOfTime, TooBusy
from viz_app.server.answers.turns import Pace, turn_at

NOBODY = Asker()


def test_who_has_a_turn_has_it_in_the_thread_too():
    queue = Queue(at_once=1, in_line=1, seconds=60.0)

    def work():
        with queue.place(), queue.turn():  # would wait for ever if it were another one
            check_time()
            return queue.places.held

    async def ask():
        async with turn_at(queue, NOBODY):
            context = contextvars.copy_context()
            return await asyncio.to_thread(context.run, work)

    assert asyncio.run(ask()) == 1 and queue.places.held == queue.turns.held == 0


def test_those_in_line_come_one_after_the_other_and_leave_nothing():
    queue, at_work, most = Queue(at_once=2, in_line=30), 0, 0

    async def come():
        nonlocal at_work, most
        async with turn_at(queue, NOBODY):
            at_work += 1
            most = max(most, at_work)
            await asyncio.sleep(0)
            at_work -= 1

    async def all_come():
        await asyncio.gather(*(come() for _ in range(20)))

    asyncio.run(all_come())
    assert most == 2 and queue.places.held == queue.turns.held == queue.waiting == 0


def test_who_finds_no_place_or_no_turn_is_told_and_takes_none():
    queue = Queue(at_once=1, in_line=1, seconds=0.01, overflow=1, patience=0.01)

    async def come():
        async with turn_at(queue, NOBODY):
            pass

    with queue.place(), queue.turn():
        with pytest.raises(OutOfTime):
            asyncio.run(come())
        queue.places.join(NOBODY)
        with pytest.raises(TooBusy, match="number 3 in line"):
            asyncio.run(come())
    assert queue.turns.held == 0 and queue.places.held == 1


def test_who_goes_away_while_waiting_leaves_the_line():
    queue = Queue(at_once=1, in_line=5)

    async def come_and_go():
        async def come():
            async with turn_at(queue, NOBODY):
                raise AssertionError

        waiting = asyncio.ensure_future(come())
        while not queue.turns.waiting:
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    with queue.place(), queue.turn():
        asyncio.run(come_and_go())
    assert queue.turns.waiting == queue.places.held == 0


def test_a_crowd_leaves_the_event_loop_to_others_in_between():
    pace, through, seen = Pace(at_a_time=4), 0, []

    async def come():
        nonlocal through
        await pace.wait()
        through += 1

    async def watch():
        while not seen or seen[-1] < 30:
            seen.append(through)
            await asyncio.sleep(0)

    async def all_come():
        await asyncio.gather(*(come() for _ in range(30)), watch())

    asyncio.run(all_come())
    assert max(late - early for early, late in pairwise(seen)) <= 4
