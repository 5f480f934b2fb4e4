"""What the page says that a head looks at on a sentence is what the model's weights say."""

import unicodedata

import numpy as np
import pytest

from model_core.values.recipe import Recipe
from tests.answered import answered
from tests.javascript.running import run_module

SENTENCE = "My brother, who is a teacher, bought a new red car, a book and a hat."
SCRIPT = """
import { habitsOf, measureOf, measuresOf, mostFocused }
  from "./viz_app/stage/run/habits.js";
import { mergeRun } from "./viz_app/stage/run/run.js";

const { payload, anatomy } = given;
const run = mergeRun(null, payload, { anatomy });
console.log(JSON.stringify(Object.fromEntries(anatomy.sites.map(({ site }) =>
  [site, { focused: mostFocused(run, site), measures: habitsOf(run, site).map((heads) =>
    heads.map((habit) => Object.fromEntries(measuresOf(site).map((name) =>
      [name, measureOf(habit, name)])))) }]))));
"""


def is_mark(text):
    text = text.strip()
    return text != "" and all(unicodedata.category(letter).startswith("P") for letter in text)


def measures(trace, site, head):
    """The shares of every place, the mean largest weight and the mean entropy, with numpy."""
    weights_QK, mask_QK = trace.weights_HQK[head].astype(float), trace.mask_QK
    Q, K = weights_QK.shape
    rows, columns = np.indices((Q, K))
    last = max(k for k in range(K) if trace.keys.kinds[k] == "special")
    marks_K = np.array([is_mark(text) for text in trace.keys.texts[:K]])
    marks_K &= np.array(trace.keys.kinds[:K]) == "text"
    there = {
        "encoder": {
            "previous": columns == rows - 1,
            "itself": columns == rows,
            "next": columns == rows + 1,
            "first": columns == 0,
            "end": columns == last,
        },
        "decoder": {
            "previous": columns == rows - 1,
            "itself": columns == rows,
            "start": columns == 0,
        },
        "cross": {
            "diagonal": abs(columns - rows * last / max(1, Q - 1)) <= 1,
            "first": columns == 0,
            "end": columns == last,
        },
    }[site]
    choice_Q = mask_QK.sum(1) > 1
    shares = {}
    for name, place_QK in {**there, "marks": np.tile(marks_K, (Q, 1))}.items():
        place_QK = place_QK & mask_QK & choice_Q[:, None]
        has_Q = place_QK.any(1)
        shares[name] = (weights_QK * place_QK).sum(1)[has_Q].mean() if has_Q.any() else 0.0
    entropy_Q = -(weights_QK * np.log2(np.where(weights_QK > 0, weights_QK, 1))).sum(1)
    return shares, weights_QK.max(1)[choice_Q].mean(), entropy_Q.mean()


@pytest.mark.parametrize("text", [SENTENCE, "The cat sleeps."])
def test_what_heads_can_be_sorted_by_is_what_the_models_weights_say(bundled, text):
    recipe = {"model": "en-fr", "source": text}
    payload = answered(bundled, {"recipe": recipe, "extend": "end"})
    (anatomy,) = (one["anatomy"] for one in bundled.models if one["name"] == "en-fr")
    told = run_module(SCRIPT, {"payload": payload, "anatomy": anatomy})
    decoding = bundled.library.extend(Recipe.from_json(payload["recipe"]), 0)[1]
    sites = ("encoder", "decoder", "cross")
    assert [*told] == [*sites]
    for site in sites:
        layers = range(decoding.layers(site))
        known = {}
        for layer, head in np.ndindex(len(layers), 8):
            shares, largest, entropy = measures(decoding.trace(site, layer), site, head)
            known[layer, head] = {**shares, "largest": largest, "entropy": entropy}
            found = told[site]["measures"][layer][head]
            assert found == pytest.approx(known[layer, head], abs=1e-5), (site, layer, head)
        best = min(known, key=lambda at: known[at]["entropy"])
        assert tuple(told[site]["focused"].values()) == best
