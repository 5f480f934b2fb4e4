import base64
import dataclasses
import json

import numpy as np
import pytest

from model_core.decoding.tracer import Tracer
from model_core.values.recipe import Recipe
from tests.answered import floats
from tests.large import Large
from tests.made_up import MadeUp
from viz_app.limits import LOCAL
from viz_app.rooms.translate import summary
from viz_app.rooms.translate.payload import payload
from viz_app.server.service import Service

KINDS = ("encoder-decoder", "decoder", "encoder")
TEXT = "the old cat sleeps , and I see"


@pytest.fixture(params=KINDS)
def decoded(request):
    model = MadeUp(request.param)
    recipe, decoding = Tracer(model).extend(Recipe(model.name, TEXT, pads=2), 4)
    return model, recipe, decoding


@pytest.fixture
def on_demand(monkeypatch):
    monkeypatch.setattr(summary, "MOST_AT_ONCE", 0)


def test_a_small_decoding_comes_whole_and_a_large_one_as_pictures(decoded, monkeypatch):
    model, recipe, decoding = decoded
    whole = payload(recipe, decoding, model)
    assert all("data" in site for site in whole["attention"].values())
    monkeypatch.setattr(summary, "MOST_AT_ONCE", 0)
    for have in (0, len(decoding.steps)):
        summed = payload(recipe, decoding, model, have)
        assert all("small" in site for site in summed["attention"].values())
    assert payload(recipe, decoding, model, whole=True) == whole


def test_the_rows_of_a_head_are_its_float32_rows(decoded):
    model, _, decoding = decoded
    for site in model.anatomy.sites:
        for head in range(site.heads):
            rows = summary.head_rows(site, decoding, 1, head)
            wanted_QK = decoding.trace(site.site, 1).weights_HQK[head]
            if not site.causal:
                assert np.array_equal(rows.reshape(wanted_QK.shape), wanted_QK)
                continue
            for t in range(len(wanted_QK)):
                row = rows[t * (t + 1) // 2 : (t + 1) * (t + 2) // 2]
                assert np.array_equal(row, wanted_QK[t, : t + 1])
                assert (wanted_QK[t, t + 1 :] == 0).all()


def test_a_small_picture_is_the_weights_in_8_bits(decoded):
    model, _, decoding = decoded
    for site in model.anatomy.sites:
        made = summary.summary(site, decoding)
        small = np.frombuffer(base64.b64decode(made["small"]), np.uint8).reshape(made["shape"])
        for layer in range(site.layers):
            weights_HQK = decoding.trace(site.site, layer).weights_HQK
            assert np.abs(small[layer] / 255 - weights_HQK).max() <= 0.5 / 255 + 1e-6


def test_a_cell_of_a_picture_that_stands_for_many_is_the_largest_of_them():
    model = Large(1, 2, 120)
    decoding = model.start(model.source(" ".join(["cat"] * 119))).decoding
    made = summary.summary(model.anatomy.sites[0], decoding)
    assert made["shape"] == [1, 2, summary.SIDE, summary.SIDE]
    small = np.frombuffer(base64.b64decode(made["small"]), np.uint8).reshape(made["shape"])
    weights_HQK = decoding.trace("decoder", 0).weights_HQK
    starts = [at * 120 // summary.SIDE for at in range(summary.SIDE)] + [120]
    for h, w in ((0, 0), (47, 47), (20, 5), (5, 20)):
        block = weights_HQK[:, starts[h] : starts[h + 1], starts[w] : starts[w + 1]]
        assert np.array_equal(small[0, :, h, w], np.rint(255 * block.max(axis=(1, 2))))


def test_the_page_of_a_large_model_gets_little_and_asks_for_a_head(tmp_path):
    service = Service(tmp_path)
    service.add(Large(6, 8, 256))
    recipe = {"model": "large", "source": " ".join(["a"] * 255)}
    answer = service.answer({"recipe": recipe, "extend": 0})
    rows = 6 * 8 * 256 * 257 // 2 * 4
    assert len(json.dumps(answer)) < rows / 8
    asked = {"room": "translate", "recipe": recipe, "site": "decoder", "layer": 3, "head": 5}
    head = service.answer(asked)
    assert floats(head["rows"]).shape == (256 * 257 // 2,)
    beyond = service.answer(asked | {"head": 8})
    assert beyond["error"]["code"] == "place"


def test_a_page_without_a_server_has_every_row(on_demand, decoded):
    model, recipe, decoding = decoded
    sent = payload(recipe, decoding, model, whole=True)["attention"]
    assert all("data" in site for site in sent.values())


def test_a_text_whose_attention_takes_too_much_is_refused_before_it_is_decoded(tmp_path):
    model = Large(6, 8, 256)
    service = Service(tmp_path, dataclasses.replace(LOCAL, attention_bytes=10 * 2**20))
    service.add(model)
    recipe = {"model": "large", "source": " ".join(["a"] * 255)}
    model.start = None  # is never asked
    refused = service.answer({"recipe": recipe, "extend": 0})["error"]
    assert refused["code"] == "limit_attention"
    size = 9 * 6 * 8 * 256 * 256 // 2 // 2**20
    assert refused["values"] == {"tokens": 256, "n": size, "limit": 10}
    assert "Shorten" in refused["message"]
