"""Click to pixels in the rooms, in a real Chromium.

Each common click of each room is done on several sentences. The page takes the time from the event
that a control acts on (a click, a choice, a key; where a canvas is pressed, the press) to the frame
after the one in which the answer was drawn; model, server and network are in it. What of it was a
turn at the models, until their answer is packed, stands beside it, and so does the rest.
Nobody asks the page anything meanwhile.
"""

import json
import statistics
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.result import Result
from viz_app.server.service import Service

GOAL = 50.0  # milliseconds
OWN = 2.0  # times an empty call and a frame, less what the models take
TURNS = 6  # of each click on each sentence

QUIET_MS = 100  # in which the page is asked nothing: what a driver asks would be timed with it

# A click or a key draws what it changes and this sign in the same frame; a room that is a sign says
# so while it awaits an answer.
WATCH = """
() => {
  window.clicked = null; // milliseconds
  let began = null;
  let watcher = null;
  for (const kind of ["pointerdown", "click", "change", "keydown"]) {
    document.addEventListener(kind, ({ target }) => {
      const isCanvas = target.closest("canvas") !== null;
      if (kind !== (isCanvas ? "click" : "pointerdown")) began = performance.now();
    }, { capture: true });
  }
  window.watchSign = (selector) => {
    watcher?.disconnect();
    began = window.clicked = null;
    watcher = new MutationObserver(() => {
      const sign = document.querySelector(selector);
      if (began === null || !sign || sign.parentElement.querySelector("[aria-busy=true]")) return;
      const since = began;
      began = null;
      requestAnimationFrame(() => { window.clicked = performance.now() - since; });
    });
    watcher.observe(document.querySelector(selector), { attributes: true, childList: true,
      characterData: true, subtree: true });
  };
}
"""

_STAGE = "document.querySelector('.stage-host').stage"
_HEADS = "document.querySelector('.heads-left .heads-grid canvas')"

Click = tuple[str, str, str, Callable[[Any, int], None]]  # room, name, sign, what is done


def _press(*selectors: str) -> Callable[[Any, int], None]:
    def act(page: Any, turn: int) -> None:
        page.locator(selectors[turn % len(selectors)]).first.click()

    return act


def _select(selector: str, count: int) -> Callable[[Any, int], None]:
    def act(page: Any, turn: int) -> None:
        chosen = int(page.locator(selector).input_value())
        page.locator(selector).select_option(index=(chosen + 1) % count)

    return act


def _swap(page: Any, turn: int) -> None:
    words = page.locator(".positions-words .positions-word")
    first = turn % (words.count() - 2)
    words.nth(first).click()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    words.nth(first + 1).click()


def _token(page: Any, turn: int) -> None:
    tokens = page.locator("[data-tokens=query] button:not([aria-pressed=true])")
    tokens.nth(turn % tokens.count()).click()


def _node(page: Any, turn: int) -> None:
    nodes = page.locator(".beam-node:visible:not(.later):not([aria-pressed=true])")
    nodes.nth((5 * turn) % nodes.count()).click()


def _head(page: Any, turn: int) -> None:
    """A cell of the grid of heads, each turn another one."""
    left, top, width, height = page.evaluate(f"() => {_STAGE}.mapOn({_HEADS}).box(0, 0)")
    place = {"x": left + (turn + 0.5) * width, "y": top + 0.5 * height}
    page.locator(".heads-grid canvas").first.click(position=place)


def _reading(page: Any, turn: int) -> None:
    page.locator(".reading-menu").select_option(("norms", "weights")[turn % 2])


def _edit(page: Any, turn: int) -> None:
    page.keyboard.press("x")  # the head off, and on again


_CURSOR = ":is([data-act=back], [data-act=step]):enabled:visible"  # back, or on from the first
CHANGES = ".positions-report .positions-changes"
CLICKS: tuple[Click, ...] = (
    ("translate", "Translate: a reading switched on", ".map-foot .reading", _reading),
    ("translate", "Translate: an edit made", ".edits", _edit),
    ("compare", "Compare: the cursor", ".compare-candidates", _press(_CURSOR)),
    ("heads", "Heads: a cell of the grid", ".heads-title", _head),
    ("beam", "Beam: a node of the tree", ".beam-node-says", _node),
    (
        "masks",
        "Masks: break a mask",
        "[data-room=masks]",
        _press(
            "[data-masks-causal='causal-mask:none']",
            "[data-masks-pads='no-pad-mask']",
            "[data-masks-causal='causal-mask:ahead']",
            "[data-masks-fill='finite-mask']",
            "[data-masks-causal='causal-mask:behind']",
            "[data-act=masks-restore]",
        ),
    ),
    (
        "masks",
        "Masks: another attention",
        "[data-room=masks]",
        _press(*(f"[data-masks-site={site}]" for site in ("cross", "encoder", "decoder"))),
    ),
    ("masks", "Masks: another head", ".masks-axes", _select(".masks-room [data-pick=head]", 8)),
    (
        "positions",
        "Positions: another table",
        ".positions-note",
        _press(*(f"[data-kind={kind}]" for kind in ("learned", "none", "rotary", "sinusoidal"))),
    ),
    ("order", "Positions: swap two words", CHANGES, _swap),
    (
        "order",
        "Positions: another head",
        "[data-room=positions]",
        _select(".positions-order [data-pick=head]", 8),
    ),
    (
        "order",
        "Positions: without positions",
        ".positions-guesses",
        _press("[data-mode=off]", "[data-mode=on]"),
    ),
    ("inside", "Inside: another cell", ".inside-sentence", _token),
    (
        "inside",
        "Inside: another head",
        ".inside-sentence",
        _select(".inside [data-pick=head]", 8),
    ),
)


def _settle(page: Any) -> None:
    # Nothing outstanding: the second answer of the view on order included.
    page.wait_for_function(f"() => {_STAGE}.isAnswered()")


def _open(page: Any, room: str) -> None:
    name = "positions" if room == "order" else room
    page.locator(f"[data-open={name}]").click()
    if name == "positions":
        page.locator(f"[data-study={'order' if room == 'order' else 'table'}]").click()
    elif name == "heads":
        page.locator("[data-heads=grid]").click()
    _settle(page)


def room_clicks(
    page: Any, sentences: tuple[str, ...], service: Service
) -> Iterator[tuple[str, list[float], list[float]]]:
    """Each click by its name, with the milliseconds it took and those of them at the models.

    The first sentence does not count.
    """
    page.evaluate(WATCH)
    turns: list[float] = []
    service.queue.after_turn = turns.append
    for room, name, sign, act in CLICKS:
        counted, at_models = list[float](), list[float]()
        for number, sentence in enumerate(sentences):
            page.locator("[data-open=translate]").click()
            page.fill(".source-text", sentence)
            page.press(".source-text", "Enter")
            page.wait_for_function(
                f"() => {_STAGE}.shown().recipe.source === {json.dumps(sentence)}"
            )
            _open(page, room)
            for turn in range(TURNS):
                page.evaluate("window.watchSign", sign)
                turns.clear()
                act(page, turn)
                page.wait_for_timeout(QUIET_MS)
                page.wait_for_function("window.clicked !== null")
                if number:
                    counted.append(page.evaluate("window.clicked"))
                    at_models.append(1000 * sum(turns))
                _settle(page)
        yield name, counted, at_models


def results(page: Any, sentences: tuple[str, ...], floor: float, service: Service) -> list[Result]:
    """The rows of every click."""
    clicks = room_clicks(page, sentences, service)
    return [row for one in clicks for row in rows_of(*one, floor)]


def rows_of(name: str, times: list[float], at_models: list[float], floor: float) -> list[Result]:
    """The median of a click against its goal; and over `floor`, with the models and without."""
    low, *_, high = statistics.quantiles(times, n=20)
    print(f"  {name}: {len(times)} clicks, 5% to 95%: {low:.0f} to {high:.0f} ms")
    median = statistics.median(times)
    own = statistics.median(one - at for one, at in zip(times, at_models, strict=True))
    models = statistics.median(at_models)
    return [
        Result(f"{name}, median", median, "at most", GOAL, " ms"),
        Result(f"{name}, of it at the models", models, "below", None, " ms"),
        Result(f"{name} / an empty call and a frame", median / floor, "below", None),
        Result(f"{name} less the models / the same", own / floor, "at most", OWN),
    ]
