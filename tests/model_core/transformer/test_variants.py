import torch

from model_core.transformer.variants import repositioned, without_positions
from tests.tiny import tiny_model
from tests.variants import TARGET, VARIANTS, every_variant

SOURCE = [5, 17, 40, 8, 33, 2]


@every_variant
def test_a_copy_with_other_positions_shares_every_weight_and_leaves_the_model_alone(variant):
    model = tiny_model(3, **VARIANTS[variant])
    before = model(torch.tensor([SOURCE]), torch.tensor([TARGET])).logits_BTV
    for other in (without_positions(model), repositioned(model, [3, 3, 3, 0, 1, 2])):
        shared = {parameter.data_ptr() for parameter in model.parameters()}
        own = [p for p in other.parameters() if p.data_ptr() not in shared]
        assert len(own) == (model.config.positions == "learned" and other.config == model.config)
    assert torch.equal(model(torch.tensor([SOURCE]), torch.tensor([TARGET])).logits_BTV, before)


def test_a_model_without_positions_is_its_own_copy():
    model = tiny_model(3, positions="none")
    ids = torch.tensor([SOURCE]), torch.tensor([TARGET])
    assert torch.equal(without_positions(model)(*ids).logits_BTV, model(*ids).logits_BTV)
