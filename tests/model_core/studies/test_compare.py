import numpy as np
import pytest

from model_core.studies.compare import compare, compare_predictions
from model_core.studies.full_pass import sentence_pass
from tests.model_core.studies.sentences import IDS, TARGET, own_model, sentence


def test_predictions_are_compared_over_the_whole_vocabulary():
    before_TV = np.log([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]])
    after_TV = np.log([[0.2, 0.7, 0.1], [0.1, 0.8, 0.1]])
    change = compare_predictions(before_TV, after_TV)
    assert (change.best_before, change.best_after, change.changed) == ((0, 1), (1, 1), 1)
    assert change.probability_before_T == pytest.approx([0.5, 0.8])
    assert change.probability_after_T == pytest.approx([0.7, 0.8])
    assert change.distance_T == pytest.approx([0.4, 0])
    assert change.largest_T == pytest.approx([0.4, 0])


def test_two_models_are_compared_layer_by_layer_at_every_site(tiny):
    one, other = own_model(tiny), own_model(tiny, positions="none")
    before, after = (sentence_pass(model, sentence(IDS), TARGET) for model in (one, other))
    compared = compare(before, after)
    places = [(change.site, change.layer) for change in compared.weights]
    layers = {"encoder": 2, "decoder": 3, "cross": 3}
    assert places == [(site, n) for site, count in layers.items() for n in range(count)]
    for change in compared.weights:
        was_HQK, is_HQK = (one.weights_LHQK(change.site)[change.layer] for one in (before, after))
        assert change.largest == np.abs(was_HQK - is_HQK).max() > 0
    assert compared.predictions.distance_T.shape == (len(TARGET),)


def test_a_pass_is_not_far_from_itself(tiny):
    once = sentence_pass(own_model(tiny), sentence(), TARGET)
    compared = compare(once, once)
    assert not any(change.largest for change in compared.weights)
    assert not compared.predictions.distance_T.any() and not compared.predictions.changed
