"""The room Inside a head for models of `transformers`: the numbers add up to the model's own."""

import numpy as np
import pytest
import torch

from model_core.errors import RecipeError
from model_core.models.hub.families import FAMILIES
from model_core.studies.head import study_head
from model_core.studies.hiding import hide_words
from model_core.studies.path import study_path
from model_core.studies.readings import value_norms
from tests.model_core.models.hub.test_model import TEXTS, model_of


def test_what_the_keys_of_cross_attention_are_made_of_is_the_memory():
    own, model = model_of("marian")
    decoding = model.start(model.source(TEXTS[0])).decoding
    study = study_head(model, decoding, "cross", 0, 0, 0)
    with torch.inference_mode():
        memory = own.get_encoder()(torch.tensor([decoding.source.ids])).last_hidden_state[0]
    np.testing.assert_allclose(study.read_KD, memory.numpy(), atol=1e-5)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_way_of_a_token_is_the_stream_of_the_library(name):
    """Embedding and place, every layer, the final norm and the logits, against its own outputs."""
    own, model = model_of(name)
    decoding = model.start(model.source(TEXTS[0])).decoding
    sources, targets = [decoding.source.ids], [decoding.target.ids]
    two_sided = model.anatomy.kind == "encoder-decoder"
    inputs = {"input_ids": torch.tensor(targets if model.anatomy.kind == "decoder" else sources)}
    if two_sided:
        inputs["decoder_input_ids"] = torch.tensor(targets)
    near = {"atol": 2e-4, "rtol": 1e-4}
    with torch.inference_mode():
        wanted = own(**inputs, output_hidden_states=True)
        for side in sorted({one.rows for one in model.anatomy.sites}):
            at = len(decoding.target) - 1 if side == "target" else 2
            streams = (
                wanted["hidden_states"]
                if not two_sided
                else (
                    wanted["encoder_hidden_states" if side == "source" else "decoder_hidden_states"]
                )
            )
            way = study_path(model, decoding, side, at)
            per_layer = len(way.sublayers) // (len(streams) - 1)
            left = [way.sum_D, *(one.passed_D for one in way.sublayers[per_layer - 1 :: per_layer])]
            left[-1] = way.output_D
            for found_D, stream_BTD in zip(left, streams, strict=True):
                np.testing.assert_allclose(found_D, stream_BTD[0, at], **near)
            for before, after in zip(way.sublayers, way.sublayers[1:], strict=False):
                np.testing.assert_allclose(before.passed_D, after.entered_D, **near)
            whole_D = way.embedding_D + (0 if way.position_D is None else way.position_D)
            if not way.facts["embedding_norm"]:
                np.testing.assert_allclose(whole_D, way.sum_D, **near)
            ids = decoding.source.ids if side == "source" else decoding.target.ids
            stack = (
                (own.get_encoder() if side == "source" else own.get_decoder()) if two_sided else own
            )
            vector_D = stack.get_input_embeddings().weight[ids[at]]
            ratio = 4.0 if way.facts["scaled_embedding"] else 1.0
            np.testing.assert_allclose(way.embedding_D, vector_D * ratio, **near)
            assert (way.logits_V is None) == (two_sided and side == "source")
            if way.logits_V is None:
                continue
            np.testing.assert_allclose(way.logits_V, wanted.logits[0, at], **near)
            again_V = model.lens(torch.tensor(way.sublayers[-1].passed_D)[None])[0]
            np.testing.assert_allclose(again_V, wanted.logits[0, at], **near)
            added = way.position_D is not None
            final = way.facts["final_norm"]
            assert len(way.lens_SV) == 1 + added + len(way.sublayers) + final


def test_a_source_that_is_a_prompt_has_no_way_of_its_own():
    _, model = model_of("gpt2")
    with pytest.raises(RecipeError) as refused:
        study_path(model, model.start(model.source(TEXTS[0])).decoding, "source", 0)
    assert refused.value.code == "place"


def test_norms_and_hidden_words_are_those_of_the_librarys_own_modules():
    own, model = model_of("marian")
    state = model.start(model.source(TEXTS[0]))
    while len(state.decoding.chosen) < 3:
        state = model.advance(state, next(t for t in state.decoding.step.best(9) if t > 4))
    decoding = state.decoding
    source, fed = torch.tensor([decoding.source.ids]), torch.tensor([decoding.target.ids[:-1]])
    norms_LHK = value_norms(model, decoding, "cross")
    with torch.inference_mode():
        memory = own.get_encoder()(source).last_hidden_state[0]
        for layer, norms_HK in zip(own.model.decoder.layers, norms_LHK, strict=True):
            attention = layer.encoder_attn
            H = len(norms_HK)
            values_HKE = attention.v_proj(memory).unflatten(-1, (H, -1)).transpose(0, 1)
            weight_HED = attention.out_proj.weight.T.unflatten(0, (H, -1))
            np.testing.assert_allclose(norms_HK, (values_HKE @ weight_HED).norm(dim=-1), rtol=1e-5)
        words = [[0], [1, 2]]
        found = hide_words(model, decoding, words)
        for at, word in enumerate(words):
            mask = torch.ones_like(source)
            mask[0, word] = 0
            logits = own(input_ids=source, attention_mask=mask, decoder_input_ids=fed).logits[0]
            known_T = logits.log_softmax(-1)[range(3), decoding.target.ids[1:]]
            np.testing.assert_allclose(found.hidden_TW[:, at], known_T, atol=1e-5)
    assert np.abs(found.changes_TW).max() > 1e-4
