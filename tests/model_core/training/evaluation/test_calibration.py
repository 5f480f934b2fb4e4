import pytest
import torch

from model_core.training.data.corpus import EncodedPair
from model_core.training.evaluation.full import calibration
from tests.tiny import tiny_model

START, END = 1, 2


def fixed_model(seven: float):
    """A model that gives the token 7 this probability wherever it is, and 8 all the rest."""
    model = tiny_model(logits_bias=True, tied="none")
    with torch.no_grad():
        model.logits.weight.zero_()
        model.logits.bias.fill_(-1e4)
        model.logits.bias[7], model.logits.bias[8] = seven, 1 - seven
        model.logits.bias[7:9] = model.logits.bias[7:9].log()
    return model


def pair(*target: int) -> EncodedPair:
    return EncodedPair((5, END), (START, *target, END))


def test_what_is_given_is_compared_with_how_often_it_is_right():
    # Of ten tokens, the end tokens among them, seven are sevens; both openings are.
    pairs = [pair(7, 7, 7, 7, 8), pair(7, 7, 7)]
    opening, everywhere = calibration(fixed_model(0.6), pairs)
    assert (opening.where, opening.tokens, opening.right) == ("opening", 2, 1.0)
    assert opening.given == pytest.approx(0.6) and opening.error == pytest.approx(0.4)
    assert (everywhere.where, everywhere.tokens) == ("all", 10)
    assert everywhere.right == pytest.approx(0.7)
    assert everywhere.given == pytest.approx(0.6) and everywhere.error == pytest.approx(0.1)


def test_a_model_that_is_right_as_often_as_it_says_has_no_error():
    found = calibration(fixed_model(0.75), [pair(7, 7, 7)])[1]
    assert (found.right, found.tokens) == (0.75, 4) and found.error == pytest.approx(0, abs=1e-6)


def test_errors_of_different_bins_do_not_cancel():
    model = tiny_model(seed=3)
    pairs = [EncodedPair((5, 9, END), (START, *range(10, 10 + n), END)) for n in (3, 6, 9)]
    for found in calibration(model, pairs):
        assert found.error >= abs(found.given - found.right) - 1e-9
        assert 0 < found.given <= 1


def test_it_does_not_depend_on_which_pairs_share_a_batch():
    model = tiny_model(seed=4)
    pairs = [EncodedPair((5, END), (START, *range(10, 10 + n), END)) for n in (2, 5, 1, 7)]
    for one, other in zip(calibration(model, pairs), calibration(model, pairs, 1), strict=True):
        assert (one.tokens, one.right) == (other.tokens, other.right)
        assert one.error == pytest.approx(other.error, abs=1e-5)
