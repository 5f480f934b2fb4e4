import copy

import pytest
import torch
from torch import nn

from model_core.layers import Dropout, Embedding, LayerNorm, Linear, Module, Number
from tests.variants import SOURCE, TARGET, every_variant, ids, variant_model


@pytest.mark.parametrize(
    ("ours", "theirs", "arguments"),
    [
        (Linear, nn.Linear, (6, 5)),
        (LayerNorm, nn.LayerNorm, (6,)),
        (Embedding, nn.Embedding, (6, 5)),
    ],
)
def test_our_layers_compute_what_those_of_torch_do(ours, theirs, arguments):
    layer, reference = ours(*arguments), theirs(*arguments)
    for parameter in layer.parameters():
        nn.init.normal_(parameter)
    reference.load_state_dict(layer.state_dict())
    x = torch.tensor([[1, 5, 0]]) if theirs is nn.Embedding else torch.randn(2, 3, 6)
    assert torch.equal(layer(x), reference(x))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_a_number_gives_what_a_float_gives_to_the_last_bit(dtype):
    x, value = torch.randn(1000, dtype=torch.float64).to(dtype).requires_grad_(), 8192**0.5 / 7
    number = Number(value).like(x)
    for found, wanted in ((x * number, x * value), (x / number, x / value)):
        assert found.dtype == dtype and torch.equal(found, wanted)
        both = (torch.autograd.grad(y.sum(), x)[0] for y in (found, wanted))
        assert torch.equal(*both)


def test_dropout_drops_while_training_and_returns_its_very_input_otherwise():
    dropout, x = Dropout(0.5), torch.ones(1000)
    assert set(dropout(x).tolist()) == {0.0, 2.0}
    assert dropout.eval()(x) is x


def test_a_call_is_a_call_of_the_forward_of_its_own_class():
    class Twice(Module):
        def forward(self, x):
            return 2 * x

    class Thrice(Twice):
        def forward(self, x):
            return super().forward(x) + x

    assert (Twice()(5), Thrice()(5)) == (10, 15)


def parts_are_those_registered(model):
    return all(
        getattr(module, name) is part
        for module in model.modules()
        if isinstance(module, Module)
        for name, part in (module._modules | module._parameters).items()
    )


@every_variant
def test_parts_at_hand_stay_those_of_the_model(variant):
    model = variant_model(variant).float()
    model.lay_out_for_steps()
    wanted = model.double()(ids(SOURCE), ids(TARGET)).logits_BTV
    copied = copy.deepcopy(model)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    assert torch.equal(copied(ids(SOURCE), ids(TARGET)).logits_BTV, wanted)
    model.load_state_dict(copied.state_dict())
    torch.testing.assert_close(model(ids(SOURCE), ids(TARGET)).logits_BTV, wanted)
    for changed in (model, copied, model.float(), copy.deepcopy(model)):
        assert parts_are_those_registered(changed)


def test_every_part_is_at_hand_once_the_model_is_laid_out():
    model = variant_model("paper")
    model.lay_out_for_steps()
    parts = [
        (module, name, part)
        for module in model.modules()
        if isinstance(module, Module)
        for name, part in (module._modules | module._parameters).items()
    ]
    assert len(parts) > 50
    assert all(vars(module)[name] is part for module, name, part in parts)


def test_a_part_set_anew_replaces_the_one_at_hand():
    model = variant_model("paper")
    model.lay_out_for_steps()
    old, new = model.decoder_norm, nn.LayerNorm(24).double()
    model.decoder_norm = new
    model.logits.weight = nn.Parameter(torch.zeros(300, 24).double())
    assert model.decoder_norm is new is not old
    assert not model(ids(SOURCE), ids(TARGET)).logits_BTV.any()
    assert parts_are_those_registered(model)
