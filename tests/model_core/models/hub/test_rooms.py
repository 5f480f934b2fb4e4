"""The room Masks on models of `transformers`, of each kind."""

import numpy as np
import pytest

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.hub.families import FAMILIES
from model_core.studies.batch import translate_batch
from model_core.studies.masks import Breaks, study_masks
from tests.model_core.models.hub.test_model import TEXTS, model_of


@pytest.mark.parametrize("name", FAMILIES)
def test_the_masks_of_a_batch_are_those_that_each_sentence_has_alone(name):
    _, model = model_of(name)
    tracer = Tracer(model, most_steps=5)
    batch = translate_batch(tracer, TEXTS)
    for one in model.anatomy.sites:
        for shown, decoding in enumerate(batch.decodings):
            study = study_masks(model, batch, shown, one.site, Breaks(), tracer.studied).intact
            both_QK = study.pad_QK if study.causal_QK is None else study.pad_QK & study.causal_QK
            np.testing.assert_array_equal(both_QK, study.allowed_QK)
            for layer in range(one.layers):
                trace = decoding.trace(one.site, layer)
                Q, K = trace.mask_QK.shape
                if not model.network.config.to_dict().get("sliding_window"):
                    np.testing.assert_array_equal(study.allowed_QK[:Q, :K], trace.mask_QK)
                    found_HQK = study.weights_LHQK[layer][:, :Q, :K]
                    np.testing.assert_allclose(found_HQK, trace.weights_HQK, atol=2e-4)
                assert not study.weights_LHQK[layer][:, :Q, K:].any()
            scores = study.masked_scores_LHQK[:, :, :Q].astype(np.float64)
            mass = np.exp(scores - scores.max(-1, keepdims=True))
            found = study.weights_LHQK[:, :, :Q]
            np.testing.assert_allclose(mass / mass.sum(-1, keepdims=True), found, atol=1e-4)


def test_sentences_of_a_model_without_a_pad_make_no_batch_but_one_stands_alone():
    _, model = model_of("gpt2")
    model.words.pad = None
    tracer = Tracer(type(model)("gpt2", model.network, model.family, model.words))
    assert tracer.anatomy.special.pad is None
    assert len(translate_batch(tracer, TEXTS[:1]).fed) == 1
    with pytest.raises(RecipeError, match="no pad"):
        translate_batch(tracer, TEXTS)
