import math

import numpy as np
import pytest

from model_core.decoding.choosing import choose
from model_core.values.draw import draw
from model_core.values.recipe import Strategy
from model_core.values.trace import DecodeStep

NEVER = (0, 1)


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
    counts, step = dict.fromkeys(wanted, 0), made_step(LOGITS)
    for seed in range(draws):
        token, how = choose(step, Strategy("sample", seed=seed, **settings), NEVER)
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


@pytest.mark.parametrize(
    "settings", [{}, {"temperature": 3.0}, {"top_k": 4, "top_p": 0.9}], ids=str
)
def test_the_dart_is_in_the_part_of_the_token_that_is_drawn(settings):
    drawn = set()
    for seed in range(300):
        strategy = Strategy("sample", seed=seed, **settings)
        made = draw(made_step(LOGITS, 5), strategy, NEVER)
        assert made.token == choose(made_step(LOGITS, 5), strategy, NEVER)[0]
        assert made.dart == np.random.default_rng((seed, 5)).random()
        begin, share = made.part(made.token)
        assert begin <= made.dart < begin + share
        drawn.add(made.token)
    assert len(drawn) > 2


@pytest.mark.parametrize("settings", [{"temperature": 3.0}, {"top_k": 3, "top_p": 0.6}], ids=str)
def test_shares_are_the_distribution_that_is_drawn_from(settings):
    strategy = Strategy("sample", **settings)
    made, wanted = draw(made_step(LOGITS), strategy, NEVER), reference(strategy)
    assert made.tokens_N.tolist() == list(wanted)
    assert made.shares_N == pytest.approx(list(wanted.values()), rel=1e-12)
    assert [made.part(token)[1] for token in wanted] == list(made.shares_N)
    assert made.part(8)[1] == (wanted.get(8) or 0) and made.part(0) == (1.0, 0.0)
    scaled = made_step(LOGITS).log_probabilities_V.astype(float)[2:] / strategy.temperature
    assert made.log_total == pytest.approx(math.log(np.exp(scaled).sum()), rel=1e-12)


def test_draws_are_those_of_older_links():
    # Frozen: a seed in a link promises its tokens.
    at = Strategy("sample", temperature=1.7, top_k=6, top_p=0.9, seed=11)
    drawn = [choose(made_step(LOGITS, index), at, NEVER)[0] for index in range(12)]
    assert drawn == [6, 6, 5, 2, 6, 6, 6, 9, 9, 9, 3, 9]
