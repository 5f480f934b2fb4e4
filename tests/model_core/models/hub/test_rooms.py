"""What rooms show of models of `transformers`, of each kind."""

import copy

import numpy as np
import pytest
import torch

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.hub.families import FAMILIES
from model_core.models.hub.model import HubModel
from model_core.models.hub.words import Words
from model_core.studies.batch import translate_batch
from model_core.studies.masks import study_masks
from model_core.values.edits import read_edits
from model_core.values.habits import rows_of
from model_core.values.head_measures import PLACES
from model_core.values.recipe import Recipe
from tests.answered import floats
from tests.model_core.models.hub.test_model import TEXTS, made, model_of
from tests.model_core.models.hub.tiny import config_of, eager, of_config
from tests.model_core.models.hub.tokenizing import tokenizer_of
from viz_app.rooms.translate.answer import answer
from viz_app.rooms.translate.payload import payload
from viz_app.rooms.translate.summary import summary, unseen_before
from viz_app.rooms.translate.view import TranslateView


@pytest.mark.parametrize("name", FAMILIES)
def test_the_masks_of_a_batch_are_those_that_each_sentence_has_alone(name):
    _, model = model_of(name)
    tracer = Tracer(model, most_steps=5)
    batch = translate_batch(tracer, TEXTS)
    for one in model.anatomy.sites:
        for shown, decoding in enumerate(map(tracer.evaluate, batch.recipes)):
            study = study_masks(model, batch, shown, one.site, cache=tracer.studied).intact
            both_QK = study.pad_QK if study.causal_QK is None else study.pad_QK & study.causal_QK
            np.testing.assert_array_equal(both_QK, study.allowed_QK)
            for layer in range(one.layers):
                trace = decoding.trace(one.site, layer)
                Q, K = trace.mask_QK.shape
                if not model.network.config.to_dict().get("sliding_window"):
                    np.testing.assert_array_equal(study.allowed_QK[:Q, :K], trace.mask_QK)
                    found_HQK = study.weights[layer][:, :Q, :K]
                    np.testing.assert_allclose(found_HQK, trace.weights_HQK, atol=2e-4)
                assert not study.weights[layer][:, :Q, K:].any()
            scores = np.where(study.allowed_QK, np.stack(study.scores), study.hidden_score)[
                :, :, :Q
            ].astype(np.float64)
            mass = np.exp(scores - scores.max(-1, keepdims=True))
            found = np.stack(study.weights)[:, :, :Q]
            np.testing.assert_allclose(mass / mass.sum(-1, keepdims=True), found, atol=1e-4)


def test_sentences_of_a_model_without_a_pad_make_no_batch_but_one_stands_alone():
    _, model = made("gpt2")
    model.words.pad = None
    tracer = Tracer(type(model)("gpt2", model.network, model.family, model.words))
    assert tracer.anatomy.special.pad is None
    assert len(translate_batch(tracer, TEXTS[:1]).fed) == 1
    with pytest.raises(RecipeError, match="no pad"):
        translate_batch(tracer, TEXTS)


ENCODERS = [name for name, family in FAMILIES.items() if family.kind == "encoder"]


def bert_of_pairs():
    own, family = eager("bert"), FAMILIES["bert"]
    words = Words(tokenizer_of("encoder", sep_token="</s>"), family, (), (1,))
    return own, HubModel("bert", copy.deepcopy(own), family, words)


@pytest.mark.parametrize("name", [*ENCODERS, "bert, pairs"])
def test_a_broken_pad_mask_of_an_encoder_is_what_the_library_does_without_one(name):
    own, model = bert_of_pairs() if "pairs" in name else model_of(name)
    settings = (("second", "the cat"),) if "pairs" in name else ()
    recipe = Recipe(name, TEXTS[0], settings=settings)
    batch = translate_batch(Tracer(model), TEXTS, recipe)
    ids_BS = torch.tensor([tokens.ids for tokens in batch.sources])
    real_BS = torch.tensor([[kind != "pad" for kind in one.kinds] for one in batch.sources])
    assert not any(len(side) for side in (*batch.fed, *batch.predicted)) and not real_BS.all()
    asked = {"output_attentions": True}
    if settings:  # the second sentence stands behind the first separator
        ends_BS = (ids_BS == 1).long()
        asked["token_type_ids"] = ((ends_BS.cumsum(1) - ends_BS > 0) & real_BS).long()
    with torch.inference_mode():
        kept = own(ids_BS, attention_mask=real_BS.long(), **asked)
        opened = own(ids_BS, attention_mask=torch.ones_like(ids_BS), **asked)
    for shown, length in enumerate(real_BS.sum(-1).tolist()):
        study = study_masks(model, batch, shown, "encoder", read_edits(["no-pad-mask"]))
        for found, wanted in ((study.intact, kept), (study.broken, opened)):
            for layer, weights_BHQK in enumerate(wanted.attentions):
                near = {"atol": 1e-5}
                np.testing.assert_allclose(found.weights[layer], weights_BHQK[shown], **near)
        was_SV, is_SV = (one.logits[shown, :length].softmax(-1) for one in (kept, opened))
        apart_S = (was_SV - is_SV).abs().sum(-1) / 2
        change = study.changes[shown]
        np.testing.assert_allclose(change.distance_T, apart_S, atol=1e-5)
        assert change.best_after == tuple(is_SV.argmax(-1).tolist())
        assert (study.broken.on_pads_LHQ.max() > 0) == (length < ids_BS.shape[1])
        assert study.broken.causal_QK is None and not study.intact.on_pads_LHQ.any()


def test_an_encoder_that_predicts_nothing_has_no_predictions_that_change():
    own, family = eager("bert"), FAMILIES["bert"]
    model = HubModel("bert", own.bert, family, Words(tokenizer_of("encoder"), family, (), (1,)))
    assert model.anatomy.mask is None
    breaks = read_edits(["no-pad-mask"])
    study = study_masks(model, translate_batch(Tracer(model), TEXTS), 1, "encoder", breaks)
    assert study.changes == ()


@pytest.mark.parametrize("causal", ["intact", "ahead", "behind", "none"])
def test_a_window_stays_as_it_is_whatever_else_is_broken(causal):
    own, model = model_of("mistral")
    window = own.config.sliding_window
    batch = translate_batch(Tracer(model, most_steps=6), TEXTS)
    for shown, tokens in enumerate(batch.fed):
        breaks = ["no-pad-mask", *([] if causal == "intact" else [f"causal-mask:{causal}"])]
        study = study_masks(model, batch, shown, "decoder", read_edits(breaks))
        places = np.arange(len(tokens))
        back_QK = places[:, None] - places
        near_QK = (back_QK < window) | (causal == "none")
        real_K = np.array([kind != "pad" for kind in tokens.kinds])
        seen_QK = near_QK & (back_QK >= {"none": -99, "ahead": -1, "behind": 1}.get(causal, 0))
        np.testing.assert_array_equal(study.broken.allowed_QK, seen_QK)
        own_QK = (back_QK < window) & (back_QK >= 0) & real_K
        np.testing.assert_array_equal(study.intact.allowed_QK[real_K], own_QK[real_K])
        assert (back_QK[real_K] >= window).any()


def test_the_page_is_told_which_tokens_lie_outside_the_window():
    own, model = model_of("mistral")
    recipe, decoding = Tracer(model).extend(Recipe("mistral", TEXTS[2]), 5)
    told = payload(recipe, decoding, model)
    for at, step in enumerate(told["steps"]):
        outside = max(0, at + 1 - own.config.sliding_window)
        assert step.get("unseen", []) == ([[(0, outside)]] if outside else [])
    measures = summary(model.anatomy.sites[0], decoding)
    assert np.isfinite(floats(measures["measures"])).all()
    (one,) = model.anatomy.sites
    mask_QK = decoding.trace("decoder", 0).mask_QK
    fed = decoding.target[: len(mask_QK)]
    assert np.array_equal(rows_of(one, fed, fed, mask_QK).open_QK, mask_QK)


def test_layers_with_windows_of_their_own_are_told_apart():
    config = config_of("qwen2")
    config.layer_types = ["sliding_attention", "full_attention", "full_attention"]
    config.sliding_window = 4
    own = of_config("decoder", config).eval()
    family = FAMILIES["qwen2"]
    model = HubModel("qwen2", own, family, Words(tokenizer_of("decoder"), family, (), (1,)))
    assert model.anatomy.lack("one-mask") == "windows_differ"
    decoding = model.start(model.source(TEXTS[2])).decoding
    assert unseen_before(decoding.steps[6]) == [[(0, 3)], [], []]
    assert unseen_before(decoding.steps[2]) == []
    (one,) = model.anatomy.sites
    measures = floats(summary(one, decoding)["measures"])
    place = 2 + PLACES["decoder"].index("start")
    first_LH = measures.reshape(one.layers, one.heads, -1)[..., place]
    for layer in range(one.layers):  # where a later layer sees the start, it counts in every row
        weights_HQK = decoding.trace("decoder", layer).weights_HQK
        np.testing.assert_allclose(first_LH[layer], weights_HQK[:, 1:, 0].mean(axis=1), rtol=1e-5)
    recipe, decoding = Tracer(model).extend(Recipe("qwen2", TEXTS[2]), 5)
    (table,) = answer(Tracer(model), recipe, TranslateView()).table("heads")
    for trace in decoding.traces("decoder"):
        for allowed_QK in table.values["allowed_LHQK"][trace.layer]:
            assert np.array_equal(allowed_QK, trace.mask_QK)
