import json

import numpy as np
import pytest

from model_core.decoding.tracer import Tracer
from model_core.models.own import OwnModel
from model_core.values.decoding_file import decoding_arrays, write_json, write_npz
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES
from tests.made_up import MadeUp

NAMES = ("q_HQE", "k_HKE", "v_HKE", "scores_HQK", "mask_QK", "weights_HQK")


@pytest.fixture(scope="module")
def decoded(tiny):
    tracer = Tracer(OwnModel(tiny))
    recipe, decoding = tracer.extend(Recipe("tiny", "The é cat 👧", pads=1), 5)
    return recipe, decoding, tracer.text(decoding)


def read(path):
    """Labels and arrays of a file, whichever kind it is."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        return json.loads(str(arrays.pop("labels"))), arrays
    labels = json.loads(path.read_text(encoding="utf-8"))
    arrays = {name: np.array(values) for name, values in labels.pop("arrays").items()}
    return labels, arrays


@pytest.mark.parametrize(("write", "name"), [(write_json, "d.json"), (write_npz, "d.npz")])
def test_a_file_holds_every_array_of_every_trace_bit_for_bit(decoded, tmp_path, write, name):
    recipe, decoding, text = decoded
    write(tmp_path / name, recipe, decoding, text)
    _, arrays = read(tmp_path / name)
    layers = {"encoder": 2, "decoder": 3, "cross": 3}
    assert len(arrays) == sum(layers.values()) * len(NAMES) + 1
    for site in SITES:
        for layer in range(layers[site]):
            trace = decoding.trace(site, layer)
            for array in NAMES:
                stored = arrays[f"{site}.{layer + 1}.{array}"]
                assert np.array_equal(
                    stored.astype(getattr(trace, array).dtype), getattr(trace, array)
                )
    steps_TV = np.stack([step.log_probabilities_V for step in decoding.steps])
    assert np.array_equal(arrays["log_probabilities_TV"].astype(np.float32), steps_TV)


@pytest.mark.parametrize(("write", "name"), [(write_json, "d.json"), (write_npz, "d.npz")])
def test_a_file_says_what_its_rows_and_columns_are(decoded, tmp_path, write, name):
    recipe, decoding, text = decoded
    write(tmp_path / name, recipe, decoding, text)
    labels, _ = read(tmp_path / name)
    assert Recipe.from_json(labels["recipe"]) == recipe
    assert labels["text"] == text and labels["finished"] == decoding.finished
    for side in ("source", "target"):
        tokens = getattr(decoding, side)
        assert tuple(labels[side]["pieces"]) == tokens.pieces
        assert tuple(labels[side]["kinds"]) == tokens.kinds
        spans = [span and tuple(span) for span in labels[side]["spans"]]
        assert tuple(spans) == tokens.spans
    assert [chosen["token"] for chosen in labels["chosen"]] == list(recipe.target_ids)
    assert all(chosen["log_probability"] < 0 for chosen in labels["chosen"])


def test_names_of_arrays_count_layers_from_one(decoded):
    names = decoding_arrays(decoded[1])
    assert "encoder.1.weights_HQK" in names and "encoder.0.weights_HQK" not in names


@pytest.mark.parametrize("kind", ["encoder", "decoder", "encoder-decoder"])
def test_the_sites_and_the_bias_that_a_model_has_are_all_there(kind, tmp_path):
    tracer = Tracer(MadeUp(kind, biased=True))
    recipe, decoding = tracer.extend(Recipe(tracer.model.name, "the old cat"), 2)
    write_npz(tmp_path / "d.npz", recipe, decoding, tracer.text(decoding))
    _, arrays = read(tmp_path / "d.npz")
    sites = {one.site for one in tracer.anatomy.sites}
    assert {name.partition(".")[0] for name in arrays} - {"log_probabilities_TV"} == sites
    assert ("log_probabilities_TV" in arrays) == (kind != "encoder")
    for site in sites:
        assert np.array_equal(arrays[f"{site}.1.bias_HQK"], decoding.trace(site, 0).bias_HQK)
