"""Many visitors at once, on this machine: steps a second, a crowd, memory, a replica that dies.

Everything goes over loopback to apps started with `--demo`, by the addresses that the page uses,
and who is refused asks once more, as the page does. `--parts` names some of it.
Every visitor has another sentence, so none profits from what neighbours asked.
`python -m benchmarks.load --help` lists how much of each is asked.
"""

import argparse
import asyncio
import os
import random
import signal
import statistics
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.loopback import ROOT, STAGE, Replica, Reply, Visitor, replicas, round_robin
from benchmarks.result import Result, table, versions

TEXT = (
    "the a my his old young red small cat dog man woman house roof garden train book letter "
    "sleeps reads buys sees opens closes runs waits sings on in under near with and but slowly "
    "today tomorrow"
)
MODELS = ("en-fr", "en-fr-prenorm", "en-zh")  # that read these words
AT_ONCE = 4  # requests under way while memory is watched
LONGEST_WAIT = 30  # seconds, of the page
WARM = 0.2  # of the recipes, before memory is compared


@dataclass(frozen=True)
class Size:
    """How much is asked."""

    visitors: int = 60
    seconds: float = 90.0
    crowd: int = 200
    recipes: int = 10_000
    steps: int = 200  # with Ray


Part = Callable[[Size], Awaitable[list[Result]]]


def sentence(rng: random.Random) -> str:
    """Five to ten words that make little sense."""
    return " ".join(rng.choices(TEXT.split(), k=rng.randint(5, 10))) + "."


def question(recipe: dict[str, Any], extend: int | str, have: int = 0) -> Any:
    """What the page asks."""
    return {"recipe": recipe, "extend": extend, "have": have}


def opening(rng: random.Random, model: str = MODELS[0]) -> dict[str, Any]:
    """The recipe of a sentence that has not been asked."""
    return {"model": model, "source": sentence(rng)}


@dataclass(frozen=True)
class Told:
    """What somebody got in the end, after how many seconds in all, and whether only then."""

    reply: Reply
    seconds: float
    again: bool = False


async def ask(visitor: Visitor, body: Any, rng: random.Random) -> Told:
    """Ask as the page does: who is refused once comes back when the refusal says."""
    began, reply = time.perf_counter(), await visitor.ask(STAGE, body)
    again = reply.refused
    if again:
        visitor.leave()  # the server would close it meanwhile
        wait = min(reply.value["error"]["values"].get("seconds", 1), LONGEST_WAIT)
        await asyncio.sleep(wait * (1 + rng.random() / 2))
        reply = await visitor.ask(STAGE, body)
    return Told(reply, time.perf_counter() - began, again)


async def stepping(visitor: Visitor, until: float, number: int) -> list[Told]:
    """A step a second, of one sentence after the other, until then."""
    rng, replies = random.Random(number), list[Told]()
    recipe, have = opening(rng), 0
    due = time.monotonic() + rng.random()
    while due < until:
        await asyncio.sleep(due - time.monotonic())
        message = await ask(visitor, question(recipe, 1, have), rng)
        replies.append(message)
        reply = message.reply
        if reply.failed or reply.value["finished"]:
            recipe, have = opening(rng), 0
        else:
            recipe, have = reply.value["recipe"], reply.value["steps_from"] + 1
        due = max(due + 1, time.monotonic())
    visitor.leave()
    return replies


async def everybody_steps(port: int, count: int, seconds: float, first: int = 1) -> list[Told]:
    """All replies to so many visitors who step for so long."""
    until = time.monotonic() + seconds
    walks = (stepping(Visitor(port, n), until, n) for n in range(first, first + count))
    return [reply for replies in await asyncio.gather(*walks) for reply in replies]


async def many_visitors(size: Size) -> list[Result]:
    """Visitors who step once a second each."""
    return await _visitors(size, "", 0.5)


async def beside_work(size: Size) -> list[Result]:
    """The same beside a program that takes all it can of one core."""
    async with _work():
        return await _visitors(size, ", beside work worth a core", 3.0)


@asynccontextmanager
async def _work() -> AsyncIterator[None]:
    working = await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
    try:
        yield
    finally:
        working.kill()
        await working.wait()


async def _visitors(size: Size, beside: str, goal: float) -> list[Result]:
    """`goal`: the most seconds at the 95th percentile."""
    async with replicas(1) as (app,):
        mine, theirs, began = time.process_time(), app.seconds, time.perf_counter()
        replies = await everybody_steps(app.port, size.visitors, size.seconds)
        took = time.perf_counter() - began
        client, server = time.process_time() - mine, app.seconds - theirs
    seconds = sorted(reply.seconds for reply in replies)
    failed = sum(message.reply.failed for message in replies)
    again = sum(message.again for message in replies)
    what = f"{size.visitors} visitors, a step a second{beside}"
    return [
        Result(f"{what}: failures of {len(replies)} steps", failed, "at most", 0),
        Result(f"{what}: refused once", again, "at most", 0 if not beside else None),
        Result(f"{what}: median", 1000 * statistics.median(seconds), "below", None, " ms"),
        Result(
            f"{what}: 95th percentile", 1000 * _part(seconds, 0.95), "below", 1000 * goal, " ms"
        ),
        Result(f"{what}: processor, server", 1000 * server / len(replies), "below", None, " ms"),
        Result(f"{what}: cores, server", server / took, "below", None),
        Result(f"{what}: cores, these visitors", client / took, "below", None),
    ]


async def crowd(size: Size) -> list[Result]:
    """So many translations at once on a server that has answered none yet."""
    async with replicas(1) as (app,):
        rng = random.Random(0)
        visitors = [Visitor(app.port, number) for number in range(1, size.crowd + 1)]
        await asyncio.gather(*(visitor.connect() for visitor in visitors))
        command = (sys.executable, "-m", "benchmarks.loopback", str(app.port))
        watching = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT)
        await asyncio.sleep(1)  # until it watches
        asking = (ask(one, question(opening(rng), "end"), rng) for one in visitors)
        replies = await asyncio.gather(*asking)
        health = float((await watching.communicate(b""))[0])
        recovered = await _recovery(app, size.crowd + 1)
        for visitor in visitors:
            visitor.leave()
    again = sum(message.again for message in replies)
    failed = sum(message.reply.failed for message in replies)
    what = f"{size.crowd} translations at once"
    return [
        Result(f"{what}: refused once, by name", again, "at most", size.crowd // 2),
        Result(f"{what}: failures, or refused again", failed, "at most", 0),
        Result(
            f"{what}: last answer", max(message.seconds for message in replies), "below", None, " s"
        ),
        Result(f"{what}: /health, slowest", 1000 * health, "below", 100, " ms"),
        Result(f"{what}: until a step is answered again", recovered, "below", 5, " s"),
    ]


async def _recovery(app: Replica, number: int) -> float:
    """Seconds until somebody new is answered."""
    began, visitor, rng = time.perf_counter(), Visitor(app.port, number), random.Random(number)
    while (await visitor.ask(STAGE, question(opening(rng), 1))).failed:
        await asyncio.sleep(0.05)
    visitor.leave()
    return time.perf_counter() - began


async def memory(size: Size) -> list[Result]:
    """Resident memory while random sentences are translated, against that after a fifth of them."""
    seen: list[int] = []
    async with replicas(1) as (app,):
        at_start, left, failed = app.resident, size.recipes, 0

        async def translate(number: int) -> None:
            nonlocal left, failed
            visitor, rng = Visitor(app.port, number), random.Random(number)
            while left > 0:
                left -= 1
                recipe, extend = opening(rng, rng.choice(MODELS)), rng.choice((0, 1, "end"))
                reply = await visitor.ask(STAGE, question(recipe, extend))
                failed += reply.failed
                if left % max(1, size.recipes // 50) == 0:
                    seen.append(app.resident)
            visitor.leave()

        await asyncio.gather(*map(translate, range(1, AT_ONCE + 1)))
    warm, *rest = seen[int(WARM * len(seen)) :]
    what = f"{size.recipes} random recipes"
    return [
        Result(f"{what}: failures", failed, "at most", 0),
        Result(f"{what}: memory at the start", at_start / 2**20, "below", None, " MiB"),
        Result(f"{what}: memory, warm", warm / 2**20, "below", None, " MiB"),
        Result(f"{what}: memory, most after that", max(rest) / 2**20, "below", None, " MiB"),
        Result(f"{what}: most / warm", max(rest) / warm, "at most", 1.05),
    ]


async def a_replica_dies(size: Size) -> list[Result]:
    """Two replicas behind a round-robin, one killed in the middle."""
    async with replicas(2) as both, round_robin([one.port for one in both]) as port:

        async def strike() -> None:
            await asyncio.sleep(size.seconds / 2)
            both[0].kill()

        asked = everybody_steps(port, size.visitors // 3, size.seconds, 1000)
        replies, _ = await asyncio.gather(asked, strike())
    seconds = sorted(reply.seconds for reply in replies)
    what = "two replicas, one killed"
    lost = sum(message.reply.failed for message in replies)
    return [
        Result(f"{what}: lost of {len(replies)} steps", lost, "at most", 0),
        Result(f"{what}: 95th percentile", 1000 * _part(seconds, 0.95), "below", 1000, " ms"),
    ]


async def by_ray(size: Size) -> list[Result]:
    """Steps in the page's own process and by two replicas of Ray, of which one is killed."""
    async with replicas(1) as (here,), replicas(1, ("--ray", "2")) as (there,):
        own, others = await in_turns((here, there), size.steps)
        began = there.below
        struck = [pid for pid, name in began.items() if "ServeReplica" in name]

        async def strike() -> None:
            await asyncio.sleep(size.seconds / 2)
            os.kill(struck[0], signal.SIGKILL)

        count = max(1, round(size.steps / size.seconds))
        asked = everybody_steps(there.port, count, size.seconds, 2000)
        replies, _ = await asyncio.gather(asked, strike())
        began |= there.below  # with what took the place of the one that was killed
        status = there.end()
        left = [pid for pid in began if Path(f"/proc/{pid}").exists()]
    lost = sum(message.reply.failed for message in replies)
    times = [
        Result(f"a step {who}: {what}", 1000 * value, "below", None, " ms")
        for who, seconds in (("in the page's process", own), ("with --ray", others))
        for what, value in (
            ("median", statistics.median(seconds)),
            ("95th percentile", _part(sorted(seconds), 0.95)),
        )
    ]
    return [
        *times,
        Result("with --ray, replicas", len(struck), "at least", 2),
        Result(f"with --ray, one of them killed: lost of {len(replies)} steps", lost, "at most", 0),
        Result("with --ray, asked to end: status", status, "at most", 0),
        Result(f"with --ray, left of {len(began)} processes", len(left), "at most", 0),
    ]


async def in_turns(apps: Sequence[Replica], steps: int) -> list[list[float]]:
    """Seconds of the same steps by each of the apps, one after the other."""
    visitors = [Visitor(app.port, 1) for app in apps]
    rng, seconds = random.Random(0), [list[float]() for _ in apps]
    recipe, have = opening(rng), 0
    while len(seconds[0]) < steps:
        for visitor, its in zip(visitors, seconds, strict=True):
            reply = await visitor.ask(STAGE, question(recipe, 1, have))
            if reply.failed:
                raise RuntimeError(f"no answer: {reply.status} {reply.value}")
            its.append(reply.seconds)
        recipe, have = reply.value["recipe"], reply.value["steps_from"] + 1
        if reply.value["finished"]:
            recipe, have = opening(rng), 0
    for visitor in visitors:
        visitor.leave()
    return seconds


def _part(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def _measure(size: Size, parts: Sequence[Part]) -> list[Result]:
    results = []
    for part in parts:
        found = await part(size)
        print("\n".join(f"{one.name}: {one.value:.4g}{one.unit}" for one in found), flush=True)
        results += found
    return results


PARTS = (many_visitors, beside_work, crowd, memory, a_replica_dies)


def measure(size: Size | None = None, parts: Sequence[Part] = PARTS) -> list[Result]:
    """All parts but that of Ray; what else the machine does is printed before."""
    one, five, _ = os.getloadavg()
    print(f"many visitors, {versions('torch', 'gradio', 'uvicorn')}")
    print(f"load before: {one:.1f} in the last minute, {five:.1f} in five, {os.cpu_count()} cores")
    return asyncio.run(_measure(size or Size(), parts))


def main() -> int:
    """0 where every goal is met."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    for name, about in (
        ("visitors", "who step once a second"),
        ("seconds", "for which they do"),
        ("crowd", "translations at once"),
        ("recipes", "while memory is watched"),
        ("steps", "with --ray"),
    ):
        default = getattr(Size, name)
        parser.add_argument(f"--{name}", type=type(default), default=default, help=about)
    parser.add_argument(
        "--ray", action="store_true", help="this alone: two replicas of Ray, one of them killed"
    )
    known = {part.__name__: part for part in PARTS}
    parser.add_argument("--parts", nargs="+", choices=known, help="these alone (default: all)")
    given = vars(parser.parse_args())
    chosen = [known[name] for name in given.pop("parts") or known]
    parts = (by_ray,) if given.pop("ray") else chosen
    results = measure(Size(**given), parts)
    print(table(results))
    return 1 if any(result.met is False for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
