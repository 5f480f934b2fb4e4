"""What holds of a page wherever a walk has led, and what visitors type."""

import json

import numpy as np

from model_core.values.words import by_words

HOSTILE = [
    "<img src=x onerror=alert(1)> </script><script>alert(2)</script>",
    "</s> <s> <pad> </s>",
    "the the the the cat cat",
    "😀 👩‍👩‍👧‍👦 ok 👍🏽",
    "猫在屋顶上睡觉。",
    "القط ينام على السطح",
    "&lt;b&gt; \"quotes\" 'single' `back` ${x} {{y}}",
]

# Where on the screen something stands.
PLACES = {"box", "boxes", "first_cell", "scrolled", "pitch", "tops"}


def without_places(shown):
    """What a part of the page says and draws, less where it stands."""
    if isinstance(shown, dict):
        return {name: without_places(value) for name, value in shown.items() if name not in PLACES}
    return [without_places(value) for value in shown] if isinstance(shown, list) else shown


def assert_drawn_is_the_models(drawn, decoding):
    """The large map, cell by cell, against model_core; labels and masks too."""
    site = drawn["site"]
    upto = drawn["at"] + 1 if drawn["stepping"] and site != "encoder" else None
    trace = decoding.trace(site, drawn["layer"], upto)
    if drawn["by"] == "words":
        trace = by_words(decoding, site, written=True).trace(trace)
    weights_QK = np.array(
        [[np.nan if w is None else w for w in row] for row in drawn["weights"]], dtype=float
    )
    Q, K = len(trace.queries), len(trace.keys)
    assert len(weights_QK) == len(drawn["row_labels"]) == Q
    expected_QK = np.where(trace.mask_QK, trace.weights_HQK[drawn["head"]], np.nan)
    if drawn["by"] == "words":
        np.testing.assert_allclose(weights_QK[:Q, :K], expected_QK, atol=1e-7)
    else:
        np.testing.assert_array_equal(weights_QK[:Q, :K], expected_QK)
    assert np.isnan(weights_QK[:, K:]).all()  # keys that are not there yet


# Presses every small map in turn, and tells each time what the large one shows.
EVERY_HEAD = """async () => {
    const seen = [];
    for (const small of document.querySelectorAll(".head[data-layer]")) {
        small.click();
        await new Promise(requestAnimationFrame);
        const { site, layer, head, at, stepping, row_labels, weights, by } =
            document.querySelector(".stage-host").stage.drawn();
        seen.push({ site, layer, head, at, stepping, row_labels, weights, by });
    }
    return JSON.stringify(seen);
}"""


def assert_every_head_is_the_models(stage, decoding):
    for site in ("encoder", "decoder", "cross"):
        stage.choose("site", site)
        every = json.loads(stage.page.evaluate(EVERY_HEAD))
        heads = len(decoding.trace(site, 0).weights_HQK)
        assert len(every) == heads * decoding.layers(site)
        for number, drawn in enumerate(every):
            assert (drawn["site"], drawn["layer"], drawn["head"]) == (site, *divmod(number, heads))
            assert_drawn_is_the_models(drawn, decoding)


def hover_label(canvas, text):
    """Point at the label on the right of a map's lines: where it is, its title says."""
    box = canvas.bounding_box()
    for y in range(8, int(box["height"]), 10):
        canvas.hover(position={"x": box["width"] - 6, "y": y})
        if canvas.get_attribute("title") == text:
            return
    raise AssertionError(f"no label {text}")


def assert_nothing_sticks_out(stage):
    over = stage.page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert over <= 0


def assert_scheme(stage, scheme):
    used = "() => getComputedStyle(document.querySelector('.stage')).colorScheme"
    assert stage.page.evaluate(used) == scheme
