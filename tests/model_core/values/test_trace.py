import numpy as np
import pytest

from model_core.decoding.tracer import Tracer
from model_core.models.own import OwnModel
from model_core.values.recipe import Choice, Recipe
from model_core.values.trace import (
    SITES,
    AttentionTrace,
    DecodeStep,
    Decoding,
    Tokens,
    frozen,
    largest,
)
from tests.variants import TARGET


def tokens(count):
    names = tuple(f"t{index}" for index in range(count))
    return Tokens(tuple(range(count)), names, names, ("text",) * count, (None,) * count)


def arrays(H=2, Q=3, K=4, E=5):
    return {
        "q_HQE": np.ones((H, Q, E)),
        "k_HKE": np.ones((H, K, E)),
        "v_HKE": np.ones((H, K, E)),
        "scores_HQK": np.ones((H, Q, K)),
        "mask_QK": np.ones((Q, K), dtype=bool),
        "weights_HQK": np.ones((H, Q, K)),
    }


@pytest.mark.parametrize("name", arrays())
def test_an_array_of_another_shape_is_refused_with_both_shapes(name):
    swapped = np.swapaxes(arrays()[name], -1, -2)
    with pytest.raises(ValueError, match=rf"{name} has shape .*ask for") as caught:
        AttentionTrace("cross", 0, tokens(3), tokens(4), **arrays() | {name: swapped})
    # The shape of q gives H and E.
    wanted = (2, 3, 3) if name == "q_HQE" else arrays()[name].shape
    for shape in (swapped.shape, wanted):
        assert str(shape) in str(caught.value)


def test_a_trace_copies_its_arrays_and_leaves_the_callers_alone():
    given = arrays()
    trace = AttentionTrace("cross", 0, tokens(3), tokens(4), **given)
    for name, array in given.items():
        kept = getattr(trace, name)
        assert not np.shares_memory(kept, array)
        assert kept.base is None and not kept.flags.writeable and array.flags.writeable


def test_a_frozen_array_is_not_copied_again_but_a_view_is():
    once = frozen(np.arange(6.0))
    assert frozen(once) is once
    assert frozen(once[:3]).base is None


@pytest.mark.parametrize("field", ["pieces", "texts", "kinds", "spans"])
def test_tokens_of_unequal_lengths_are_refused(field):
    values = vars(tokens(3)) | {field: ()}
    with pytest.raises(ValueError, match="3 ids"):
        Tokens(**values)


def test_tokens_are_sliced_and_joined_with_all_their_labels():
    whole = tokens(5)
    joined = whole[:2] + whole[2:]
    assert len(joined) == 5 and vars(joined) == vars(whole)


def test_a_decoding_checks_that_its_parts_belong_together():
    step = DecodeStep(0, np.zeros(3), (), ())
    parts = {"source": tokens(2), "encoder": (), "cross_keys": ()}
    chosen = (Choice(2, "greedy"),)
    Decoding(target=tokens(2), steps=(step,), chosen=chosen, finished="end", **parts)
    with pytest.raises(ValueError, match="1 target tokens for 1 given and 1 choices"):
        Decoding(target=tokens(1), steps=(step,), chosen=chosen, finished="end", **parts)
    with pytest.raises(ValueError, match="1 steps for 2 tokens"):
        Decoding(target=tokens(2), steps=(step,), chosen=chosen, finished=None, **parts)


def test_the_best_are_sorted_and_of_equals_the_lower_id_comes_first():
    step = DecodeStep(0, np.array([-3.0, -1.0, -2.0, -1.0, -9.0]), (), ())
    assert step.best(4) == [1, 3, 2, 0]
    assert step.best(99) == [1, 3, 2, 0, 4]


@pytest.fixture(scope="module")
def decoding(tiny):
    target = tuple(Choice(token, "forced") for token in TARGET[1:])
    return Tracer(OwnModel(tiny)).evaluate(Recipe("tiny", "The cat.", target, pads=3))


def test_rows_are_queries_and_columns_are_keys(decoding):
    S, T = len(decoding.source), len(decoding.steps)
    assert S != T
    shapes = {"encoder": (S, S), "decoder": (T, T), "cross": (T, S)}
    for site, (Q, K) in shapes.items():
        trace = decoding.trace(site, 1)
        assert (len(trace.queries), len(trace.keys)) == trace.weights_HQK.shape[1:] == (Q, K)
        assert trace.site == site and trace.layer == 1
    cross = decoding.trace("cross", 0)
    assert cross.queries.ids == decoding.target.ids[:T] and cross.keys.ids == decoding.source.ids


@pytest.mark.parametrize("source", ["", "The old cat sleeps."])
def test_a_target_longer_or_shorter_than_its_source_keeps_all_rows(tiny, source):
    target = tuple(Choice(token, "forced") for token in TARGET[1:6])
    trace = Tracer(OwnModel(tiny)).evaluate(Recipe("tiny", source, target)).trace("cross", 2)
    assert trace.weights_HQK.shape[1] == 6
    assert trace.weights_HQK.shape[2] == len(tiny.source_tokenizer.encode(source)) != 6
    np.testing.assert_allclose(trace.weights_HQK.sum(-1), 1, atol=1e-6)


@pytest.mark.parametrize("site", SITES)
def test_an_earlier_trace_is_the_first_rows_of_the_whole_one(decoding, site):
    whole = decoding.trace(site, 0)
    for upto in range(1, len(decoding.steps) + 1):
        part = decoding.trace(site, 0, upto)
        Q, K = part.weights_HQK.shape[1:]
        assert (len(decoding.source) if site == "encoder" else upto) == Q
        for name in ("scores_HQK", "weights_HQK"):
            assert (getattr(part, name) == getattr(whole, name)[:, :Q, :K]).all()
        assert (part.mask_QK == whole.mask_QK[:Q, :K]).all()


def test_pads_of_the_source_are_masked_and_weigh_nothing(decoding):
    for site in ("encoder", "cross"):
        trace = decoding.trace(site, 0)
        assert trace.keys.kinds[-3:] == ("pad",) * 3
        assert not trace.mask_QK[:, -3:].any() and trace.mask_QK[:, :-3].all()
        assert (trace.weights_HQK[:, :, -3:] == 0).all()
        assert np.isfinite(trace.scores_HQK).all()


def test_what_there_is_no_trace_of_is_refused(decoding):
    with pytest.raises(ValueError, match="site is 'self'"):
        decoding.trace("self", 0)
    with pytest.raises(ValueError, match="site is 'self'"):
        decoding.layers("self")
    with pytest.raises(ValueError, match="1 step or more, not 0"):
        decoding.trace("cross", 0, 0)
    with pytest.raises(IndexError):
        decoding.trace("cross", 99)


def test_values_compare_by_identity_and_hash(decoding):
    assert decoding == decoding and decoding != 3
    assert isinstance(hash(decoding.trace("encoder", 0)), int)


@pytest.mark.parametrize("values", [[2, 1, 2, 3, 2, 0], [0, 0, 0], [1], [-3, -1, -2]])
def test_of_equal_values_the_first_comes_first(values):
    values_V = np.array(values, dtype=np.float32)
    for count in (1, 2, 3, 9):
        assert largest(values_V, count) == np.argsort(-values_V, kind="stable")[:count].tolist()
