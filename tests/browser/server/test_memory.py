"""A long visit holds no more than a short one: what is drawn anew takes the place of the old."""

from collections.abc import Callable

from tests.browser.conftest import Stage
from tests.browser.walks import WAITS

WARM_UP = 41  # interactions, one round, in which every part is shown and every cache is filled
INTERACTIONS = 41  # after it: one round
LANGUAGE_EVERY = 20  # so that it is changed there and back
MOST_HEAP = 1.1
MOST_NODES = INTERACTIONS // 2  # more; one left behind by each would be twice as many
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def measured(stage: Stage) -> dict[str, float]:
    """What is held once nothing is under way and all garbage is gone."""
    stage.page.wait_for_function(WAITS)
    devtools = stage.page.context.new_cdp_session(stage.page)
    try:
        devtools.send("Performance.enable")
        for _ in range(3):  # what one collection lets go may hold what the next one finds
            devtools.send("HeapProfiler.collectGarbage")
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return {metric["name"]: metric["value"] for metric in metrics}
    finally:
        devtools.detach()


def click(stage: Stage, selector: str, nth: int) -> None:
    """Presses the nth of what is visible, counted around; in the page, because it is faster."""
    stage.page.evaluate(
        """([selector, nth]) => {
            const found = [...document.querySelectorAll(`.stage ${selector}`)]
                .filter((one) => !one.disabled && one.checkVisibility());
            if (found.length === 0) throw new Error(`nothing to press: ${selector}`);
            found[nth % found.length].click();
        }""",
        [selector, nth],
    )


def choose(stage: Stage, selector: str, nth: int) -> None:
    stage.page.evaluate(
        """([selector, nth]) => {
            const list = [...document.querySelectorAll(`.stage ${selector}`)]
                .find((one) => one.checkVisibility());
            list.selectedIndex = nth % list.options.length;
            list.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        [selector, nth],
    )


def key(stage: Stage, name: str) -> None:
    stage.page.locator(".stage").press(name)


ROOMS: dict[str, list[Callable[[Stage, int], None]]] = {
    "translate": [
        lambda stage, n: key(stage, "Home"),
        lambda stage, n: key(stage, "ArrowRight"),  # along the steps that are known
        lambda stage, n: click(stage, ".head", n),
        lambda stage, n: click(stage, "[data-site]", n),
        lambda stage, n: click(stage, "[data-view]", n),
        lambda stage, n: click(stage, "[data-spelled]", n % 2) if n % 3 else key(stage, "End"),
        lambda stage, n: click(stage, "[data-act=reset]", 0),
        lambda stage, n: click(stage, "[data-act=step]", 0),
        lambda stage, n: click(stage, "[data-act=translate]", 0),
    ],
    "masks": [
        lambda stage, n: click(stage, "[data-masks-site]", n),
        lambda stage, n: choose(stage, ".masks-room [data-pick=head]", n),
        lambda stage, n: choose(stage, ".masks-room [data-pick=layer]", n),
        lambda stage, n: click(stage, "[data-masks]:is(button)", n),
        lambda stage, n: click(stage, "[data-sentence]", n),
        lambda stage, n: click(stage, "[data-masks=masks]", 0),
        lambda stage, n: click(stage, ".masks-break .choice", 2 * n + 1),
        lambda stage, n: click(stage, ".masks-break .choice", 5 * n),
    ],
    "positions": [
        lambda stage, n: click(stage, "[data-study]", n),
        lambda stage, n: stage.page.locator(".positions canvas:visible").first.press("ArrowDown"),
        lambda stage, n: click(stage, "[data-study]", n + 1),
        lambda stage, n: stage.page.locator(".positions canvas:visible").last.press("ArrowRight"),
        lambda stage, n: click(stage, "[data-study]", n + 2),
        lambda stage, n: click(stage, "[data-study=order]", 0),
        lambda stage, n: click(stage, ".positions-word", n),
        lambda stage, n: click(stage, ".positions-word", n + 1),
        lambda stage, n: click(stage, "[data-mode]", n),
        lambda stage, n: click(stage, "[data-study=table]", 0),
        lambda stage, n: click(stage, "[data-kind]", n),
    ],
    "inside": [
        lambda stage, n: click(stage, "[data-inside-site]", n),
        lambda stage, n: choose(stage, ".inside [data-pick=head]", n),
        lambda stage, n: click(stage, ".inside [data-tokens] [data-index]", n),
        lambda stage, n: click(stage, ".inside-row tbody tr", n),  # another key
        lambda stage, n: click(stage, "[data-inside=way]", 0),
        lambda stage, n: click(stage, ".stage-open", n),
        lambda stage, n: click(stage, ".stage-open", n),  # and closed again
        lambda stage, n: click(stage, ".inside [data-tokens] [data-index]", n),
        lambda stage, n: click(stage, "[data-inside=cell]", 0),
    ],
}


# Every part of every room, so that all is built, and at last the one that is measured.
PLACE = {
    "translate": ["[data-site=cross]", "[data-view=table]", "[data-view=heat]"],
    "masks": [
        "[data-masks=masks]",
        "[data-sentence='0']",
        "[data-masks-site=decoder]",
        "[data-masks-causal='']",
        "[data-masks-pads='']",
        "[data-masks-fill='']",
        "[data-masks=passes]",
        "[data-masks=masks]",
    ],
    "positions": [
        "[data-study=sum]",
        "[data-study=order]",
        "[data-act=restore]",
        "[data-mode=on]",
        "[data-study=rotary]",
        "[data-study=table]",
        *(f"[data-kind={kind}]" for kind in ("learned", "rotary", "none", "sinusoidal")),
    ],
    "inside": [
        "[data-inside=way]",
        "[data-tokens=source] [data-index]",
        "[data-tokens=target] [data-index]",
        "[data-inside=cell]",
        "[data-inside-site=cross]",
        "[data-tokens=query] [data-index]",
    ],
}


def walk(stage: Stage, count: int) -> None:
    """The same round of interactions again and again, until there were so many."""
    round_ = [(room, act) for room, acts in ROOMS.items() for act in (None, *acts)]
    for number in range(count):
        if number % LANGUAGE_EVERY == LANGUAGE_EVERY - 1:
            click(stage, "[data-tool=language]", 0)
        room, act = round_[number % len(round_)]
        if act is None:
            click(stage, f"[data-open={room}]", 0)
        else:
            act(stage, number // len(round_))
        stage.page.wait_for_function(WAITS)


def held(stage: Stage) -> dict[str, float]:
    """What is held in a place that is always the same."""
    click(stage, "[data-open=translate]", 0)
    click(stage, "[data-act=translate]", 0)
    for room, presses in PLACE.items():
        click(stage, f"[data-open={room}]", 0)
        stage.page.wait_for_function(WAITS)
        for selector in presses:
            click(stage, selector, 0)
            stage.page.evaluate(FRAMES)  # what a click asks for may be asked in the next frame
            stage.page.wait_for_function(WAITS)
    return measured(stage)


def test_a_long_visit_holds_no_more_than_a_short_one(visit):
    stage = visit(own=True)  # in which nothing is left of earlier visits
    stage.type_source("The black cat sleeps on the warm roof.")
    walk(stage, WARM_UP)
    before = held(stage)
    walk(stage, INTERACTIONS)
    after = held(stage)
    assert after["Nodes"] <= before["Nodes"] + MOST_NODES
    assert after["JSEventListeners"] <= before["JSEventListeners"] + MOST_NODES
    assert after["JSHeapUsedSize"] <= MOST_HEAP * before["JSHeapUsedSize"]
