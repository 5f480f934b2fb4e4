"""Click to pixels in a real Chromium, and frames per second while scrubbing 48 heads of 64 x 64.

Click to pixels: the app serves a checkpoint, a sentence it has not seen is typed in, and Step is
clicked until the translation ends. The page takes the time from the click to the frame after the
one in which the new row was drawn; model, server and network are in it. Nothing is fetched ahead
for that row, by a page that takes itself for hidden; steps that are: see ahead.py.

The rooms beside the translation: see rooms.py. The first second of a page: see opening.py.

Scrubbing: a page with the stage and no server moves its slider on every frame. How many frames
there are is the browser's; how many of them are drawn, beside those of an empty canvas, the page's.
"""

import json
from pathlib import Path
from typing import Any

from benchmarks import ahead, opening, rooms
from benchmarks.decoding import HEADS
from benchmarks.payload_size import LAYERS, TOKENS, decode, random_model
from benchmarks.result import Result, versions
from tests.browser.chromium import FLAGS, find_chromium
from tests.serving import serve
from viz_app.menu.catalogue import model_entry
from viz_app.rooms import ROOMS
from viz_app.rooms.translate.payload import payload
from viz_app.server.service import Service
from viz_app.stage.stage import script, style
from viz_app.text import WORDS

CHECKPOINTS = Path(__file__).resolve().parent.parent / "checkpoints"
MODEL = "en-fr"
CLICKS = 30  # at least
SECONDS = 5  # of scrubbing
SENTENCES = (
    "This first sentence only warms everything up.",
    "My sister bought a red bicycle for her daughter last summer.",
    "We did not know that the train would leave so early.",
    "The children are playing in the garden behind the house.",
    "He asked me whether I had already read the letter.",
    "If it rains tomorrow, we will stay at home and watch a film.",
)

# The count under the buttons changes in the same frame as the pictures.
_WATCH = """
() => {
  window.clicked = null;
  let began = null;
  document.addEventListener("click", (event) => {
    began = event.target.closest('[data-act="step"]') ? performance.now() : null;
  }, { capture: true });
  new MutationObserver(() => {
    if (began === null) return;
    const since = began;
    began = null;
    requestAnimationFrame(() => { window.clicked = performance.now() - since; });
  }).observe(document.querySelector(".step-of"), { childList: true, characterData: true,
    subtree: true });
}
"""

_ENDED = """document.querySelector('[data-act="step"]').disabled"""

_SCRUB = """
async (seconds) => {
  const slider = document.querySelector(".slider");
  const frame = () => new Promise(requestAnimationFrame);
  const steps = Number(slider.max);
  for (let warm = 0; warm < 30; warm += 1) await frame();
  let renders = 0;
  new MutationObserver(() => { renders += 1; }).observe(document.querySelector(".step-of"),
    { childList: true, characterData: true, subtree: true });
  const began = await frame();
  let now = began;
  let at = 0;
  while (now - began < 1000 * seconds) {
    at = at % steps + 1;
    slider.value = at;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    now = await frame();
  }
  return { renders, milliseconds: now - began,
    heads: document.querySelectorAll(".head[data-layer]").length, steps };
}
"""


def clicks(
    page: Any, address: str, model: str, service: Service, pause: int | None = None
) -> tuple[list[float], list[float]]:
    """Milliseconds from each click on Step to its pixels, and those of them at the models.

    The first sentence does not count. `pause`: milliseconds before each click, in which the page
    fetches ahead; it does not where this is None.
    """
    page.goto(address)
    if pause is None:
        page.evaluate(ahead.HIDDEN)
    ready = 'document.querySelector(".stage-host")?.stage?.shown()?.recipe'
    page.wait_for_function(ready)
    if page.locator("select.model").input_value() != model:
        page.locator("select.model").select_option(model)
    page.wait_for_function(f"{ready}.model === {json.dumps(model)}")
    page.evaluate(_WATCH)
    counted, at_models, turns = list[float](), list[float](), list[float]()
    service.queue.after_turn = turns.append
    for number, sentence in enumerate(SENTENCES):
        page.fill(".source-text", sentence)
        page.press(".source-text", "Shift+Enter")  # to be stepped through
        page.wait_for_function(
            f"(sentence) => {ready}.source === sentence && {ready}.target.length === 0",
            arg=sentence,
        )
        step = page.locator('[data-act="step"]').first
        while step.is_enabled():
            page.wait_for_timeout(pause or 0)
            page.evaluate("window.clicked = null")
            turns.clear()
            step.click()
            page.wait_for_timeout(rooms.QUIET_MS)
            # The click that chooses the end token draws no new row and does not count.
            page.wait_for_function(f"window.clicked !== null || {_ENDED}")
            took = page.evaluate("window.clicked")
            if number and took is not None:
                counted.append(took)
                at_models.append(1000 * sum(turns))
    return counted, at_models


def scrubbing(page: Any) -> dict[str, float]:
    """Renders, milliseconds, heads and steps of scrubbing through a finished decode."""
    made = random_model()
    recipe, decoding = decode(made)
    config, training = made.transformer.config, made.checkpoint.training
    model = model_entry(recipe.model, config, training)
    model |= {"max_source": TOKENS, "max_target": TOKENS}
    options = {
        "version": 1,
        "models": [model],
        "model": recipe.model,
        "payload": payload(recipe, decoding, made),
        "limits": {"characters": 4000, "pads": 0},
        "words": WORDS,
    }
    page.set_content('<!doctype html><body style="margin:0"><div id="stage"></div>')
    names = [room.name for room in ROOMS]
    page.add_style_tag(content=style(names))
    page.add_script_tag(content=f"{script(names)}\nwindow.mountStage = mountStage;")
    page.evaluate(
        "(options) => { mountStage(document.querySelector('#stage'), options, null); }", options
    )
    found: dict[str, float] = page.evaluate(_SCRUB, SECONDS)
    if (found["heads"], found["steps"]) != (LAYERS * HEADS, TOKENS):
        raise RuntimeError(f"the stage shows {found['heads']} heads and {found['steps']} steps")
    return found


def _page(browser: Any) -> Any:
    """A page whose policy does not keep the browser's driver from waiting."""
    return browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True)


def measure(checkpoints: Path = CHECKPOINTS, model: str = MODEL) -> list[Result]:
    """Median click to pixels, and frames per second while scrubbing."""
    from playwright.sync_api import sync_playwright

    chromium = find_chromium()
    if chromium is None:
        raise RuntimeError("No Chromium found. Run `python -m tests.browser.chromium`.")
    if not (checkpoints / model).is_dir():
        raise RuntimeError(f"There is no checkpoint {checkpoints / model}. Train it first.")
    with serve(checkpoints) as (address, service), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = _page(browser)
        print(f"Browser: Chromium {browser.version}, {versions('gradio', 'playwright')}")
        times, at_models = clicks(page, address, model, service)
        first_second = opening.results(browser, address)
        plain = _page(browser)
        floor = ahead.floor_of(plain, address, model)
        plain.close()
        in_rooms = rooms.results(page, SENTENCES[:4], floor, service)
        page.close()
        fetched = {}
        for latency in (0, ahead.FAR):
            page = _page(browser)
            with ahead.far(page, latency):
                fetched[latency], _ = clicks(page, address, model, service, 200 + 2 * latency)
            page.close()
        page = _page(browser)
        empty = ahead.empty_rate(page, SECONDS)
        found = scrubbing(page)
        browser.close()
    if len(times) < CLICKS:
        raise RuntimeError(f"only {len(times)} clicks were timed; {CLICKS} are wanted")
    rate = 1000 * found["renders"] / found["milliseconds"]
    print(f"  scrubbing: {found['renders']} pictures in {found['milliseconds']:.0f} ms")
    return [
        *rooms.rows_of(f"Step on {model}", times, at_models, floor),
        *first_second,
        *ahead.results(fetched, floor),
        ahead.cost(checkpoints, model, SENTENCES),
        *in_rooms,
        Result("scrubbing 48 heads of 64 x 64", round(rate), "below", None, " frames/s"),
        Result("an empty canvas / scrubbing, frames", empty / rate, "at most", ahead.DROPPED),
    ]
