import torch

from model_core.models.full_pass import full_pass
from model_core.transformer.masks import mask_from
from model_core.transformer.taps import keeping
from model_core.values.trace import SITES
from tests.variants import SOURCE, TARGET, every_variant, ids, variant_model


@every_variant
def test_a_full_pass_is_the_models_own(variant):
    model = variant_model(variant)
    wanted, found = model(ids(SOURCE), ids(TARGET)), full_pass(model, [SOURCE], [TARGET])
    assert torch.equal(found.logits_BTV, wanted.logits_BTV)
    for site in SITES:
        for one, other in zip(found.records(site), wanted.records(site), strict=True):
            assert torch.equal(one.weights_BHQK, other.weights_BHQK)


def test_a_mask_given_for_one_site_is_used_there_and_nowhere_else():
    model, plain = variant_model("paper"), full_pass(variant_model("paper"), [SOURCE], [TARGET])
    lengths = {"encoder": len(SOURCE), "decoder": len(TARGET), "cross": len(SOURCE)}
    for site in SITES:
        allowed_BQK = torch.ones(1, 1, lengths[site], dtype=torch.bool)
        allowed_BQK[..., 1] = False
        found = full_pass(model, [SOURCE], [TARGET], {site: mask_from("hole", allowed_BQK)})
        for other in SITES:
            for record, own in zip(found.records(other), plain.records(other), strict=True):
                if other == site:
                    assert not record.weights_BHQK[..., 1].any()
                    assert not record.mask.allowed_BQK[..., 1].any()
                else:
                    assert torch.equal(record.mask.allowed_BQK, own.mask.allowed_BQK)


def test_a_tap_sees_both_stacks():
    values = {}
    full_pass(variant_model("paper"), [SOURCE], [TARGET], tap=keeping(values))
    assert {"encoder.memory", "decoder.output"} <= set(values)
