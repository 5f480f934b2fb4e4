"""What studies say of every kind of model: inside a head, the sum with positions, order.

That the parts are the library's own is tested in models/hub/, that they are ours in the other files
here.
"""

import functools

import numpy as np
import pytest

from model_core.studies.head import study_head
from model_core.studies.order import effect, translation
from model_core.studies.positions import position_sum, position_table
from tests.every_model import HUB, OWN, WRITING, decoded, model_called, near, pads_of

LONGER = "the cat sleeps on a warm roof"


@functools.cache
def cells(name):
    """A decoding, and of it studies of two rows at each site, of the first and the last head and
    layer."""
    model = model_called(name)
    decoding = decoded(model, pads_of(model), (7, 9, 12) if name in WRITING else ()).decoding
    studies = []
    for one in model.anatomy.sites:
        last = len(decoding.source if one.rows == "source" else decoding.steps) - 1
        for at in ((0, one.heads - 1, last), (one.layers - 1, 0, 1)):
            studies.append((one, study_head(model, decoding, one.site, *at)))
    return decoding, studies


@pytest.mark.parametrize("name", [*OWN, *HUB])
def test_every_link_of_the_chain_leads_to_the_next(name):
    model, (_, studies) = model_called(name), cells(name)
    close, own = near(model), name in OWN
    for one, study in studies:
        np.testing.assert_allclose(study.products_KE, study.factor_KE * study.other_KE, **close)
        np.testing.assert_allclose(study.sums_K / study.divisor, study.scores_K, **close)
        biased = model.anatomy.positions == "relative" and one.site != "cross"
        assert (study.bias_K is not None) == biased
        bias_K = study.bias_K if biased else 0
        np.testing.assert_allclose(study.scores_K + bias_K, study.logits_K, **close)
        assert np.array_equal(study.exponentials_K == 0, ~study.allowed_K) or not own
        assert not study.weights_K[~study.allowed_K].any()
        if model.facts["attention"] == "soft":
            made_K = study.exponentials_K / study.exponentials_K.sum()
        else:
            best = np.where(study.allowed_K, study.logits_K, -np.inf).argmax()
            made_K = np.eye(len(study.keys))[best]
        np.testing.assert_allclose(made_K, study.weights_K, **close)
        weighted_KE = study.weights_K[:, None] * study.v_KE
        np.testing.assert_allclose(study.weighted_KE, weighted_KE, **close)
        np.testing.assert_allclose(study.weighted_KE.sum(0), study.context_E, **close)
        made_D = study.shares_HD.sum(0) + study.output_bias_D
        np.testing.assert_allclose(made_D, study.sublayer.made_D, **close)
        sub, norm = study.sublayer, study.norm
        np.testing.assert_allclose(sub.entered_D + sub.made_D, sub.sum_D, **close)
        left_D = norm.gain_D * (norm.entered_D - norm.mean) / norm.spread + norm.bias_D
        np.testing.assert_allclose(left_D, norm.left_D, **close)


@pytest.mark.parametrize("name", [*OWN, *HUB])
def test_the_cell_is_the_one_that_decoding_step_by_step_shows(name):
    model, (decoding, studies) = model_called(name), cells(name)
    for one, study in studies:
        trace = decoding.trace(one.site, study.layer)
        assert (study.queries.ids, study.keys.ids) == (trace.queries.ids, trace.keys.ids)
        assert study.key_head == study.head // (one.heads // one.key_heads)
        head, group, query, seen_K = study.head, study.key_head, study.query, study.allowed_K
        assert np.array_equal(seen_K, trace.mask_QK[query])
        for found, wanted in (
            (study.weights_K, trace.weights_HQK[head, query]),
            (study.scores_K[seen_K], trace.scores_HQK[head, query, seen_K]),
            (study.q_E, trace.q_HQE[head, query]),
            (study.k_KE, trace.k_HKE[group]),
            (study.v_KE, trace.v_HKE[group]),
        ):
            np.testing.assert_allclose(found, wanted, **near(model))


@pytest.mark.parametrize("name", [*OWN, *HUB])
def test_what_is_added_is_the_table_and_nothing_where_positions_are_not_added(name):
    model = model_called(name)
    decoding = decoded(model, 0, (7, 9) if name in WRITING else ()).decoding
    kind = model.anatomy.positions
    for side in sorted({one.rows for one in model.anatomy.sites}):
        made = position_sum(model, decoding.source, decoding.fed.ids, side)
        summed_TD = made.embedding_TD + made.position_TD
        np.testing.assert_allclose(summed_TD, made.sum_TD, **near(model))
        if kind in ("sinusoidal", "learned"):
            rows_TD = position_table(model, kind, side).table_PD[: len(made.tokens)]
            np.testing.assert_allclose(made.position_TD, rows_TD, **near(model))
            assert np.abs(rows_TD).max() > 0.01
        else:
            assert not made.position_TD.any()


@pytest.mark.parametrize("name", [*OWN, *HUB])
def test_order_matters_by_positions_by_a_causal_mask_and_by_ties_alone(name):
    model = model_called(name)
    source = model.source(LONGER)
    fed = model.start(source).decoding.target.ids
    order = [2, 5, 0, 1, 4, 3, *range(6, len(source))]
    alone, placed = model.anatomy.kind == "decoder", model.anatomy.positions != "none"
    hard, own = model.facts["attention"] == "hard", name in OWN
    most, least = (1e-10 if own else 1e-3), 1e-3
    with_them, without = (effect(model, source, fed, order, positions=on) for on in (True, False))
    without_them = "causal" if alone else "tied" if hard else None
    assert without.reason == without_them
    assert with_them.reason == ("positions" if placed else without_them)
    assert (largest(with_them) > least) == (placed or alone)
    if not alone:
        assert largest(without) < most
        layers = {(one.site, one.layer) for one in without.comparison.weights}
        assert without.cannot_change == ({("decoder", 0)} if hard else layers)
        assert (without.of_predictions == "proven") != hard
        # A token that keeps its position may stand anywhere: order is what positions say it is.
        assert largest(effect(model, source, fed, order, order)) < most
        if fed:
            begun = functools.partial(translation, model, source, most_steps=6)
            assert begun(order, order) == begun(list(range(len(source))))
    else:
        assert largest(without) > least
    if not own:
        double = effect(model, source, fed, order, positions=False, double=True)
        assert alone or largest(double) < 1e-6
        assert model.network.dtype.itemsize == 4
    unmoved = effect(model, source, fed, list(range(len(source))))
    assert largest(unmoved) == 0 and unmoved.reason is None


def largest(study):
    """By how much any weight or prediction changed."""
    moved = [change.largest for change in study.comparison.weights]
    predictions = study.comparison.predictions
    return max([*moved, 0 if predictions is None else float(predictions.largest_T.max())])
