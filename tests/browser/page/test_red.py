"""Red means the present step and nothing else, in a real Chromium."""

from tests.browser.walks import drawn
from viz_app.values.colours import COLOURS

# The pixels of the canvases in view that have exactly one colour.
PIXELS = """(colour) => {
    const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    let found = 0;
    for (const canvas of document.querySelectorAll(".room:not([hidden]) canvas")) {
        if (!canvas.getClientRects().length || !canvas.width || !canvas.height) continue;
        const { data } = canvas.getContext("2d")
            .getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4) {
            found += wanted.every((part, i) => data[at + i] === part) ? 1 : 0;
        }
    }
    return found;
}"""


def pixels(stage, name):
    drawn(stage)
    return stage.page.evaluate(PIXELS, COLOURS["light"][name])


def test_the_present_step_is_red_in_the_maps(visit):
    assert pixels(visit(), "accent") > 100
