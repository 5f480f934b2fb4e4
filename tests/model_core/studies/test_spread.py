"""The spread of q . k and what the softmax makes of it, against a direct computation."""

import math

import numpy as np
import pytest
import torch

from model_core.errors import RecipeError
from model_core.studies.head import study_head
from model_core.studies.spread import study_spread
from model_core.values.edits import read_edits
from model_core.values.recipe import Choice, Recipe
from tests.model_core.studies.sentences import traced

RECIPE = Recipe("tiny", "cat on", tuple(Choice(token) for token in range(5, 15)), pads=2)


@pytest.fixture(scope="module")
def own_and_decoding():
    return traced(RECIPE)


def direct(own, decoding, site, layer, head):
    """Products, scores and weights of all pairs, one after the other."""
    passed = own.full_pass([decoding.source.ids], [decoding.fed.ids])
    record = passed.records(site)[layer]
    q_QE, k_KE = record.q_BHQE[0, head], record.k_BHKE[0, head]
    products_QK = np.array([[float(q_E @ k_E) for k_E in k_KE] for q_E in q_QE])
    allowed_QK = record.mask.allowed_BQK[0].expand(len(q_QE), -1).numpy()
    return products_QK, allowed_QK, q_QE.shape[1]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_all_allowed_products_are_counted_and_their_spread_is_that_of_numpy(own_and_decoding, site):
    own, decoding = own_and_decoding
    study = study_spread(own, decoding, site, 1, 1, 1)
    products_QK, allowed_QK, E = direct(own, decoding, site, 1, 1)
    assert (study.d_k, study.is_divided) == (E, True)
    assert study.divisor == pytest.approx(math.sqrt(E))
    np.testing.assert_allclose(study.products_QK[allowed_QK], products_QK[allowed_QK], rtol=1e-12)
    assert np.isnan(study.products_QK[~allowed_QK]).all()
    for spread, numbers_N in (
        (study.before, products_QK[allowed_QK]),
        (study.after, products_QK[allowed_QK] / math.sqrt(E)),
    ):
        assert spread.counts_B.sum() == len(numbers_N)
        assert spread.mean == pytest.approx(numbers_N.mean(), abs=1e-12)
        assert spread.deviation == pytest.approx(np.std(numbers_N), rel=1e-12)
        edges = [*study.edges_B, study.edges_B[-1] + study.step]
        for low, high, count in zip(edges, edges[1:], spread.counts_B, strict=False):
            assert count == ((numbers_N >= low) & (numbers_N < high)).sum()


def test_the_row_is_the_softmax_of_its_products_with_and_without_the_division(own_and_decoding):
    own, decoding = own_and_decoding
    study = study_spread(own, decoding, "decoder", 0, 1, 4)
    products_QK, allowed_QK, E = direct(own, decoding, "decoder", 0, 1)
    for made, divisor in ((study.plain, 1), (study.divided, math.sqrt(E))):
        powers_K = np.where(allowed_QK[4], np.exp(products_QK[4] / divisor), 0)
        weights_K = powers_K / powers_K.sum()
        np.testing.assert_allclose(made.weights_K, weights_K, atol=1e-12)
        assert made.largest == pytest.approx(weights_K.max())
        some_K = weights_K[weights_K > 0]
        assert made.bits == pytest.approx(-(some_K * np.log2(some_K)).sum())
    own_head = study_head(own, decoding, "decoder", 0, 1, 4)
    np.testing.assert_array_equal(study.divided.weights_K, own_head.weights_K)
    np.testing.assert_array_equal(study.plain.weights_K, own_head.unscaled_weights_K)


def test_the_slope_is_what_the_largest_weight_gains_per_unit_of_its_score(own_and_decoding):
    own, decoding = own_and_decoding
    study = study_spread(own, decoding, "cross", 2, 0, 3)
    scores_K = torch.tensor(study.scores_QK[3], requires_grad=True)
    weights_K = scores_K.masked_fill(~torch.tensor(study.allowed_K), -math.inf).softmax(0)
    best = int(weights_K.argmax())
    weights_K[best].backward()
    assert study.divided.slope == pytest.approx(float(scores_K.grad[best]))


@pytest.mark.parametrize("similarity", ["dot", "additive", "bilinear"])
def test_a_model_that_does_not_divide_is_shown_what_dividing_would_make(similarity):
    own, decoding = traced(RECIPE, similarity=similarity)
    study = study_spread(own, decoding, "cross", 0, 0, 2)
    head = study_head(own, decoding, "cross", 0, 0, 2)
    assert not study.is_divided and study.divisor == math.sqrt(study.d_k)
    allowed_K = head.allowed_K
    np.testing.assert_array_equal(study.products_QK[2][allowed_K], head.scores_K[allowed_K])
    np.testing.assert_array_equal(study.plain.weights_K, head.weights_K)
    ratio = study.before.deviation / study.after.deviation
    assert ratio == pytest.approx(math.sqrt(study.d_k))


def test_a_model_edited_to_divide_by_nothing_is_one_of_them(own_and_decoding):
    own, decoding = own_and_decoding
    edited = own.edited(read_edits(["no-scale"]))
    study = study_spread(edited, decoding, "cross", 0, 0, 2)
    assert not study.is_divided
    assert study.plain.largest >= study.divided.largest


def test_a_place_that_is_not_there_is_refused(own_and_decoding):
    own, decoding = own_and_decoding
    for place in ((9, 0, 0), (0, 9, 0), (0, 0, 99)):
        with pytest.raises(RecipeError, match="There is no"):
            study_spread(own, decoding, "cross", *place)
