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
RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .map(({ id, nodes }) => [id, nodes.map(({ target, any }) =>
        [target.join(" "), ...any.map(({ message }) => message)])])"""


@pytest.fixture(scope="module")
def axe():
    fetch()
    return (PACKAGES / "axe-core/axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("window", "scheme", "locale"),
    [(WIDE, "light", "en-US"), (PHONE, "dark", "zh-CN")],
)
def test_axe_finds_nothing_in_any_room(visit, axe, window, scheme, locale):
    stage = visit(window, scheme, locale=locale)
    stage.page.evaluate(axe)
    found = {}
    for name in rooms_of(stage):
        room(stage, name)
        stage.page.wait_for_function(STILL)
        found |= {f"{name}: {rule}": places for rule, places in stage.page.evaluate(RUN)}
        for view in VIEWS.get(name, ()):
            stage.page.locator(view).first.click()
            stage.drawn(READY)
            stage.page.wait_for_function(STILL)
            found |= {f"{view}: {rule}": places for rule, places in stage.page.evaluate(RUN)}
    assert found == {}
