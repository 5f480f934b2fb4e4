import itertools
import math

import numpy as np
import pytest

from model_core.errors import RecipeError
from model_core.studies.batch import translate_batch
from model_core.studies.steps import study_passes
from tests.model_core.studies.sentences import SENTENCES, variant_tracer
from tests.variants import few_variants


@few_variants
def test_one_pass_and_many_steps_are_equal_in_float64(tracer, variant):
    tracer = variant_tracer(tracer, variant)
    batch = translate_batch(tracer, SENTENCES)
    for shown, site in itertools.product(range(len(batch)), ("decoder", "cross")):
        passes = study_passes(tracer.model, tracer.evaluate(batch.recipes[shown]), site)
        np.testing.assert_allclose(np.stack(passes.once), np.stack(passes.stepped), atol=1e-12)
        assert max(passes.scores_apart, passes.log_probabilities_apart) < 1e-9
        assert passes.weights_apart < 1e-12
        np.testing.assert_allclose(
            passes.once_probability_T, passes.stepped_probability_T, atol=1e-12
        )


def test_the_largest_difference_is_over_every_layer_of_both_attentions(tracer, batch):
    decoding = tracer.evaluate(batch.recipes[0])
    shown = [study_passes(tracer.model, decoding, site) for site in ("decoder", "cross")]
    largest = max(float(np.abs(np.stack(p.once) - np.stack(p.stepped)).max()) for p in shown)
    assert {p.weights_apart for p in shown} == {largest}


def test_the_probabilities_beside_the_passes_are_those_of_the_predicted_tokens(tracer):
    batch = translate_batch(tracer, SENTENCES)
    decoding = tracer.evaluate(batch.recipes[0])
    passes = study_passes(tracer.model, decoding, "decoder")
    for t, token in enumerate(passes.predicted.ids):
        expected = math.exp(decoding.steps[t].log_probabilities_V[token])
        assert passes.stepped_probability_T[t] == pytest.approx(expected)


def test_the_encoder_has_no_steps_to_compare(tracer, batch):
    with pytest.raises(RecipeError, match="decoder or cross"):
        study_passes(tracer.model, tracer.evaluate(batch.recipes[0]), "encoder")
