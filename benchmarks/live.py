"""The app in the browser's own interpreter, beside the same answers of a service here.

A page with nothing in it starts the worker (viz_app/live) and asks it what the stage asks: whole
translations, and steps from one to the next. What is compared is processor time: of Chromium that
of the process of the page, all its threads; of the service that of this process. Slowed four times
by the DevTools protocol, a page spends the time that it must not compute: its processor time is
then what a machine of a quarter of the speed takes.
"""

import functools
import http.server
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.browser import CHECKPOINTS, MODEL, SENTENCES
from benchmarks.result import Result, versions
from tests.browser.chromium import FLAGS, find_chromium
from viz_app.live.compiling import modules
from viz_app.live.pieces import Pieces
from viz_app.server.service import Service

SMALL = "reverse-rotary"
SLOWER = 4  # times, of the processor
START, STEP, WHOLE, STEP_SLOWED = 4.0, 12.0, 200.0, 100.0  # seconds, then milliseconds
MEMORY, BYTES, BYTES_SMALL = 200, 18, 10  # MiB; MB

_PAGE = """<!doctype html><script type="module">
// With ?here the worker's script runs in the page itself: the DevTools protocol slows no worker.
const isHere = location.search === "?here", waiting = new Map();
const worker = isHere ? { postMessage: (data) => window.onmessage({ data }) } : new Worker("worker.js", { type: "module" });
if (isHere) window.postMessage = (data) => worker.onmessage({ data });
let next = 0;
window.ready = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => {
    if (data.ready) resolve(true);
    else if (data.id) waiting.get(data.id)(data);
    else if (data.failure) reject(new Error(data.failure.message));
  };
});
window.ask = (request) => new Promise((resolve, reject) => {
  next += 1;
  waiting.set(next, ({ answer, failure }) => failure ? reject(new Error(failure.message)) : resolve(answer));
  worker.postMessage({ id: next, request });
});
window.start = async (model) => {
  if (isHere) await import("./worker.js");
  worker.postMessage({ start: { base: "./", model } });
};
</script>"""  # noqa: E501
_ASKS = """async (requests) => {
  let said;
  for (const request of requests) said = await window.ask(request);
  return said;
}"""
_STEPS = """async ({ recipe, most }) => {
  let [now, steps] = [recipe, 0];
  for (let ended = false; !ended && steps < most; steps += 1) {
    const answer = await window.ask({ recipe: now, extend: 1, have: now.target.length });
    ended = answer.recipe.target.length === now.target.length;
    now = answer.recipe;
  }
  return steps;
}"""
MOST = 12  # steps of a sentence


def recipe_of(sentence: str, model: str) -> dict[str, Any]:
    return {"version": 1, "model": model, "source": sentence, "pads": 0, "target": []}


def bytes_of(files: dict[str, bytes], model: str) -> float:
    """MB that a visitor fetches for a first sentence of a model."""
    pieces = json.loads(files["pieces.json"])
    named = [*pieces["interpreter"].values(), *pieces["packages"].values()]
    named += pieces["models"][model].values()
    scripts = sum(len(content) for name, content in files.items() if not name.endswith(".bin"))
    return (scripts + sum(int(piece["bytes"]) for piece in named)) / 1e6


@contextmanager
def served(files: dict[str, bytes]) -> Iterator[str]:
    """The address of a server of these files and of a page that starts them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (files | {"index.html": _PAGE.encode()}).items():
            (Path(folder) / name).write_bytes(content)

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

        handler = functools.partial(Quiet, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/"
            finally:
                server.shutdown()


class Renderers:
    """The processes of pages: the processor's time that they had, and memory."""

    def __init__(self, browser: Any):
        self._session = browser.new_browser_cdp_session()

    def _all(self) -> list[dict[str, Any]]:
        found = self._session.send("SystemInfo.getProcessInfo")["processInfo"]
        return [one for one in found if one["type"] == "renderer"]

    def seconds(self) -> float:
        return float(sum(one["cpuTime"] for one in self._all()))

    def memory(self) -> float:
        """MiB of the largest, as far as no other process has them too."""
        pages = []
        for one in self._all():
            said = Path(f"/proc/{one['id']}/status").read_text("utf-8")
            (line,) = (line for line in said.splitlines() if line.startswith("RssAnon"))
            pages.append(int(line.split()[1]) / 1024)
        return max(pages)


def of_service(call: Callable[[], int]) -> float:
    """Milliseconds of the processor for each of what a call says that it did."""
    began = time.process_time()
    count = call()
    return (time.process_time() - began) * 1000 / count


def _wholes(service: Service) -> int:
    for sentence in SENTENCES[1:]:
        service.reply({"recipe": recipe_of(sentence, MODEL), "extend": "end"})
    return len(SENTENCES) - 1


def _begun(service: Service) -> list[dict[str, Any]]:
    """Recipes of the sentences with one step each."""
    asked = [{"recipe": recipe_of(f"And {one}", MODEL), "extend": 1} for one in SENTENCES]
    return [json.loads(service.reply(one).body)["recipe"] for one in asked]


def _steps(service: Service, begun: list[dict[str, Any]]) -> int:
    steps = 0
    for recipe in begun:
        now, ended = recipe, False
        for _ in range(MOST):
            if ended:
                break
            asked = {"recipe": now, "extend": 1, "have": len(now["target"])}
            answer = json.loads(service.reply(asked).body)
            steps += 1
            ended = len(answer["recipe"]["target"]) == len(now["target"])
            now = answer["recipe"]
    return steps


def measure(checkpoints: Path = CHECKPOINTS) -> list[Result]:
    """What a start takes, a step and a whole answer, beside the service; bytes and memory."""
    from playwright.sync_api import sync_playwright

    chromium = find_chromium()
    if chromium is None:
        raise RuntimeError("No Chromium found. Run `python -m tests.browser.chromium`.")
    files = Pieces.of(checkpoints, [MODEL, SMALL], modules()).files
    service = Service(checkpoints)
    wholes = [{"recipe": recipe_of(one, MODEL), "extend": "end"} for one in SENTENCES]
    service.reply(wholes[0])
    whole = of_service(lambda: _wholes(service))
    begun = _begun(service)
    step = of_service(lambda: _steps(service, begun))
    with served(files) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        print(f"Live: Chromium {browser.version}, {versions('torch')}")
        page = browser.new_page(bypass_csp=True)
        page.set_default_timeout(300_000)
        page.goto(address)
        pages = Renderers(browser)
        empty, memory = pages.seconds(), pages.memory()
        page.evaluate("(model) => { window.start(model); return window.ready; }", MODEL)
        started = pages.seconds() - empty
        page.evaluate(_ASKS, wholes[:1])
        first = pages.seconds() - empty - started
        page.evaluate(_ASKS, wholes[:1])  # what is compiled late is compiled
        spent = {}
        before = pages.seconds()
        page.evaluate(_ASKS, wholes[1:])
        spent["whole"] = (pages.seconds() - before) * 1000 / len(wholes[1:])
        firsts = [{"recipe": recipe_of(f"And {one}", MODEL), "extend": 1} for one in SENTENCES]
        in_page = [page.evaluate(_ASKS, [one])["recipe"] for one in firsts]
        before, steps = pages.seconds(), 0
        for recipe in in_page:
            steps += page.evaluate(_STEPS, {"recipe": recipe, "most": MOST})
        spent["step"] = (pages.seconds() - before) * 1000 / steps
        memory = pages.memory() - memory
        page.goto(f"{address}?here")
        page.evaluate("(model) => { window.start(model); return window.ready; }", MODEL)
        page.evaluate(_ASKS, wholes)
        slow = page.context.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        before = pages.seconds()
        padded = [recipe_of(one, MODEL) | {"pads": 1} for one in SENTENCES]
        page.evaluate(_ASKS, [{"recipe": one, "extend": "end"} for one in padded])
        spent["whole slowed"] = (pages.seconds() - before) * 1000 / len(wholes)
        in_page = [page.evaluate(_ASKS, [one])["recipe"] for one in firsts]
        before, steps = pages.seconds(), 0
        for recipe in in_page:
            steps += page.evaluate(_STEPS, {"recipe": recipe, "most": MOST})
        spent["step slowed"] = (pages.seconds() - before) * 1000 / steps
        browser.close()
    return [
        Result(
            "live: bytes before the first own sentence",
            bytes_of(files, MODEL),
            "at most",
            BYTES,
            " MB",
        ),
        Result(
            "live: the same of a small model", bytes_of(files, SMALL), "at most", BYTES_SMALL, " MB"
        ),
        Result("live: start, processor", started, "at most", START, " s"),
        Result("live: first answer after it, processor", first, "at most", None, " s"),
        Result("live: a whole answer, processor", spent["whole"], "at most", WHOLE, " ms"),
        Result("live: a whole answer / the service's", spent["whole"] / whole, "at most", None),
        Result("live: a step, processor", spent["step"], "at most", STEP, " ms"),
        Result("live: a step / the service's", spent["step"] / step, "at most", None),
        Result("live: memory", memory, "at most", MEMORY, " MiB"),
        Result(
            "live: a whole answer, processor / 4", spent["whole slowed"], "at most", None, " ms"
        ),
        Result("live: a step, processor / 4", spent["step slowed"], "at most", STEP_SLOWED, " ms"),
    ]


if __name__ == "__main__":
    from benchmarks.result import table

    print(table(measure()))
