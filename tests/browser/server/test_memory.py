"""A long visit holds no more than a short one: what is drawn anew takes the place of the old."""

from collections.abc import Callable

from tests.browser.conftest import FRAMES, Stage
from tests.browser.walks import WAITS, unfold

MOST_HEAP = 1.1
MOST_NODES = 20  # more after a round of 50 presses, each of which may leave no node behind


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


def click(stage: Stage, selector: str, nth: int = 0) -> None:
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


# Every part of every room; what is chosen last is the same in every round.
ROUND: dict[str, list[Callable[[Stage], None]]] = {
    "translate": [
        lambda stage: click(stage, "[data-act=translate]"),
        lambda stage: click(stage, "[data-spelled=plain]"),
        lambda stage: click(stage, "[data-spelled=words]"),
        lambda stage: key(stage, "Home"),
        lambda stage: key(stage, "ArrowRight"),  # along the steps that are known
        lambda stage: click(stage, ".head", 3),
        lambda stage: click(stage, "[data-site=encoder]"),
        lambda stage: click(stage, "[data-site=cross]"),
        lambda stage: click(stage, "[data-view=table]"),
        lambda stage: click(stage, "[data-view=heat]"),
        lambda stage: click(stage, ".head"),
        lambda stage: click(stage, "[data-act=reset]"),
        lambda stage: click(stage, "[data-act=step]"),
        lambda stage: click(stage, "[data-act=translate]"),
    ],
    "masks": [
        lambda stage: choose(stage, ".masks-room [data-pick=head]", 1),
        lambda stage: choose(stage, ".masks-room [data-pick=layer]", 1),
        lambda stage: choose(stage, ".masks-room [data-pick=layer]", 0),
        lambda stage: choose(stage, ".masks-room [data-pick=head]", 0),
        lambda stage: click(stage, "[data-sentence='1']"),
        lambda stage: click(stage, "[data-sentence='0']"),
        lambda stage: click(stage, "[data-masks=passes]"),
        lambda stage: click(stage, "[data-masks=masks]"),
        lambda stage: click(stage, "[data-masks-site=cross]"),
        lambda stage: click(stage, "[data-masks-site=decoder]"),
        lambda stage: click(stage, ".masks-break .choice", 1),
        lambda stage: click(stage, ".masks-break .choice"),
    ],
    "positions": [
        lambda stage: stage.page.locator(".positions canvas:visible").first.press("ArrowDown"),
        lambda stage: click(stage, "[data-kind=learned]"),
        lambda stage: click(stage, "[data-kind=sinusoidal]"),
        lambda stage: click(stage, "[data-study=sum]"),
        lambda stage: click(stage, "[data-study=order]"),
        lambda stage: click(stage, ".positions-word", 0),
        lambda stage: click(stage, ".positions-word", 1),
        lambda stage: click(stage, "[data-act=restore]"),
        lambda stage: click(stage, "[data-mode=off]"),
        lambda stage: click(stage, "[data-mode=on]"),
        lambda stage: click(stage, "[data-study=rotary]"),
        lambda stage: stage.page.locator(".positions canvas:visible").last.press("ArrowRight"),
        lambda stage: click(stage, "[data-study=table]"),
    ],
    "inside": [
        lambda stage: choose(stage, ".inside [data-pick=head]", 1),
        unfold,
        lambda stage: click(stage, ".inside-row tbody tr", 1),  # another key
        lambda stage: click(stage, "[data-inside=way]"),
        lambda stage: click(stage, "[data-tokens=target] [data-index]"),
        lambda stage: click(stage, ".stage-open"),
        lambda stage: click(stage, ".stage-open"),  # and closed again
        lambda stage: click(stage, "[data-inside=cell]"),
        lambda stage: choose(stage, ".inside [data-pick=head]", 0),
        lambda stage: click(stage, "[data-inside-site=cross]"),
        lambda stage: click(stage, "[data-tokens=query] [data-index]"),
    ],
}


def held(stage: Stage) -> dict[str, float]:
    """What is held after a round, which ends on a page that was built anew twice."""
    for room, acts in ROUND.items():
        click(stage, f"[data-open={room}]")
        stage.page.wait_for_function(WAITS)
        for act in acts:
            act(stage)
            stage.page.evaluate(
                f"() => {FRAMES}"
            )  # what a click asks for may be asked in the next frame
            stage.page.wait_for_function(WAITS)
    for _ in ("to Chinese", "and back"):
        click(stage, "[data-tool=language]")
        stage.page.wait_for_function(WAITS)
    return measured(stage)


def test_a_long_visit_holds_no_more_than_a_short_one(visit):
    stage = visit(own=True)  # in which nothing is left of earlier visits
    stage.type_source("Tom loves the old cat.")
    before = held(stage)  # in which every part is shown and every cache is filled
    after = held(stage)
    assert after["Nodes"] <= before["Nodes"] + MOST_NODES
    assert after["JSEventListeners"] <= before["JSEventListeners"] + MOST_NODES
    assert after["JSHeapUsedSize"] <= MOST_HEAP * before["JSHeapUsedSize"]
