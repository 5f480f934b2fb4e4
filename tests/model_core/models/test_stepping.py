import dataclasses
import functools

import numpy as np
import pytest
import torch

from model_core.errors import DecodingFinished, RecipeError, SourceTooLong
from model_core.models.stepping import advance, start
from model_core.tokenizer import Tokenizer
from model_core.transformer.masks import mask_from
from model_core.values.trace import SITES
from tests.tiny import LINES
from tests.variants import (
    TARGET,
    every_variant,
    ids,
    replayed_scores,
    replayed_weights,
    variant_model,
)

TOKENIZER = Tokenizer.train(LINES, "bpe", 300)


def decoded(model, text="The old cat.", pads=0, target=TARGET):
    state = start(model, TOKENIZER.encode(text, pads), TOKENIZER)
    for token in target[1:]:
        state = advance(model, state, TOKENIZER, token)
    return state


@every_variant
def test_the_rows_of_a_decoding_equal_the_full_pass(variant):
    model = variant_model(variant)
    decoding = decoded(model, pads=2).decoding
    full = model(torch.tensor([decoding.source.ids]), ids(TARGET))
    for site in SITES:
        assert decoding.layers(site) == len(full.records(site))
        for layer, record in enumerate(full.records(site)):
            trace = decoding.trace(site, layer)
            for name in ("q_HQE", "k_HKE", "v_HKE", "weights_HQK"):
                wanted = getattr(record, name.replace("H", "BH", 1))[0].detach().numpy()
                np.testing.assert_allclose(getattr(trace, name), wanted, rtol=0, atol=1e-12)
            seen_QK = trace.mask_QK if site == "decoder" else np.ones_like(trace.mask_QK)
            scores_HQK = record.scores_BHQK[0].detach().numpy() * seen_QK
            np.testing.assert_allclose(trace.scores_HQK, scores_HQK, rtol=0, atol=1e-12)
            mask_QK = record.mask.allowed_BQK[0].expand(trace.mask_QK.shape).numpy()
            assert (trace.mask_QK == mask_QK).all()
            assert (trace.weights_HQK[:, ~trace.mask_QK] == 0).all()
    steps_TV = np.stack([step.log_probabilities_V for step in decoding.steps])
    wanted_TV = full.logits_BTV[0].log_softmax(-1).detach().numpy()
    np.testing.assert_allclose(steps_TV, wanted_TV, rtol=0, atol=1e-12)


@every_variant
def test_a_decoding_replays_from_what_it_shows(variant):
    model = variant_model(variant)
    decoding = decoded(model, pads=1).decoding
    stacks = {
        "encoder": [layer.self_attention for layer in model.encoder],
        "decoder": [layer.self_attention for layer in model.decoder],
        "cross": [layer.cross_attention for layer in model.decoder],
    }
    for site in SITES:
        for layer, attention in enumerate(stacks[site]):
            trace = decoding.trace(site, layer)
            scores_BHQK = replayed_scores(attention, trace.q_HQE[None], trace.k_HKE[None])
            weights_BHQK = replayed_weights(attention, scores_BHQK, trace.mask_QK[None])
            np.testing.assert_allclose(trace.weights_HQK, weights_BHQK[0], rtol=0, atol=1e-12)
            seen_QK = trace.mask_QK if site == "decoder" else np.ones_like(trace.mask_QK)
            wanted = scores_BHQK[0] * seen_QK
            np.testing.assert_allclose(trace.scores_HQK, wanted, rtol=0, atol=1e-12)


def test_a_decoding_shows_the_mask_that_was_used(monkeypatch):
    model, hidden = variant_model("paper"), 2
    allowed_BQK = torch.ones(1, 1, len(TOKENIZER.encode("The old cat.")), dtype=torch.bool)
    allowed_BQK[..., hidden] = False
    mask = mask_from("a hidden token", allowed_BQK)
    monkeypatch.setattr(model, "encode", functools.partial(model.encode, mask=mask))
    decoding = decoded(model).decoding
    for site in ("encoder", "cross"):
        for layer in range(decoding.layers(site)):
            trace = decoding.trace(site, layer)
            assert not trace.mask_QK[:, hidden].any()
            assert (np.delete(trace.mask_QK, hidden, axis=1)).all()
            assert (trace.weights_HQK[:, :, hidden] == 0).all()


def test_pads_change_no_shown_number():
    model = variant_model("paper")
    plain, padded = decoded(model).decoding, decoded(model, pads=5).decoding
    S = len(plain.source)
    for site in SITES:
        one, other = plain.trace(site, 1), padded.trace(site, 1)
        for name in ("scores_HQK", "weights_HQK"):
            values = getattr(other, name)
            if site == "encoder":
                values = values[:, :S]
            if site != "decoder":
                values = values[:, :, :S]
            np.testing.assert_allclose(getattr(one, name), values, rtol=0, atol=1e-12)
        if site != "decoder":
            assert (other.weights_HQK[:, :, S:] == 0).all()
            assert not other.mask_QK[:, S:].any()


def test_the_whole_vocabulary_sums_to_one_and_choices_keep_its_probability():
    decoding = decoded(variant_model("paper")).decoding
    assert len(decoding.log_probabilities) == len(decoding.chosen) == len(TARGET) - 1
    for step, token, nats in zip(
        decoding.steps, TARGET[1:], decoding.log_probabilities, strict=False
    ):
        assert np.exp(step.log_probabilities_V).sum() == pytest.approx(1, abs=1e-12)
        assert nats == step.log_probabilities_V[token]
    best = decoding.step.best(5)
    assert np.exp(decoding.step.log_probabilities_V[best]).sum() < 0.999


def test_a_state_stays_as_it_was_when_others_grow_from_it():
    model = variant_model("paper")
    middle = decoded(model, target=TARGET[:4])
    before = [layer.k_BHKE.clone() for layer in middle.past.layers]
    branch = advance(model, advance(model, middle, TOKENIZER, 70), TOKENIZER, 71)
    straight = middle
    for token in TARGET[4:]:
        straight = advance(model, straight, TOKENIZER, token)
    for layer, k_BHKE in zip(middle.past.layers, before, strict=True):
        assert torch.equal(layer.k_BHKE, k_BHKE)
    alone = decoded(model)
    for one, other in ((straight, alone), (branch, decoded(model, target=[*TARGET[:4], 70, 71]))):
        assert one.decoding.target.ids == other.decoding.target.ids
        for first, second in zip(one.decoding.steps, other.decoding.steps, strict=True):
            np.testing.assert_allclose(
                first.log_probabilities_V, second.log_probabilities_V, rtol=0, atol=1e-12
            )


def test_every_array_is_read_only_and_owns_its_memory():
    decoding = decoded(variant_model("rotary")).decoding
    arrays = [array for pair in decoding.cross_keys for array in pair]
    for step in decoding.steps:
        arrays.append(step.log_probabilities_V)
        for row in step.decoder_rows + step.cross_rows:
            arrays += [value for value in vars(row).values() if value is not None]
    for site in SITES:
        trace = decoding.trace(site, 0)
        arrays += [value for value in vars(trace).values() if isinstance(value, np.ndarray)]
    for array in arrays:
        assert array.base is None and array.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize(("token", "message"), [(0, "pad"), (1, "start"), (-1, "-1"), (300, "300")])
def test_a_token_that_cannot_be_chosen_is_refused(token, message):
    model = variant_model("paper")
    state = decoded(model, target=TARGET[:2])
    with pytest.raises(RecipeError, match=message):
        advance(model, state, TOKENIZER, token)


def test_a_forced_token_is_taken_whatever_its_probability():
    model = variant_model("paper")
    state = decoded(model, target=TARGET[:2])
    worst = int(state.decoding.step.log_probabilities_V[2:].argmin()) + 2
    chosen = advance(model, state, TOKENIZER, worst).decoding.chosen[-1]
    assert (chosen.token, chosen.how) == (worst, "forced")


def test_the_end_token_finishes_and_is_not_fed_in():
    model = variant_model("paper")
    before = decoded(model, target=TARGET[:3])
    ended = advance(model, before, TOKENIZER, 2)
    assert ended.decoding.finished == "end"
    assert len(ended.decoding.steps) == len(before.decoding.steps)
    assert ended.decoding.target.kinds == ("special", "text", "text", "special")
    with pytest.raises(DecodingFinished, match="end"):
        advance(model, ended, TOKENIZER, 9)


def test_a_decoding_ends_where_the_positions_do():
    model = variant_model("paper", max_positions=8)
    state = decoded(model, "", target=TARGET)
    assert state.decoding.finished == "limit" and len(state.decoding.steps) == 8
    with pytest.raises(DecodingFinished, match="8 tokens"):
        advance(model, state, TOKENIZER, 9)


def test_a_source_that_is_too_long_is_refused_with_both_numbers():
    model = variant_model("paper", max_positions=8)
    source = TOKENIZER.encode("", pads=7)
    assert len(start(model, source, TOKENIZER).decoding.source) == 8
    with pytest.raises(SourceTooLong, match=r"9 tokens.*reads 8"):
        start(model, TOKENIZER.encode("", pads=8), TOKENIZER)


def test_a_state_is_frozen():
    state = decoded(variant_model("paper"), target=TARGET[:2])
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.decoding = None
