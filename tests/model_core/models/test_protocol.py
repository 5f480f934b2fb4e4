"""The promises of the protocol, kept by made-up models of every kind."""

import pytest
import torch

from model_core.decoding.choosing import continue_by
from model_core.decoding.tracer import Tracer
from model_core.errors import DecodingFinished
from model_core.models.own import OwnModel
from model_core.studies.batch import translate_batch
from model_core.studies.masks import study_masks
from model_core.studies.steps import study_passes
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe, Strategy
from tests.made_up import END, MadeUp

TEXT = "the old cat sleeps"


def test_the_prompt_of_a_decoder_is_its_source():
    decoding = Tracer(MadeUp("decoder")).evaluate(Recipe("made-up-decoder", TEXT))
    assert decoding.target.ids == decoding.source.ids and len(decoding.steps) == 5
    assert decoding.layers("encoder") == decoding.layers("cross") == 0


def test_a_model_without_a_decoder_has_no_steps():
    tracer = Tracer(MadeUp("encoder"))
    recipe = Recipe("made-up-encoder", TEXT, pads=2)
    again, decoding = tracer.extend(recipe, None)
    assert again == recipe and decoding.finished == "end"
    assert decoding.steps == () and len(decoding.target) == decoding.prompt == 0
    assert decoding.layers("decoder") == 0 and decoding.layers("encoder") == 2
    assert (decoding.trace("encoder", 1).weights_HQK[..., -2:] == 0).all()
    with pytest.raises(DecodingFinished):
        tracer.extend(recipe, 1, force=5)


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder"])
def test_a_beam_of_one_is_greedy_and_stops_where_the_positions_do(kind):
    model = MadeUp(kind, most=9)
    tracer = Tracer(model)
    greedy, _ = tracer.extend(Recipe(model.name, TEXT), None)
    beam = Recipe(model.name, TEXT, strategy=Strategy("beam", width=1))
    searched, decoding = tracer.extend(beam, None)
    assert searched.target_ids == greedy.target_ids
    assert len(decoding.target) <= 9
    wide = Recipe(model.name, TEXT, strategy=Strategy("beam", width=4))
    assert tracer.extend(wide, None)[1].finished is not None


def test_a_beam_goes_on_from_what_was_chosen_before():
    model = MadeUp("decoder")
    state = model.start(model.source(TEXT))
    state = model.advance(state, 7)
    tokens = continue_by(model, state, Strategy("beam", width=3), 6)
    assert all(how == "beam" for _, how in tokens) and 1 <= len(tokens) <= 5
    assert END not in [token for token, _ in tokens][:-1]


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder"])
def test_masks_and_passes_are_studied_for_any_model_that_writes(kind):
    model = MadeUp(kind)
    tracer = Tracer(model)
    batch = translate_batch(tracer, (TEXT, "a dog"))
    study = study_masks(model, batch, 1, "decoder", read_edits(["causal-mask:none"]))
    assert study.broken.on_future_LHQ.max() > 0 == study.intact.on_future_LHQ.max()
    assert not study.intact.on_pads_LHQ.any()
    if kind == "decoder":  # it may never end
        assert all(len(recipe.target) <= 8 for recipe in batch.recipes) and not batch.is_cut
    passes = study_passes(model, tracer.evaluate(batch.recipes[0]), "decoder")
    assert passes.weights_apart < 1e-5 and passes.log_probabilities_apart < 1e-4


def test_our_own_model_is_behind_the_protocol(tiny):
    model = OwnModel(tiny)
    assert model.facts["width"] == tiny.config.width
    assert len(model.fingerprint) == 8
    assert model.opens_on == {"site": "cross", "layer": 2, "head": 0, "rows": "fed"}
    tokens = model.source("The cat.", 2)
    assert tokens.kinds[-2:] == ("pad", "pad")
    assert torch.equal(
        model.full_pass([tokens.ids], [[1]]).logits_BTV,
        model.transformer(torch.tensor([tokens.ids]), torch.tensor([[1]])).logits_BTV,
    )
