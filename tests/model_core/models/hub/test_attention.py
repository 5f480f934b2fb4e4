import pytest
import torch

from model_core.models.hub.attention import Recorder
from model_core.models.hub.families import FAMILIES
from tests.model_core.models.hub.tiny import VOCABULARY, eager, recorded

KINDS = {
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}


def batch(kind):
    """Three sentences of unequal lengths: pads behind them, before them for a decoder alone."""
    ids_BT = torch.randint(3, VOCABULARY, (3, 7), generator=torch.Generator().manual_seed(1))
    mask_BT = torch.tensor([[1] * 7, [1] * 4 + [0] * 3, [1] * 6 + [0]])
    if kind == "decoder":
        mask_BT = mask_BT.flip(1)
    inputs = {"input_ids": ids_BT * mask_BT, "attention_mask": mask_BT}
    if kind == "encoder-decoder":
        inputs["decoder_input_ids"] = ids_BT[:, :5].flip(1)
    return inputs


@torch.inference_mode()
@pytest.mark.parametrize("name", FAMILIES)
def test_every_bit_of_the_logits_and_the_weights_is_that_of_the_library(name):
    family, own = FAMILIES[name], eager(name)
    inputs = batch(family.kind)
    wanted = own(**inputs, output_attentions=True)
    model = recorded(own)
    with Recorder() as recorder:
        found = model(**inputs)
    assert torch.equal(found.logits, wanted.logits)
    for site in family.paths:
        single = family.kind != "encoder-decoder"
        attentions = wanted.attentions if single else wanted[KINDS[site]]
        records = recorder.kept(site, len(attentions))
        for record, weights_BHQK in zip(records, attentions, strict=True):
            assert torch.equal(record.weights_BHQK, weights_BHQK)
            assert record.weights_BHQK.requires_grad is False
