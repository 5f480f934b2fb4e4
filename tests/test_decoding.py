import dataclasses
import math

import numpy as np
import pytest
import torch

from model_core.decoding import advance, choose, start
from model_core.errors import DecodingFinished, RecipeError, SourceTooLong
from model_core.recipe import Strategy
from model_core.tokenizer import Tokenizer
from model_core.trace import SITES, DecodeStep
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
NEVER = (0, 1)


def decoded(model, text="The old cat.", pads=0, target=TARGET):
    state = start(model, TOKENIZER.encode(text, pads), TOKENIZER)
    for token in target[1:]:
        state = advance(model, state, TOKENIZER, token)
    return state


@every_variant
def test_the_rows_of_a_decoding_equal_the_full_pass(variant):
    model = variant_model(variant)
    decoding = decoded(model, pads=2).decoding
    encoded = model.encode(torch.tensor([decoding.source.ids]))
    full = model.decode(ids(TARGET), encoded)
    records = dict(
        zip(SITES, (encoded.records, full.self_records, full.cross_records), strict=True)
    )
    for site in SITES:
        for layer, record in enumerate(records[site]):
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
    for step, chosen in zip(decoding.steps, decoding.chosen, strict=False):
        assert np.exp(step.log_probabilities_V).sum() == pytest.approx(1, abs=1e-12)
        assert chosen.log_probability == step.log_probabilities_V[chosen.token]
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


def made_step(logits, index=0):
    logits_V = np.asarray(logits, dtype=np.float32)
    log_probabilities_V = logits_V - np.log(np.exp(logits_V.astype(float)).sum())
    return DecodeStep(index, log_probabilities_V.astype(np.float32), (), ())


LOGITS = [9.0, 8.0, 0.5, 2.0, -1.0, 1.5, 2.5, 0.0, -30.0, 1.9]  # the two that may not be are best


def reference(strategy):
    """The distribution by the definitions: scale, keep the k best, then the smallest set with p."""
    log_probabilities_V = made_step(LOGITS).log_probabilities_V.astype(float)
    scaled = {
        token: log_probability / strategy.temperature
        for token, log_probability in enumerate(log_probabilities_V)
        if token not in NEVER
    }
    ranked = sorted(scaled, key=lambda token: -scaled[token])
    if strategy.top_k:
        ranked = ranked[: strategy.top_k]
    highest = max(scaled.values())
    mass = {token: math.exp(scaled[token] - highest) for token in ranked}
    total, kept = sum(mass.values()), []
    while ranked and (not kept or sum(mass[t] for t in kept) / total < strategy.top_p):
        kept.append(ranked.pop(0))
    total = sum(mass[token] for token in kept)
    return {token: mass[token] / total for token in kept}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"temperature": 0.5},
        {"temperature": 3.0},
        {"top_k": 3},
        {"top_p": 0.6},
        {"top_p": 1e-9},
        {"temperature": 1.7, "top_k": 6, "top_p": 0.9},
        {"temperature": 100.0, "top_k": 1_000_000},
    ],
    ids=str,
)
def test_draws_follow_the_distribution_of_the_strategy(settings):
    wanted, draws = reference(Strategy("sample", **settings)), 3000
    counts = dict.fromkeys(wanted, 0)
    for seed in range(draws):
        token, how = choose(made_step(LOGITS), Strategy("sample", seed=seed, **settings), NEVER)
        assert how == "sampled"
        counts[token] += 1  # a KeyError is a token that should not have been kept
    for token, probability in wanted.items():
        deviation = math.sqrt(probability * (1 - probability) / draws)
        assert abs(counts[token] / draws - probability) < 5 * deviation + 1e-9


@pytest.mark.parametrize(
    "strategy", [Strategy(), Strategy("sample", top_k=1), Strategy("sample", temperature=0.01)]
)
def test_pad_and_start_are_never_chosen(strategy):
    assert choose(made_step(LOGITS), strategy, NEVER)[0] == 6
    only = made_step([5.0, 5.0, -80.0])
    assert choose(only, strategy, NEVER)[0] == 2


def test_greedy_takes_the_lower_id_of_equals():
    assert choose(made_step([0, 0, 1, 3, 3]), Strategy(), NEVER) == (3, "greedy")


def test_a_draw_depends_on_seed_and_step_alone():
    def draws(seed):
        return [
            choose(made_step([0.0] * 50, index), Strategy("sample", seed=seed), NEVER)[0]
            for index in range(20)
        ]

    assert draws(7) == draws(7)
    assert draws(7) != draws(8)
    assert len(set(draws(7))) > 5
    assert draws(7)[13] == choose(made_step([0.0] * 50, 13), Strategy("sample", seed=7), NEVER)[0]


def test_a_draw_that_is_rounded_up_to_the_whole_mass_still_finds_a_token(monkeypatch):
    class Highest:
        def random(self):
            return 1.0

    monkeypatch.setattr(np.random, "default_rng", lambda seed: Highest())
    token, _ = choose(made_step(LOGITS), Strategy("sample", temperature=0.01), NEVER)
    assert token in reference(Strategy("sample", temperature=0.01))


def test_a_state_is_frozen():
    state = decoded(variant_model("paper"), target=TARGET[:2])
    with pytest.raises(dataclasses.FrozenInstanceError):
        state.decoding = None
