"""Every room under the rules of axe: the WCAG's, and what is best practice beside them."""

import pytest

from tests.browser.conftest import PHONE, WIDE
from tests.browser.walks import READY, room, rooms_of
from tests.javascript.__main__ import PACKAGES, fetch

# The other views of rooms that have some.
VIEWS = {
    "masks": ("[data-masks-causal='causal-mask:none']", "[data-masks=passes]"),
    "positions": ("[data-study=sum]", "[data-study=order]", "[data-study=rotary]"),
    "inside": ("[data-inside=way]", "[data-inside=spread]", "[data-inside=norms]"),
    "heads": ("[data-heads=scatter]", "[data-heads=table]", "[data-heads=here]"),
    "compare": ("[data-numbers=path]",),
}
# Once nothing is dimmed until its answer arrives, and nothing fades.
STILL = """() => !document.querySelector(".slow, .waiting, .old")
    && document.getAnimations().every(({ playState }) => playState !== "running")"""
# The rules that look at a whole page see it once, on the first screen; a room is seen by itself.
RUN = """async (within) => (await axe.run(document.querySelector(within) ?? document,
    { resultTypes: ["violations"] })).violations
    .map(({ id, nodes }) => [id, nodes.map(({ target, any }) =>
        [target.join(" "), ...any.map(({ message }) => message)])])"""
# Of what can be pressed or selected, whether it is.
SAID = """() => [...document.querySelectorAll("[aria-pressed], [aria-selected]")]
    .map((one) => one.getAttribute("aria-pressed") ?? one.getAttribute("aria-selected"))"""


@pytest.fixture(scope="module")
def axe():
    fetch()
    return (PACKAGES / "axe-core/axe.min.js").read_text(encoding="utf-8")


def faults(stage, within):
    stage.page.wait_for_function(STILL)
    assert set(stage.page.evaluate(SAID)) == {"true", "false"}
    return stage.page.evaluate(RUN, within)


@pytest.mark.parametrize(
    ("turn", "window", "scheme", "locale"),
    [(0, WIDE, "light", "en-US"), (1, PHONE, "dark", "zh-CN")],
)
def test_axe_finds_nothing_in_any_room(visit, axe, pytestconfig, turn, window, scheme, locale):
    """Every part of every room is seen by one of the two, and by both with --whole."""
    stage = visit(window, scheme, locale=locale)
    stage.page.evaluate(axe)
    first, *others = rooms_of(stage)
    found = {f"the page, with {first}": faults(stage, "html")}
    acts = ("[data-tool=card]", "[data-act=walk]")
    for act in acts if pytestconfig.getoption("--whole") else acts[turn::2]:
        stage.page.locator(act).click()
        found[act] = faults(stage, "html")
        stage.page.keyboard.press("Escape")
    parts = [(name, view) for name in others for view in (None, *VIEWS.get(name, ()))]
    for name, view in parts if pytestconfig.getoption("--whole") else parts[turn::2]:
        if stage.drawn()["room"] != name:
            room(stage, name)
        if view:
            stage.page.locator(view).first.click()
            stage.drawn(READY)
        found[f"{name} {view or ''}"] = faults(stage, ".room:not([hidden])")
    assert {part: wrong for part, wrong in found.items() if wrong} == {}
