import itertools
import math

import pytest
import torch

from model_core.decoding import beam
from model_core.decoding.beam import (
    ALPHA,
    Hypothesis,
    decode_with_beam,
    output_limit,
    search,
    search_from,
    started,
)
from model_core.transformer.transformer import Transformer
from model_core.values.beam_tree import Rule
from tests.tiny import tiny_model

PAD, START, END = 0, 1, 2
LIMIT = 4  # positions of the smallest model: so many tokens at most
SOURCES = [(5, 17, 40, 8, END), (9, END), (33, 120, 7, 7, 250, 64, 12, END), (5, 17, END)]


def smallest_model(seed: int) -> Transformer:
    """Three pieces of text and four positions: 120 possible outputs, uneven in probability."""
    model = tiny_model(seed, source_vocabulary=6, target_vocabulary=6, max_positions=LIMIT)
    with torch.no_grad():
        model.logits.weight *= 2
    return model.double()


def ending_model(seed: int) -> Transformer:
    """A model that ends its sentences after a few tokens here and there."""
    model = tiny_model(seed, logits_bias=True).double()
    with torch.no_grad():
        model.logits.bias[END] += 3
    return model


@torch.inference_mode()
def log_probability(model: Transformer, source: tuple[int, ...], target: tuple[int, ...]) -> float:
    """That of these target tokens in nats, from one full pass."""
    source_BS, target_BT = torch.tensor([source]), torch.tensor([[START, *target[:-1]]])
    logits_TV = model(source_BS, target_BT).logits_BTV[0].log_softmax(dim=-1)
    return sum(float(logits_TV[row, token]) for row, token in enumerate(target))


@torch.inference_mode()
def greedy(model: Transformer, source: tuple[int, ...]) -> tuple[int, ...]:
    """Greedy decoding without batch, cache or beam."""
    target = [START]
    for _ in range(output_limit(len(source), model.config.max_positions)):
        logits_V = model(torch.tensor([source]), torch.tensor([target])).logits_BTV[0, -1]
        logits_V[[PAD, START]] = -math.inf
        target.append(int(logits_V.argmax()))
        if target[-1] == END:
            return tuple(target[1:-1])
    return tuple(target[1:])


def every_output(model: Transformer, source: tuple[int, ...]) -> dict[tuple[int, ...], float]:
    """The log-probability of every output that ends within the limit."""
    return {
        tokens: log_probability(model, source, (*tokens, END))
        for length in range(LIMIT)
        for tokens in itertools.product((3, 4, 5), repeat=length)
    }


def ranked(nats: dict[tuple[int, ...], float], alpha: float) -> list[Hypothesis]:
    """Outputs with their scores, the best first."""
    scores = {tokens: each / ((6 + len(tokens)) / 6) ** alpha for tokens, each in nats.items()}
    found = [Hypothesis(tokens, True, nats[tokens], scores[tokens]) for tokens in nats]
    return sorted(found, key=lambda one: -one.score)


@pytest.mark.parametrize("seed", range(3))
def test_a_beam_wide_enough_finds_what_an_exhaustive_search_finds(seed: int) -> None:
    model = smallest_model(seed)
    sources = [(3, END), (4, 5, 3, END)]
    every = {source: every_output(model, source) for source in sources}
    for source, alpha in itertools.product(sources, (-3.0, -1.0, 0.0, ALPHA, 2.0)):
        expected = ranked(every[source], alpha)
        (found,) = search(model, [source], width=64, alpha=alpha)
        assert found[0].tokens == expected[0].tokens
        known = {one.tokens: one for one in expected}
        for one in found:
            assert one.end is not None
            assert one.log_probability == pytest.approx(known[one.tokens].log_probability)
            assert one.score == pytest.approx(known[one.tokens].score)
        assert [one.score for one in found] == sorted((o.score for o in found), reverse=True)


@pytest.mark.parametrize("seed", range(2))
def test_a_beam_of_one_is_greedy_decoding(seed: int) -> None:
    for model in (ending_model(seed), tiny_model(seed).double()):
        expected = tuple(greedy(model, source) for source in SOURCES)
        assert decode_with_beam(model, SOURCES, width=1) == expected


@pytest.mark.parametrize("seed", range(2))
def test_a_sentence_is_translated_alike_whatever_it_is_batched_with(seed: int) -> None:
    model = ending_model(seed)
    together = search(model, SOURCES, width=3)
    for source, found in zip(SOURCES, together, strict=True):
        (alone,) = search(model, [source], width=3)
        assert [one.tokens for one in alone] == [one.tokens for one in found]
        assert [o.score for o in alone] == pytest.approx([o.score for o in found], rel=1e-12)
    several = decode_with_beam(model, SOURCES, width=3, rows=7)
    assert several == tuple(found[0].tokens for found in together)


@pytest.mark.parametrize("seed", range(2))
def test_a_score_is_the_log_probability_of_its_tokens_over_the_length_penalty(seed: int) -> None:
    model = ending_model(seed)
    for source, found in zip(SOURCES, search(model, SOURCES, width=4), strict=True):
        assert 1 <= len(found) <= 4 and len(set(found)) == len(found)
        for one in found:
            target = one.written
            assert not {PAD, START, END} & set(one.tokens)
            assert one.log_probability == pytest.approx(log_probability(model, source, target))
            penalty = Rule().divisor(len(target))
            assert one.score == pytest.approx(one.log_probability / penalty)


@pytest.mark.parametrize("seed", range(2))
def test_a_narrow_beam_finds_nothing_better_than_an_exhaustive_search(seed: int) -> None:
    model = smallest_model(seed)
    best = ranked(every_output(model, (4, 4, END)), ALPHA)[0]
    for width in (1, 2, 5):
        (found,) = search(model, [(4, 4, END)], width)
        assert all(one.score <= best.score + 1e-12 for one in found if one.end is not None)


def test_an_output_that_never_ends_is_cut_at_the_limit_of_its_source() -> None:
    model = tiny_model(max_positions=40, logits_bias=True).double()
    with torch.no_grad():
        model.logits.bias[END] -= 100
    found = search(model, [(5, END), (5, 6, 7, END)], width=2)
    for source_tokens, hypotheses in zip((2, 4), found, strict=True):
        for one in hypotheses:
            assert one.end is None
            assert len(one.tokens) == output_limit(source_tokens, 40) == 2 * source_tokens + 16


def test_a_beam_wider_than_the_vocabulary_still_searches() -> None:
    (found,) = search(smallest_model(1), [(3, END)], width=7)
    assert len({one.tokens for one in found}) == len(found)


def test_searching_leaves_the_model_as_it_was() -> None:
    model = tiny_model().train()
    random = torch.get_rng_state()
    decode_with_beam(model, [(5, END)], width=2)
    assert model.training
    assert torch.equal(random, torch.get_rng_state())


def test_a_search_that_is_stopped_leaves_the_model_in_training(monkeypatch) -> None:
    model = tiny_model().train()
    turns = [None]
    monkeypatch.setattr(beam, "check_time", turns.pop)  # the second one is too many
    with pytest.raises(IndexError):
        search(model, [(5, 6, END)], width=2)
    assert model.training


def test_what_a_search_begins_from_stays_as_it_was() -> None:
    model = tiny_model()
    with torch.inference_mode():
        start, _ = started(model, [(5, 6, END)])
        before = start.logits_NV.clone()
        found = [search_from(start, [9], 3, (PAD, START), (END,)) for _ in range(2)]
    assert torch.equal(start.logits_NV, before)
    assert found[0] == found[1]


def test_longer_outputs_are_divided_by_more_and_alpha_zero_divides_by_one() -> None:
    assert Rule().divisor(1) == 1
    assert Rule(1.0).divisor(9) == pytest.approx(14 / 6)
    assert Rule(0.0).divisor(30) == 1
