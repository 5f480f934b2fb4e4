import copy

import pytest
import torch
from torch import nn

from model_core.transformer.fast_steps import make_steps_fast
from tests.variants import SOURCE, TARGET, every_variant, few_variants, ids, variant_model


def fast_model(variant="paper"):
    model = variant_model(variant)
    make_steps_fast(model)
    return model


def logits(model):
    return model(ids(SOURCE), ids(TARGET)).logits_BTV


@every_variant
def test_fast_steps_change_no_number_no_name_and_no_tie(variant):
    plain, fast = variant_model(variant), fast_model(variant)
    for (name, was), (same_name, now) in zip(
        plain.state_dict().items(), fast.state_dict().items(), strict=True
    ):
        assert name == same_name and torch.equal(was, now)
    assert len(set(fast.parameters())) == len(set(plain.parameters()))
    torch.testing.assert_close(logits(fast), logits(plain), rtol=0, atol=1e-12)


def test_a_hook_that_would_not_be_called_raises():
    model = fast_model()
    for module in model.modules():
        for register in (
            module.register_forward_hook,
            module.register_forward_pre_hook,
            module.register_full_backward_hook,
            module.register_full_backward_pre_hook,
        ):
            with pytest.raises(RuntimeError, match="without hooks"):
                register(lambda *_: None)
    with pytest.raises(RuntimeError, match="without hooks"):
        model.logits.forward = torch.zeros_like


def test_a_hook_on_a_model_that_is_not_made_fast_is_called():
    model, called = variant_model("paper"), []
    for module in model.modules():
        module.register_forward_hook(lambda module, *_: called.append(module))
    logits(model)
    called_kinds = {type(module).__name__ for module in called}
    assert {"Transformer", "EncoderLayer", "DecoderLayer", "LayerNorm", "Dropout"} <= called_kinds


def test_a_part_that_is_taken_out_or_replaced_is_no_longer_used():
    model = fast_model("rotary")
    for layer in (*model.encoder, *model.decoder):
        layer.self_attention.rotary = None
    assert torch.equal(logits(model), logits_without_rotation())
    del model.logits.weight
    with pytest.raises(AttributeError, match="weight"):
        logits(model)
    model.logits.weight = nn.Parameter(torch.zeros(300, 24).double())
    assert not logits(model).any()
    model.logits = nn.Linear(24, 7).double()
    assert logits(model).shape[-1] == 7


def logits_without_rotation():
    model = variant_model("rotary")
    for layer in (*model.encoder, *model.decoder):
        layer.self_attention.rotary = None
    make_steps_fast(model)
    return logits(model)


@few_variants
def test_a_copy_and_other_weights_are_the_model_s_own(variant):
    model = variant_model(variant).float()
    make_steps_fast(model)
    wanted = logits(model.double())
    copied = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    assert torch.equal(logits(copied), wanted)
    model.load_state_dict(copied.state_dict())
    assert torch.equal(logits(model), wanted)
    model.load_state_dict(copied.state_dict(), assign=True)
    assert torch.equal(logits(model), wanted)


def test_a_model_moved_to_another_device_computes_there():
    there = torch.device("meta")
    model = fast_model().to(there)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            x = torch.empty(1, module.in_features, dtype=torch.float64, device=there)
            assert module(x).device == model.device == there


def test_made_fast_twice_it_is_as_it_was():
    model = fast_model()
    wanted, kinds = logits(model), [type(module) for module in model.modules()]
    make_steps_fast(model)
    assert torch.equal(logits(model), wanted)
    assert [type(module) for module in model.modules()] == kinds


def test_dropout_drops_while_training_and_returns_its_very_input_otherwise():
    dropout, x = nn.Dropout(0.5), torch.ones(1000)
    make_steps_fast(dropout)
    assert set(dropout(x).tolist()) == {0.0, 2.0}
    assert dropout.eval()(x) is x
