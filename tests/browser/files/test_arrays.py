"""Weights without a model, saved as a page and read back from what it draws and prints."""

from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.files.test_picture import DRAW, SLIDE, SVG, texts_of
from tests.viz_app.files.test_arrays import weights
from viz_app import show

TEXTS = "() => [...document.querySelectorAll('table.weights tbody td')].map((td) => td.textContent)"
LABELS = [
    "<img src=x onerror=alert(1)>",
    "</script>",
    "猫",
    "a\u202eb",
    " ",
    "<b>bold</b>",
    "&amp;",
    "]]>",
    "</text><script>alert(1)</script>",
    "'\"\x07",
]


@pytest.fixture
def saved(open_file, tmp_path):
    def open_saved(**kwargs):
        path = show(**kwargs).save(tmp_path / "saved.html")
        return open_file(path.read_text(encoding="utf-8"))

    return open_saved


def assert_heads_are(stage, site, weights_LHQK):
    """Every head of a site is drawn to the last bit, and printed to three digits in the table."""
    L, H = weights_LHQK.shape[:2]
    for layer in range(L):
        for head in range(H):
            drawn = stage.lock(layer, head)
            assert (drawn["site"], drawn["layer"], drawn["head"]) == (site, layer, head)
            hidden_QK = np.array(drawn["masks"]) != None  # noqa: E711
            read_QK = np.array(
                [[0 if one is None else one for one in row] for row in drawn["weights"]]
            )
            given_QK = weights_LHQK[layer, head].astype(np.float64)
            assert np.array_equal(read_QK, np.where(hidden_QK, 0, given_QK))
            assert not given_QK[hidden_QK].any()
            printed = [
                "\N{EN DASH}" if hid else f"{number:.3f}".replace("-", "−")
                for hid, number in zip(hidden_QK.flat, given_QK.flat, strict=True)
            ]
            assert stage.page.evaluate(TEXTS) == printed


def test_every_number_is_the_given_one_labels_are_text_and_nothing_needs_a_model(saved, open_file):
    sites = {
        "encoder": weights(2, 2, 6, 6),
        "decoder": weights(3, 2, 4, 4, seed=1),  # looks ahead: nothing hides it
        "cross": weights(3, 4, 4, 6, seed=2),
    }
    stage = saved(**sites, drawing="table")
    for site, given in sites.items():
        stage.choose("site", site)
        assert_heads_are(stage, site, given)

    odd = weights(1, 1, 3, 4).astype(np.float16)
    odd[0, 0, 1] = [1.5, -0.25, 0, 0]
    with pytest.warns(UserWarning, match="cross"):
        stage = saved(cross=odd, drawing="table")
    assert_heads_are(stage, "cross", odd)
    made = stage.page.inner_text(".made")
    assert "without their model" in made and "do not sum to 1" in made and "below 0" in made

    # A causal site hides what comes later, and fits a phone in Chinese.
    causal = np.tril(weights(1, 2, 9, 9))
    causal /= causal.sum(-1, keepdims=True)
    stage = open_file(show(attention=causal, drawing="table", language="zh").html, window=PHONE)
    drawn = stage.drawn()
    assert drawn["row_title"].startswith("查询") and drawn["masks"][0] == [None, *["future"] * 8]
    assert_heads_are(stage, "decoder", causal)
    assert stage.page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    expect(stage.page.locator("[data-thumb]").first).to_be_hidden()

    # Labels are text, and nothing is offered that needs a model.
    given = weights(1, 2, 3, len(LABELS))
    stage = saved(cross=given, rows=LABELS[:3], columns=LABELS, name="<i>&")
    drawn = stage.drawn()
    assert drawn["steps"] == 0 and drawn["candidates"] == [] and drawn["outlined_row"] is None
    assert (drawn["row_title"], drawn["column_title"]) == ("queries: target", "keys: source")
    for part in (".playback", ".candidates", ".source-box", ".look-inside", ".plan"):
        expect(stage.page.locator(part).first).to_be_hidden()
    for key in ("ArrowRight", "Home", "End", "Enter", " ", "1"):
        stage.page.keyboard.press(key)
    assert stage.drawn()["weights"] == drawn["weights"]
    assert stage.page.locator(".strip-target .token").all_inner_texts()[1] == "</script>"
    assert not stage.page.locator(".stage img").count()
    stage.page.hover(".strip-target .token >> nth=2")
    assert "猫" in stage.drawn()["reading"]
    stage.page.hover(".strip-source .token >> nth=1")
    assert "</script>" in stage.drawn()["reading"]
    for name in ("cross", "lines", "heads"):  # in pictures too
        svg = stage.page.evaluate(DRAW, [name, SLIDE])["svg"]
        tags = {node.tag.removeprefix(SVG) for node in ElementTree.fromstring(svg).iter()}
        assert not {"script", "b", "i", "img"} & tags
        if name != "heads":
            texts = {text.strip() for text in texts_of(svg)}
            assert {"</script>", "<b>bold</b>", "&amp;", "]]>"} <= texts
