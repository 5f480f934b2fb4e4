"""Stepping against the library's own `generate`, and what is recorded against its eager pass."""

import copy

import numpy as np
import pytest
import torch

from model_core.decoding.beam import search_from
from model_core.decoding.tracer import Tracer
from model_core.models.hub.families import FAMILIES
from model_core.models.hub.opening import behind, end_of, start_of
from model_core.models.hub.words import Words
from model_core.values.recipe import Recipe
from tests.model_core.models.hub.tiny import eager
from tests.model_core.models.hub.tokenizing import tokenizer_of

GENERATING = [name for name, family in FAMILIES.items() if family.kind != "encoder"]
TEXTS = ("the old cat sleeps", "a warm roof", "x y z on q the p .")
STEPS = 12


def model_of(name, seed=0, **more):
    own = eager(name, seed, **more)
    family = FAMILIES[name]
    words = Words(tokenizer_of(family.kind), family, start_of(own), end_of(own))
    return own, behind(name, copy.deepcopy(own), family, words)


def generated(own, model, text, **how):
    source = model.source(text)
    found = own.generate(
        torch.tensor([source.ids]),
        max_new_tokens=STEPS,
        do_sample=False,
        suppress_tokens=list(model.anatomy.special.never) or None,
        return_dict_in_generate=True,
        output_scores=True,
        **how,
    )
    prompt = 1 if model.family.kind == "encoder-decoder" else len(source)
    return tuple(found.sequences[0, prompt:].tolist()), found.get("sequences_scores")


@pytest.mark.parametrize("name", GENERATING)
def test_stepping_takes_the_tokens_that_greedy_generation_takes(name):
    own, model = model_of(name)
    tracer = Tracer(model)
    for text in TEXTS:
        recipe, decoding = tracer.extend(Recipe(name, text), STEPS)
        assert recipe.target_ids == generated(own, model, text)[0]
        assert decoding.prompt == len(decoding.target) - len(recipe.target)


@pytest.mark.parametrize("name", GENERATING)
def test_a_beam_finds_what_the_beam_of_the_library_finds(name):
    own, model = model_of(name)
    end, width = model.anatomy.special.end, 3
    for text in TEXTS:
        start = model.hypotheses(model.start(model.source(text)))
        (found,) = search_from(start, [STEPS], width, model.anatomy.special.never, end, alpha=0.0)
        wanted, scores = generated(
            own, model, text, num_beams=width, length_penalty=0.0, early_stopping=True
        )
        if found[0].ended and wanted[-1] != end:
            # What the limit cuts off competes with what has ended in the library, and not in ours.
            assert scores[0] > found[0].score
        else:
            assert wanted == (*found[0].tokens, *([end] if found[0].ended else []))
            assert float(scores[0]) == pytest.approx(found[0].score, abs=1e-4)


def test_what_the_models_write_has_some_variety():
    """Else the two tests above would say little."""
    written = []
    for name in GENERATING:
        own, model = model_of(name)
        written += [generated(own, model, text)[0] for text in TEXTS]
    assert sum(len(set(tokens)) > 3 for tokens in written) > len(written) / 2
    assert any(tokens[-1] == 1 for tokens in written)


@pytest.mark.parametrize("name", GENERATING)
def test_steps_record_what_one_whole_pass_records(name):
    """Every array of every row, and pads behind the source change none of them."""
    _, model = model_of(name)
    pads = 2 if model.family.kind == "encoder-decoder" else 0
    source = model.source(TEXTS[0], pads)
    state = model.start(source)
    while state.decoding.finished is None and len(state.decoding.chosen) < 6:
        step = state.decoding.step
        state = model.advance(state, next(t for t in step.best(9) if t > 4))
    decoding = state.decoding
    whole = model.full_pass([model.source(TEXTS[0]).ids], [decoding.target.ids])
    S = len(source) - pads
    for one in model.anatomy.sites:
        columns = S if one.columns == "source" else len(decoding.target)
        rows = S if one.rows == "source" else len(decoding.target)
        for layer, record in enumerate(whole.records(one.site)):
            trace = decoding.trace(one.site, layer)
            assert trace.k_HKE.shape[0] == one.key_heads
            for name, theirs in (
                ("weights_HQK", record.weights_BHQK),
                ("scores_HQK", record.scores_BHQK),
                ("bias_HQK", record.bias_BHQK),
            ):
                ours = getattr(trace, name)
                assert (ours is None) == (theirs is None)
                if theirs is None:
                    continue
                if one.causal and name != "weights_HQK":  # a step makes nothing of a later key
                    theirs = theirs.tril()
                found = ours[:, :rows, :columns]
                np.testing.assert_allclose(found, theirs[0], atol=2e-4, rtol=1e-4)
            assert not trace.weights_HQK[:, :, columns:].any()
            mask = record.mask.allowed_BQK[0].expand(rows, -1).numpy()
            np.testing.assert_array_equal(trace.mask_QK[:rows, :columns], mask)
            assert not trace.mask_QK[:, columns:].any()


@pytest.mark.parametrize("name", GENERATING)
def test_a_branch_leaves_the_state_that_it_left_as_it_was(name):
    _, model = model_of(name)
    first = model.start(model.source(TEXTS[1]))
    straight = model.advance(model.advance(first, 7), 8)
    kept = straight.decoding.trace("decoder", 0)
    other = model.advance(model.advance(first, 9), 8)
    again = model.advance(model.advance(first, 7), 8)
    for site in (one.site for one in model.anatomy.sites):
        one, two = (state.decoding.trace(site, 1) for state in (straight, again))
        assert np.array_equal(one.weights_HQK, two.weights_HQK)
        assert np.array_equal(one.k_HKE, two.k_HKE)
    assert np.array_equal(kept.k_HKE, straight.decoding.trace("decoder", 0).k_HKE)
    assert not np.array_equal(kept.k_HKE, other.decoding.trace("decoder", 0).k_HKE)
    assert straight.grew_from(first) and not straight.grew_from(other)


@pytest.mark.parametrize("name", [n for n, f in FAMILIES.items() if f.kind == "encoder"])
def test_an_encoder_alone_has_no_steps_and_is_finished(name):
    own, model = model_of(name)
    source = model.source(TEXTS[0], pads=2)
    state = model.start(source)
    decoding = state.decoding
    assert (decoding.prompt, len(decoding.steps), decoding.finished) == (0, 0, "end")
    assert [one.site for one in model.anatomy.sites] == ["encoder"]
    mask_BS = torch.tensor([[int(kind != "pad") for kind in source.kinds]])
    wanted = own(torch.tensor([source.ids]), attention_mask=mask_BS, output_attentions=True)
    for layer, weights_BHQK in enumerate(wanted.attentions):
        found = decoding.trace("encoder", layer)
        assert np.array_equal(found.weights_HQK, weights_BHQK[0].detach().numpy())
        assert not found.weights_HQK[:, :, -2:].any()
    logits_BSV = model.full_pass([source.ids], [()]).logits_BTV
    assert torch.equal(logits_BSV, wanted.logits)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_batch_of_unequal_rows_is_the_padded_batch_of_the_library(name):
    own, model = model_of(name)
    sources = [model.source(text).ids for text in TEXTS]
    targets = [(*(model.words.prompt() or (2,)), *range(5, 9 - row)) for row in range(3)]
    passed = model.full_pass(sources, targets)
    first = targets if model.family.kind == "decoder" else sources
    inputs = {}
    for side, rows in (("", first), ("decoder_", targets)):
        longest = max(map(len, rows))
        padded = [[*row, *[0] * (longest - len(row))] for row in rows]
        allowed = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
        inputs[f"{side}input_ids"] = torch.tensor(padded)
        inputs[f"{side}attention_mask"] = torch.tensor(allowed)
    if model.family.kind != "encoder-decoder":
        inputs = {key: value for key, value in inputs.items() if not key.startswith("decoder_")}
    with torch.inference_mode():
        wanted = own(**inputs)
    assert torch.equal(passed.logits_BTV, wanted.logits)
