"""Steps fetched ahead: click to pixels beside the server and far from it, and what they cost it.

The page is opened once per latency, which is added to each of its questions. Each click waits
until the next step is here. What no page could do faster is the floor: a click, an empty call to
the server and one frame; for scrubbing the frames of an empty canvas.

The cost is the processor's time of a service that is asked what a page asks: each visitor steps to
the end of a sentence and looks long enough at every fourth step for its candidates. Calls, of which
there are fewer with steps fetched ahead, are not in it.
"""

import json
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import rooms
from benchmarks.result import Result
from viz_app.limits import DEMO
from viz_app.server.answers.ahead import MOST
from viz_app.server.service import Service

FRAME = 20.0  # milliseconds: one frame, at most
DROPPED = 1.05  # times the frames of scrubbing that an empty canvas has, at most
FAR = 100  # milliseconds of latency
EMPTY_CLICKS = 60
VISITORS = 20
FEW, OTHERS, LOOK = 2, 2, 4  # as in stage/run/ahead.js; every fourth step is looked at

HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
_BUTTON = """
(body) => {
  document.body.innerHTML = "<button>ask</button><p></p>";
  const said = document.querySelector("p");
  document.querySelector("button").addEventListener("click", async () => {
    const answer = await fetch("/stage/answer", { method: "POST", body,
      headers: { "Content-Type": "application/json" } });
    await answer.json();
    said.textContent = String(performance.now());
  });
}
"""
_EMPTY = """
async (seconds) => {
  const context = document.body.appendChild(document.createElement("canvas")).getContext("2d");
  const frame = () => new Promise(requestAnimationFrame);
  for (let warm = 0; warm < 30; warm += 1) await frame();
  const began = await frame();
  let [now, frames] = [began, 0];
  while (now - began < 1000 * seconds) {
    context.clearRect(0, 0, 300, 150);
    now = await frame();
    frames += 1;
  }
  return 1000 * frames / (now - began);
}
"""


def floor_of(page: Any, address: str, model: str) -> float:
    """Median milliseconds of a click in a page that holds nothing but its button: it asks the
    server an empty question, and the frame after the answer is written ends it.

    It is clicked as everything else: a browser holds back what follows a click until it has drawn a
    frame for it, which is not in a call that no click has made.
    """
    page.goto(f"{address}/health")  # of the server, without the stage
    page.evaluate(_BUTTON, json.dumps({"status": model}))
    page.evaluate(rooms.WATCH)
    times = []
    for _ in range(EMPTY_CLICKS):
        page.evaluate("window.watchSign", "p")
        page.locator("button").click()
        page.wait_for_timeout(rooms.QUIET_MS)
        page.wait_for_function("window.clicked !== null")
        times.append(page.evaluate("window.clicked"))
    return statistics.median(times)


def empty_rate(page: Any, seconds: float) -> float:
    """Frames per second of a page with nothing but an empty canvas."""
    page.set_content('<!doctype html><body style="margin:0">')
    return float(page.evaluate(_EMPTY, seconds))


@contextmanager
def far(page: Any, latency: int) -> Iterator[None]:
    """Every question of the page reaches the server so many milliseconds later."""

    def later(route: Any) -> None:
        time.sleep(latency / 1000)
        route.continue_()

    if latency:
        page.route("**/stage/answer", later)
    yield
    page.unroute_all()


def results(times: dict[int, list[float]], floor: float) -> list[Result]:
    """Rows of fetched steps by latency; the floor is printed."""
    found = []
    for latency, clicks in times.items():
        low, *_, high = statistics.quantiles(clicks, n=20)
        print(f"  fetched, {latency} ms away: {len(clicks)} clicks, {low:.0f} to {high:.0f} ms")
        name = f"Step fetched ahead, {latency} ms from the server, median"
        found.append(Result(name, statistics.median(clicks), "at most", FRAME, " ms"))
    print(f"  an empty call and one frame, after a click: {floor:.1f} ms")
    return found


def cost(checkpoints: Path, model: str, sentences: tuple[str, ...]) -> Result:
    """The processor's time of a demo with steps fetched ahead over that without."""
    service = Service(checkpoints, DEMO)
    plain, ahead = 0.0, 0.0
    # The first visitors are not counted: they open the model, and products of a shape that comes
    # for the first time take longer.
    for visitor in range(-VISITORS, VISITORS):
        # Everybody types another sentence, so that no answer is at hand from another visitor.
        for is_ahead in (visitor % 2 == 0, visitor % 2 == 1):
            text = f"{sentences[visitor % len(sentences)][:-1]} {visitor} {int(is_ahead)}."
            began = time.process_time()
            _visit(service, model, text, is_ahead)
            took = time.process_time() - began
            if visitor >= 0 and is_ahead:
                ahead += took
            elif visitor >= 0:
                plain += took
    return Result(
        "demo, steps fetched ahead / not, processor time", ahead / plain, "at most", 4 / 3
    )


def _visit(service: Service, model: str, text: str, is_ahead: bool) -> None:
    """One sentence, step by step, as stage/run/ahead.js asks for it."""
    recipe = {"model": model, "source": text, "pads": 0, "target": []}
    at = service.answer({"recipe": recipe, "extend": 0, "have": 0})
    steps, fetched = len(at["steps"]), list[dict[str, Any]]()
    while at["finished"] is None and "error" not in at:
        end = fetched[-1] if fetched else at
        if is_ahead and len(fetched) < FEW and end["finished"] is None:
            have = steps + len(fetched)
            asked = {"recipe": end["recipe"], "have": have, "next": MOST, "others": []}
            fetched += service.answer(asked)["next"]
        if is_ahead and steps % LOOK == 0:
            best = [one["token"] for one in at["steps"][-1]["candidates"][:OTHERS]]
            service.answer({"recipe": at["recipe"], "have": steps, "next": 0, "others": best})
        at = (
            fetched.pop(0)
            if fetched
            else service.answer({"recipe": at["recipe"], "extend": 1, "have": steps})
        )
        steps += 1
