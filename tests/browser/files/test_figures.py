"""Plotly's own layout of our figures, as its script draws them: texts apart, the key below."""

import itertools
import json
import re
from pathlib import Path

import numpy as np
import plotly
import pytest

from model_core.values.recipe import Recipe
from viz_app.figures.look import Look
from viz_app.files.content import fill
from viz_app.files.picture import picture

SCRIPT = Path(plotly.__file__).parent / "package_data/plotly.min.js"
# The corners of every text, less what no letter reaches above and below a line; where the maps end.
DRAWN = """async (figure) => {
  const host = document.body.appendChild(document.createElement("div"));
  await Plotly.newPlot(host, figure.data, figure.layout, { staticPlot: true });
  const origin = host.getBoundingClientRect();
  const texts = [...host.querySelectorAll("svg text")].filter((one) => one.textContent.trim());
  const found = texts.map((one) => {
    const { x, y, width, height } = one.getBBox();
    const { a, b, c, d, e, f } = one.getScreenCTM();
    const air = 0.15 * Math.min(height, 20);
    const ends = [[0, air], [width, air], [width, height - air], [0, height - air]];
    return { text: one.textContent, of: one.getAttribute("class"), turned: b,
      along: one.parentNode.getAttribute("class") ?? "",
      corners: ends.map(([right, down]) => [a * (x + right) + c * (y + down) + e - origin.x,
        b * (x + right) + d * (y + down) + f - origin.y]) };
  });
  const axes = Object.entries(host._fullLayout).filter(([name]) => name.startsWith("yaxis"));
  const ends = axes.map(([, { _offset, _length }]) => _offset + _length);
  host.remove();
  return { found, ends };
}"""
SENTENCES = {
    "en": ("en-fr", "The old cat sleeps on the warm roof."),
    "zh": ("zh-en", "我弟弟买了一辆新的红色汽车。"),
}
HATCHED = ("decoder", "scores", "order", "encoder")
UPRIGHT = ("cross", "encoder", "order", "compare")  # words are the labels of columns
# Each figure in one language; two whose columns are words in both: Chinese ones stand upright.
DRAWN_IN = {
    "en": ("positions", "rotary", "output", "spread", "beam", "decoder", "cross", "order"),
    "zh": ("lines", "candidates", "curves", "scores", *UPRIGHT),
}


@pytest.fixture(scope="module")
def drawn(browser, bundled):
    """Gives the texts of a figure and where its maps end."""
    page = browser.new_page(viewport={"width": 2400, "height": 2400})
    page.add_script_tag(path=str(SCRIPT))
    decoded = {
        language: bundled.library.extend(Recipe(model, text, (), 2), None)[0]
        for language, (model, text) in SENTENCES.items()
    }

    def draw(name, language):
        content = fill(bundled.library, decoded[language], picture(name))
        figure = content.figure(Look(language=language))
        found = page.evaluate(DRAWN, json.loads(figure.to_json()))
        size = figure.layout.width, figure.layout.height
        return found["found"], found["ends"], size

    yield draw
    page.close()


def overlap(one_42, other_42):
    """Whether two rectangles, turned or not, share more than a pixel of each direction."""
    for corners_42 in (one_42, other_42):
        for side in np.roll(corners_42, -1, axis=0) - corners_42:
            across = np.array([-side[1], side[0]]) / np.hypot(*side)
            first, second = one_42 @ across, other_42 @ across
            if min(first.max(), second.max()) - max(first.min(), second.min()) < 1:
                return False
    return True


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, language) for language, names in DRAWN_IN.items() for name in names],
)
def test_texts_stand_apart_on_the_figure_and_the_key_below_its_maps(drawn, name, language):
    texts, ends, size = drawn(name, language)
    placed = [(one["text"], np.array(one["corners"])) for one in texts]
    for text, corners_42 in placed:
        assert (corners_42 > -1).all() and (corners_42 < np.array(size) + 1).all(), text
    for (text, one_42), (other, other_42) in itertools.combinations(placed, 2):
        assert not overlap(one_42, other_42), (text, other)
    key = [np.array(one["corners"]) for one in texts if one["of"] == "legendtext"]
    assert bool(key) or name not in HATCHED
    assert all(corners_42[:, 1].min() > max(ends) for corners_42 in key)
    # Chinese columns stand upright, however narrow they are.
    chinese = [one for one in texts if set(one["text"]) & set(SENTENCES["zh"][1])]
    columns = [one for one in chinese if re.fullmatch(r"x\d*tick", one["along"])]
    assert all(one["turned"] == 0 for one in columns)
    assert columns or language == "en" or name not in UPRIGHT
