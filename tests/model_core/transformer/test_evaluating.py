import pytest

from model_core.transformer.evaluating import evaluating
from tests.tiny import tiny_model


def test_a_function_that_evaluates_a_model_leaves_it_in_its_mode_whatever_ends_it():
    @evaluating
    def ask(model, fails):
        assert not model.training and not model.decoder[0].self_attention.training
        return 1 // (not fails)

    for model in (tiny_model(), tiny_model().train()):
        was = model.training
        assert ask(model, fails=False) == 1 and model.training == was
        with pytest.raises(ZeroDivisionError):
            ask(model, True)
        assert model.training == model.decoder[0].self_attention.training == was
