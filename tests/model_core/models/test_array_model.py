"""Weights without their model: what is known of them, and that nothing runs."""

import numpy as np
import pytest

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.array_model import ArrayModel
from model_core.values.decoding_file import decoding_arrays
from model_core.values.recipe import Choice, Recipe, Strategy


def given():
    even = np.full((2, 3, 4, 5), 0.2, np.float32)
    causal = np.tril(np.ones((1, 3, 4, 4), np.float32))
    labels = {"source": list("vwxyz"), "target": list("abcd")}
    return ArrayModel("mine", {"cross": even, "decoder": causal}, labels)


def test_its_anatomy_says_what_there_is():
    anatomy = given().anatomy
    assert [(one.site, one.layers, one.causal) for one in anatomy.sites] == [
        ("decoder", 1, True),
        ("cross", 2, False),
    ]
    assert not anatomy.predicts and not anatomy.is_stepped("cross")
    assert anatomy.to_json()["predicts"] is False


def test_its_rows_are_all_there_and_no_steps():
    recipe, decoding = Tracer(given()).extend(Recipe("mine", ""), None)
    assert recipe.target == () and decoding.steps == () and decoding.log_probabilities == ()
    assert (decoding.layers("encoder"), decoding.layers("decoder"), decoding.layers("cross")) == (
        *(0, 1, 2),
    )
    trace = decoding.trace("cross", 1)
    assert trace.is_bare and np.isnan(trace.scores_HQK).all() and trace.weights_HQK.min() > 0
    assert trace.queries.texts == tuple("abcd") and trace.keys.texts == tuple("vwxyz")
    assert (decoding.trace("decoder", 0).mask_QK == np.tri(4, dtype=bool)).all()
    assert {name.split(".")[-1] for name in decoding_arrays(decoding)} == {"mask_QK", "weights_HQK"}


def test_however_many_texts_are_sent_the_weights_are_there_once():
    tracer = Tracer(given())
    one, other = (tracer.evaluate(Recipe("mine", text)) for text in ("one", "other"))
    assert one is other and tracer.cache.nbytes == 0


def test_nothing_runs():
    model = given()
    state = model.start(model.source())
    for run in (
        lambda: model.advance(state, 0),
        lambda: model.hypotheses(state),
        lambda: model.full_pass([[0]], [[0]]),
        lambda: model.target("a"),
        lambda: Tracer(model).evaluate(Recipe("mine", "", (Choice(0),))),
        lambda: Tracer(model).extend(Recipe("mine", "", strategy=Strategy("beam")), 1, force=0),
    ):
        with pytest.raises(RecipeError, match="came without their model"):
            run()


def test_other_weights_have_another_fingerprint():
    weights = np.full((1, 1, 2, 2), 0.5, np.float32)
    labels = {"source": ["a", "b"]}
    prints = {ArrayModel("m", {"encoder": w}, labels).fingerprint for w in (weights, weights * 0.5)}
    assert len(prints) == 2 and all(len(one) == 8 for one in prints)
