"""Answers that neighbours share: made once, never an error's, within their bytes."""

import asyncio

from viz_app.server.answers.reply_cache import ReplyCache
from viz_app.server.answers.requests import Reply


class Maker:
    """Makes one answer, when it is told to, counts how often it was asked and hears its end."""

    def __init__(self, answer):
        self.answer, self.asked, self.go_on = answer, 0, asyncio.Event()
        self.is_ended = False

    async def __call__(self):
        self.asked += 1
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.is_ended = True
            raise
        return self.answer


def test_those_who_ask_the_same_at_once_share_one_answer():
    async def ask():
        shared, make = ReplyCache(10_000), Maker(Reply(b"cat"))
        asking = [asyncio.ensure_future(shared.of("key", make)) for _ in range(5)]
        await asyncio.sleep(0)
        make.go_on.set()
        replies = await asyncio.gather(*asking)
        replies.append(await shared.of("key", make))
        assert {reply.body for reply in replies} == {b"cat"}
        assert (make.asked, shared.hits) == (1, 5)

    asyncio.run(ask())


def test_an_error_is_told_once_and_then_asked_anew():
    async def ask():
        shared = ReplyCache(10_000)
        make = Maker(Reply(b"no", "busy"))
        make.go_on.set()
        for _ in range(2):
            assert await shared.of("key", make) == make.answer
        assert make.asked == 2 and shared.hits == shared.nbytes == 0

    asyncio.run(ask())


def test_a_refusal_of_one_visitor_is_not_told_to_another():
    async def ask():
        shared = ReplyCache(10_000)
        refused, served = Maker(Reply(b"no", "busy")), Maker(Reply(b"cat"))
        served.go_on.set()
        first = asyncio.ensure_future(shared.of("key", refused))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(shared.of("key", served))
        await asyncio.sleep(0)
        refused.go_on.set()
        assert (await first, await second) == (refused.answer, served.answer)
        assert shared.hits == 0

    asyncio.run(ask())


def test_what_is_kept_stays_within_its_bytes_and_the_oldest_goes_first():
    async def ask():
        shared = ReplyCache(3000)
        for number in range(10):
            make = Maker(Reply(bytes(500)))
            make.go_on.set()
            await shared.of(str(number), make)
            assert shared.nbytes <= 3000
        large = Maker(Reply(bytes(4000)))
        large.go_on.set()
        await shared.of("large", large)
        for name, hits in (("9", 1), ("0", 1)):
            await shared.of(name, large)
            assert shared.hits == hits

    asyncio.run(ask())


def test_what_nobody_waits_for_any_more_is_not_made_on():
    async def ask():
        shared, make, served = ReplyCache(10_000), Maker(Reply(b"cat")), Maker(Reply(b"dog"))
        served.go_on.set()
        first, second = (asyncio.ensure_future(shared.of("key", make)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait({first})
        await asyncio.sleep(0)
        assert make.asked == 1 and not make.is_ended  # the other one still waits
        second.cancel()
        await asyncio.wait({second})
        assert await shared.of("key", served) == served.answer  # nor is it waited for
        assert make.is_ended

    asyncio.run(ask())
