"""The first second: what a browser fetches before the first picture, and how long that takes.

The app serves the checkpoints, the model is open, and the browser has stored nothing. The first
picture is the first frame in which the page shows a translation. The times are of a processor that
works at a quarter of its speed. Then every room is opened once: how often the browser lays the page
out for that.
"""

import json
import statistics
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.result import Result
from viz_app.rooms import ROOMS
from viz_app.stage.bundle import later_bundle
from viz_app.stage.stage import parts

ROUNDS = 5
SLOWER = 4  # times
REQUESTS = 6
KILOBYTES = 110
LAYOUTS = 3
OPENED = tuple(room.name for room in ROOMS[1:])

_WATCH = """
(() => {
  const look = () => {
    const stage = document.querySelector(".stage:not(.empty)");
    if (!stage?.querySelector(".map canvas")) return requestAnimationFrame(look);
    const at = performance.now();
    const asked = performance.getEntriesByType("resource")
      .filter(({ startTime }) => startTime < at);
    const texts = asked.filter(({ name }) => /\\.(js|css|json)([?]|$)/.test(name));
    const bytes = texts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    window.opening = { seconds: at / 1000, requests: asked.length + 1, bytes };
  };
  look();
})();
"""
_ANSWERED = """() => !document.querySelector(".stage").matches(".slow")
  && !document.querySelector(".room:not([hidden])").matches('.unanswered, [aria-busy="true"]')"""
# Whether all these scripts are there.
_FETCHED = """(names) => {
  const asked = performance.getEntriesByType("resource");
  const there = asked.filter(({ responseEnd }) => responseEnd > 0).map(({ name }) => name);
  return names.every((name) => there.some((address) => address.endsWith(name)));
}"""


def opened(browser: Any, address: str) -> dict[str, float]:
    """Seconds, requests and bytes of scripts, styles and words until the first picture."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    context.add_init_script(_WATCH)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address)
    page.wait_for_function("window.opening")
    found: dict[str, float] = page.evaluate("window.opening")
    context.close()
    return found


def layouts(
    browser: Any,
    address: str,
    rooms: Sequence[str] = OPENED,
    late_ms: int = 0,
) -> dict[str, int]:
    """How often the browser lays the page out while a room opens, by the room.

    Counted in a trace, which names the document: a browser also lays out images of its own. Every
    answer comes `late_ms` later.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".stage:not(.empty) .map canvas")
    tree = context.new_cdp_session(page).send("Page.getFrameTree")["frameTree"]
    document = tree["frame"]["id"]
    # The model has nothing for a room without a tab.
    rooms = [one for one in rooms if page.locator(f"[data-open={one}]").is_visible()]
    scripts = [later_bundle(one).name for one in parts() if one.name in rooms]
    page.wait_for_function(_FETCHED, arg=scripts)  # they come while the page rests

    def later(route: Any) -> None:
        time.sleep(late_ms / 1000)
        route.continue_()

    if late_ms:
        page.route("**/stage/answer", later)
    found = {}
    for room in rooms:
        page.wait_for_timeout(500)  # until the page rests
        tab = page.locator(f"[data-open={room}]")
        browser.start_tracing(page=page, categories=["devtools.timeline"])
        tab.click()
        page.wait_for_function(_ANSWERED)
        page.wait_for_timeout(200)  # what fades has faded
        events = json.loads(browser.stop_tracing())["traceEvents"]
        laid = [one["args"]["beginData"] for one in events if one["name"] == "Layout"]
        found[room] = sum(one["frame"] == document for one in laid)
    context.close()
    return found


def results(browser: Any, address: str) -> list[Result]:
    """The rows of the first second."""
    opened(browser, address)  # it fills the server's caches
    rounds = [opened(browser, address) for _ in range(ROUNDS)]
    seconds = statistics.median(one["seconds"] for one in rounds)
    counts = layouts(browser, address)
    print(f"  layouts: {', '.join(f'{room} {count}' for room, count in counts.items())}")
    return [
        Result("requests before the first picture", rounds[0]["requests"], "at most", REQUESTS),
        Result(
            "scripts, styles and words before it, packed",
            rounds[0]["bytes"] / 1000,
            "at most",
            KILOBYTES,
            " kB",
        ),
        Result(f"first picture, processor / {SLOWER}", seconds, "below", None, " s"),
        Result("layouts when a room opens, most", max(counts.values()), "at most", LAYOUTS),
    ]
