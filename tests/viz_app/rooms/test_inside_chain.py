"""What the room Inside a head prints of a cell adds up, whatever makes the scores of a model."""

import re

import numpy as np
import pytest

from model_core.studies.head import study_head
from model_core.values.recipe import Recipe
from tests.javascript.running import run_module
from tests.tiny import tiny_checkpoint
from tests.variants import VARIANTS
from viz_app.server.service import Service
from viz_app.text import WORDS

SOURCE = "The old cat."
CHOSEN = [{"token": token, "how": "forced"} for token in (5, 9, 40)]
DIMENSION = 2  # of the head and of the model, whose numbers are printed
PLACES = [
    {"site": site, "layer": layer, "head": head, "query": query, "key": key}
    for site, layer, head, query, key in (
        *(("encoder", 0, 1, 1, 0), ("decoder", 1, 1, 1, 3)),  # a later token is masked
        *(("decoder", 1, 0, 2, 1), ("cross", 2, 3, 2, 1)),
    )
]
ROW = ("site", "layer", "head", "query")
SCRIPT = """
import { insideStudy } from "./viz_app/rooms/inside/chain/chain.js";
import {
  insideProduct, insideResidual, insideSoftmax,
} from "./viz_app/rooms/inside/chain/panels.js";
import { insideStages } from "./viz_app/rooms/inside/stages.js";
import { exactNumber } from "./viz_app/stage/draw/numbers.js";
import { readerOf } from "./viz_app/stage/page/words.js";

const { words, cells, ways, at } = given;
const t = readerOf(words, "en");
const said = ({ formula, lines }) => ({ formula, lines: lines(exactNumber, true), at });
console.log(JSON.stringify({
  cells: cells.map(([answer, key]) => {
    const study = insideStudy(answer);
    const labels = { keys: answer.keys.texts.map((label) => ({ label, kind: "text" })) };
    const of = { t, study, labels, key, e: at, d: at };
    const product = insideProduct(of);
    const values = product.rows.map((row) => [...row.values]);
    return { product: { ...said(product.say), values },
      softmax: said(insideSoftmax(of)), residual: said(insideResidual(of).say) };
  }),
  positions: ways.map((answer) => t(insideStages(insideStudy(answer), t)[1].title)),
}));
"""


def number(text):
    return float(text.replace("−", "-").replace("∞", "inf"))


def assert_lines_add_up(study, panels, key):
    """What the lines say with all digits, as a reader with a pocket calculator would check it."""
    products_E = np.array(panels["product"]["values"][-1], np.float32)
    one, total, own = panels["product"]["lines"]
    e = panels["product"]["at"]
    factor, other = (number(part) for part in one.split(": ")[1].split(" = ")[0].split(" × "))
    assert np.float32(factor) * np.float32(other) == products_E[e]
    assert number(one.split(" = ")[1]) == pytest.approx(products_E[e], rel=1e-6)
    printed_sum = number(total.split(": ")[1].split(";")[0])
    assert np.float32(printed_sum) == np.cumsum(products_E)[-1] == study.sums_K[key]
    assert np.float32(number(own.split(" in the model")[0])) == study.scores_K[key]
    scaled = np.float32(study.sums_K[key] / np.float32(study.divisor))
    assert ("the same number" in own) == (scaled == study.scores_K[key])
    rounding = len(products_E) * np.finfo(np.float32).eps * np.abs(products_E).sum()
    assert abs(float(scaled) - float(study.scores_K[key])) <= rounding
    if study.allowed_K[key] and "largest" not in panels["softmax"]["lines"][0]:
        divided, own, _ = panels["softmax"]["lines"]
        parts = (*re.split(" = |;  ÷ sum ", divided)[-3:], own.split(" in the model")[0])
        exponential, total, quotient, weight = (np.float32(number(part)) for part in parts)
        assert exponential == study.exponentials_K[key] and weight == study.weights_K[key]
        assert exponential / total == quotient == pytest.approx(weight, rel=1e-6)
        assert ("the same number" in own) == (quotient == weight)
    d = panels["residual"]["at"]
    added, passed = panels["residual"]["lines"][0].split(": ")[1].split(" = ")
    x, made = (np.float32(number(part)) for part in added.split(" + "))
    assert x + made == np.float32(number(passed)) == study.sublayer.sum_D[d]


NAMES = ("dot", "additive", "hard-bilinear-rotary", "joined-heads-scalar-norm", "scaled")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    variants = {name: VARIANTS.get(name, {}) for name in NAMES}
    variants["joined-heads-scalar-norm"] = VARIANTS["joined-heads"] | VARIANTS["scalar-norm"]
    for name, changes in variants.items():
        tiny_checkpoint(root / name, 3, max_positions=64, **changes)
    return Service(root)


@pytest.fixture(scope="module")
def said(service):
    """By model what the page says of each of PLACES, and of the position of a token."""

    def ask(name, **question):
        recipe = {"model": name, "source": SOURCE, "target": CHOSEN}
        answer = service.answer({"room": "inside", "recipe": recipe} | question)
        assert "error" not in answer, answer
        return answer

    cells = [
        (ask(name, view="cell", **{part: place[part] for part in ROW}), place["key"])
        for name in NAMES
        for place in PLACES
    ]
    ways = [ask(name, view="way", side="source", position=1) for name in NAMES]
    given = {"words": {"en": WORDS["en"]}, "cells": cells, "ways": ways, "at": DIMENSION}
    found = run_module(SCRIPT, given)
    each = len(PLACES)
    return {
        name: (found["cells"][each * i : each * (i + 1)], found["positions"][i])
        for i, name in enumerate(NAMES)
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_similarity_and_hard_attention_add_up(service, said, name):
    panels, position = said[name]
    recipe = Recipe.from_json({"model": name, "source": SOURCE, "target": CHOSEN})
    model, decoding = service.library.tracer(name).model, service.library.extend(recipe, 0)[1]
    for place, shown in zip(PLACES, panels, strict=True):
        key = place["key"]
        study = study_head(model, decoding, *(place[part] for part in ROW))
        assert_lines_add_up(study, shown, key)
        formula = shown["product"]["formula"]
        assert ("tanh" in formula, "W" in formula) == (name == "additive", "bilinear" in name)
        assert ("√dₖ" in formula) == (study.divisor != 1) and "√d_m" not in formula
        said_of_mask = "masked" in shown["softmax"]["lines"][0]
        assert said_of_mask == (not study.allowed_K[key])
        if "hard" in name and study.allowed_K[key]:
            assert set(study.weights_K.tolist()) == {0, 1}
            assert "largest" in shown["softmax"]["lines"][0]
    assert ("adds nothing" in position) == ("rotary" in name)
