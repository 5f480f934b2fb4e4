"""Calls of gradio's clients: what is fetched of them, and what is kept of those that are not."""

import asyncio
import json

import pytest

from model_core.errors import RecipeError
from viz_app.server.answers.requests import Reply, refusal
from viz_app.server.gradio import calls
from viz_app.server.gradio.calls import Calls, call_in, cancelled_in


def answer(text, go=None):
    async def answered():
        if go:
            await go.wait()
        return Reply(text.encode())

    return answered


def failing(error):
    async def failed():
        raise error

    return failed


async def settled():
    for _ in range(5):
        await asyncio.sleep(0)


async def outputs_of(kept, session):
    return [one["output"] for one in (await read_of(kept.messages(session)))[:-1]]


async def read_of(messages):
    return [json.loads(one.removeprefix(b"data: ")) async for one in messages]


def test_a_client_reads_the_answers_to_all_of_its_calls_and_then_that_there_are_no_more():
    async def run():
        kept = Calls(5, 1000)
        names = [kept.begin(answer(f"{number}"), "a") for number in range(3)]
        kept.begin(answer("9"), "b")
        messages = await read_of(kept.messages("a"))
        assert [one.get("event_id") for one in messages] == [*names, None]
        assert [one["output"] for one in messages[:3]] == [{"data": [n]} for n in range(3)]
        assert messages[-1]["msg"] == "close_stream"
        assert await read_of(kept.messages("a")) == messages[-1:]  # they are fetched once

    asyncio.run(run())


def test_an_error_is_named_by_its_message_and_a_bug_without_its_words(caplog):
    async def run():
        kept = Calls(5, 1000)
        for error in (RecipeError("No such word."), RuntimeError("heliotrope")):
            kept.begin(failing(error), "a")
        kept.begin(refused, "a")
        messages = await read_of(kept.messages("a"))
        outputs = [one["output"]["error"] for one in messages[:-1]]
        assert not any(one["success"] for one in messages[:-1])
        assert outputs[0] == "No such word." and outputs[2] == "Too long."
        assert "heliotrope" not in outputs[1]

    async def refused():
        return refusal(RecipeError("Too long."))

    asyncio.run(run())
    assert "RuntimeError at" in caplog.text and "heliotrope" not in caplog.text


def test_curl_reads_one_event():
    async def run():
        kept = Calls(5, 1000)
        names = [kept.begin(answer("[1,2]")), kept.begin(failing(RecipeError("No.")))]
        read = [b"".join([one async for one in kept.events(name)]) for name in names]
        assert read[0] == b"event: complete\ndata: [[1,2]]\n\n"
        assert read[1] == b'event: error\ndata: {"error":"No."}\n\n'
        assert not [one async for one in kept.events(names[0])]

    asyncio.run(run())


def test_a_client_that_waits_long_reads_that_the_server_is_there(monkeypatch):
    monkeypatch.setattr(calls, "_BEAT", 0.0)

    async def run():
        kept, go = Calls(5, 1000), asyncio.Event()
        kept.begin(answer("1", go), "a")
        read = []
        async for one in kept.messages("a"):
            read.append(json.loads(one.removeprefix(b"data: "))["msg"])
            go.set()
        assert read[0] == "heartbeat" and read[-2:] == ["process_completed", "close_stream"]

    asyncio.run(run())


class Ended:
    """Answers that never come, and which of them were ended."""

    def __init__(self):
        self.names = []

    def answer(self, name):
        async def answered():
            try:
                await asyncio.Event().wait()
            finally:
                self.names.append(name)

        return answered


def test_what_a_client_cancels_ends_and_so_does_what_it_waited_for_when_it_leaves():
    async def run():
        kept, ended = Calls(5, 1000), Ended()
        first, _ = (kept.begin(ended.answer(name), "a") for name in "xy")
        reading = asyncio.ensure_future(anext(messages := kept.messages("a")))
        await asyncio.sleep(0)
        kept.cancel("b", first)  # another client's
        kept.cancel("a", "z")
        kept.cancel("a", first)
        assert f'"event_id":"{first}"'.encode() in await reading and ended.names == ["x"]
        reading = asyncio.ensure_future(anext(messages))
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait({reading})
        await asyncio.sleep(0)
        assert ended.names == ["x", "y"]
        assert [one["msg"] for one in await read_of(kept.messages("a"))] == ["close_stream"]

    asyncio.run(run())


def test_of_answers_that_nobody_fetches_the_latest_are_kept_and_what_is_under_way_goes_on():
    async def run():
        kept, ended = Calls(2, 10), Ended()
        kept.begin(ended.answer("x"), "under way")
        for number in range(4):
            kept.begin(answer(f"{number}"), "abcd"[number])
            await settled()
        read = [await outputs_of(kept, session) for session in "abcd"]
        assert read == [[], [], [{"data": [2]}], [{"data": [3]}]]
        for text, session in (("123456", "a"), ("12345", "b"), ("1", "c")):
            kept.begin(answer(text), session)
            await settled()
        assert [await outputs_of(kept, session) for session in "abc"] == [
            [],
            [{"data": [12345]}],
            [{"data": [1]}],
        ]
        assert ended.names == []

    asyncio.run(run())


def test_a_session_has_two_readers_and_each_answer_is_read_once():
    async def run():
        kept, go = Calls(5, 1000), asyncio.Event()
        kept.begin(answer("1", go), "a")
        reading = [asyncio.ensure_future(read_of(kept.messages("a"))) for _ in range(2)]
        left = asyncio.ensure_future(anext(kept.messages("a")))
        await settled()
        left.cancel()
        await asyncio.wait({left})
        kept.begin(answer("2"), "a")  # while it is fetched
        await settled()
        go.set()
        read = sorted([len(await one) for one in reading])
        assert sum(read) == 4 and read[0] >= 1  # two answers, and that there are no more, twice

    asyncio.run(run())


@pytest.mark.parametrize(
    "fields",
    [
        *({"fn_index": odd, "session_hash": "a"} for odd in (2, -1, True, 0.0, "0", None, [])),
        *({"fn_index": 0, "session_hash": odd} for odd in (None, 1, ["a"], "", 101 * "a")),
        *({}, [], 5, None),
    ],
)
def test_what_names_no_call_is_refused(fields):
    with pytest.raises(RecipeError):
        call_in(json.dumps(fields).encode(), ["models", "translate"])


@pytest.mark.parametrize("body", [b"", b"[" * 10_000, b"{}", b'{"session_hash":"a","event_id":1}'])
def test_what_cancels_no_call_is_refused(body):
    with pytest.raises(RecipeError):
        cancelled_in(body)
