"""The tree of a beam search: every step of it, against the search and against brute force."""

import functools
import math

import pytest
import torch

from model_core.decoding.beam import ALPHA, Before, SearchSpace, search, search_from, started
from model_core.decoding.tracer import Tracer
from model_core.decoding.tree import grow
from model_core.errors import DecodingFinished
from model_core.models.loading import open_model
from model_core.models.own import OwnModel
from model_core.values.beam_tree import Rule, dropped_at, parting_of
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe, Strategy
from tests.conftest import CHECKPOINTS
from tests.made_up import MadeUp
from tests.model_core.decoding.test_beam import (
    END,
    LIMIT,
    PAD,
    SOURCES,
    START,
    ending_model,
    greedy,
    smallest_model,
)

NEVER = (PAD, START)


def begun(model, source):
    with torch.inference_mode():
        return started(model, [source])[0]


@functools.cache
@torch.inference_mode()
def followers(model, source, tokens):
    """The log-probability of every token after some, from one full pass without a cache."""
    target_BT = torch.tensor([[START, *tokens]])
    logits_V = model(torch.tensor([source]), target_BT).logits_BTV[0, -1].log_softmax(dim=-1)
    return {token: float(nats) for token, nats in enumerate(logits_V) if token not in NEVER}


@pytest.mark.parametrize("seed", range(3))
def test_every_step_is_that_of_a_search_by_brute_force(seed):
    model, source = smallest_model(seed), (4, 5, 3, END)
    start = SearchSpace(begun(model, source), LIMIT, NEVER, (END,))
    for width in (1, 2, 3, 5, 16):
        check_steps(model, source, grow(start, width), width)


def check_steps(model, source, tree, width):
    """Every step of a tree is what is best among all that could have followed."""
    living = {(): 0.0}
    for step in range(1, tree.steps + 1):
        grown = {
            (*tokens, token): total + nats
            for tokens, total in living.items()
            for token, nats in followers(model, source, tokens).items()
        }
        best = sorted(grown, key=lambda tokens: -grown[tokens])
        kept = [tokens for tokens in best if tokens[-1] != END][:width]
        finished = [tokens for tokens in best[:width] if tokens[-1] == END]
        for fate, expected in (("kept", kept), ("finished", finished)):
            places = [p for p, n in enumerate(tree.nodes) if (n.step, n.fate) == (step, fate)]
            assert {tree.tokens(place) for place in places} == set(expected)
            for place in places:
                node, penalty = tree.nodes[place], ((5 + step) / 6) ** ALPHA
                assert node.total == pytest.approx(grown[tree.tokens(place)], rel=1e-12)
                assert node.score == pytest.approx(node.total / penalty, rel=1e-12)
                assert best[node.rank] == tree.tokens(place)
        living = {tokens: grown[tokens] for tokens in kept}


@pytest.mark.parametrize("alpha", [0.0, ALPHA, 2.0])
@pytest.mark.parametrize("width", [1, 2, 7, 16])
def test_the_tree_finds_what_the_search_finds_and_says_when_each_hypothesis_dies(width, alpha):
    model = ending_model(width)
    for source in SOURCES[:3]:
        start = begun(model, source)
        tree = grow(SearchSpace(start, 12, NEVER, (END,), Rule(alpha), Before(2, -1.5)), width)
        (found,) = search_from(start, [12], width, NEVER, (END,), Rule(alpha), Before(2, -1.5))
        assert len(tree.found) == len(found)
        for place, one in zip(tree.found, found, strict=True):
            assert tree.tokens(place) == one.written
            assert (tree.nodes[place].total, tree.nodes[place].score) == (
                one.log_probability,
                one.score,
            )
        children = {}
        for node in tree.nodes:
            children.setdefault(node.parent, []).append(node)
            before = -1.5 if node.parent is None else tree.nodes[node.parent].total
            assert node.total == pytest.approx(before + node.log_probability, rel=1e-12)
        for place, node in enumerate(tree.nodes):
            below = children.get(place, [])
            if node.fate != "kept":
                assert not below and node.died == (None if node.fate == "finished" else node.step)
            elif node.died is None:  # one of its line finished, or lives when the search is over
                assert any(one.died is None for one in below) or node.step == tree.steps
            else:
                assert node.died == max(one.died for one in below)
        for step in range(1, tree.steps + 1):
            fates = [node.fate for node in tree.nodes if node.step == step]
            assert fates.count("kept") <= width and fates.count("pruned") <= 3 * width


def test_a_tree_of_width_one_is_greedy_decoding_and_agrees_with_itself():
    model = ending_model(1)
    for source in SOURCES:
        ((one, *_),) = search(model, [source], 1)
        assert one.tokens == greedy(model, source)
        tree = grow(SearchSpace(begun(model, source), 2 * len(source) + 16, NEVER, (END,)), 1)
        assert tree.tokens(tree.winner)[: len(one.tokens)] == one.tokens
        assert parting_of(tree, tree).outcome == "same"


def test_the_parting_says_which_choice_was_better_at_once_and_which_in_the_end():
    seen = set()
    for seed in range(30):
        model, source = smallest_model(seed), (4, 5, 3, END)
        start = begun(model, source)
        narrow = grow(SearchSpace(start, LIMIT, NEVER, (END,)), 1)
        for width, alpha in ((2, 0.0), (4, 2.0)):
            tree = grow(SearchSpace(start, LIMIT, NEVER, (END,), Rule(alpha)), width)
            alone = grow(SearchSpace(start, LIMIT, NEVER, (END,), Rule(alpha)), 1)
            parting = parting_of(tree, alone)
            seen.add(parting.outcome)
            taken = (tree.tokens(tree.winner), narrow.tokens(narrow.winner))
            if parting.outcome == "same":
                assert taken[0] == taken[1]
                continue
            at = parting.step - 1
            assert taken[0][:at] == taken[1][:at] and taken[0][at] != taken[1][at]
            nats = followers(model, source, taken[0][:at])
            assert parting.greedy_token.log_probability == pytest.approx(nats[taken[1][at]])
            assert parting.beam_token.log_probability == pytest.approx(nats[taken[0][at]])
            assert parting.greedy_token.log_probability >= parting.beam_token.log_probability
            assert parting.dropped == dropped_at(tree, taken[1])
            if parting.outcome == "total":
                assert parting.beam.total > parting.greedy.total
    assert {"same", "total"} <= seen


@pytest.mark.parametrize(
    ("name", "source"),
    [("zh-en", "老猫睡了。"), ("en-fr-prenorm", "The cat sleeps."), ("reverse-hard", "cab")],
)
def test_a_shipped_model_finds_in_its_tree_what_its_beam_writes(name, source):
    tracer = Tracer(open_model(CHECKPOINTS / name, name))
    for width in (1, 5, 16):
        strategy = Strategy("beam", width=width)
        recipe, decoding = tracer.extend(Recipe(name, source, strategy=strategy), None)
        tree = tracer.tree(Recipe(name, source), width)
        assert tree.tokens(tree.winner) == recipe.target_ids
        total = sum(decoding.log_probabilities)
        assert tree.nodes[tree.winner].total == pytest.approx(total, abs=1e-4)
    greedily, _ = tracer.extend(Recipe(name, source), None)
    narrow = tracer.tree(Recipe(name, source), 1)
    assert narrow.tokens(narrow.winner) == greedily.target_ids


def test_a_tree_goes_on_from_what_was_chosen_and_with_the_edits(tiny):
    for edits in ((), read_edits(["no-scale"])):
        tracer = Tracer(OwnModel(tiny), edits=edits)
        begun = tracer.beginning(Recipe("tiny", "The old cat.", edits=edits), "Le vieux")
        tree = tracer.tree(begun, 3)
        assert tree.before_tokens == len(begun.target)
        assert tree.before_total == sum(tracer.evaluate(begun).log_probabilities)
        beam = Recipe("tiny", "The old cat.", begun.target, strategy=Strategy("beam", width=3))
        done, _ = tracer.extend(Recipe(**{**vars(beam), "edits": edits}), None)
        assert done.target_ids == begun.target_ids + tree.tokens(tree.winner)
    tracer = tracer.edited(())
    done, decoding = tracer.extend(Recipe("tiny", "The old cat."), None)
    if decoding.finished is not None:
        with pytest.raises(DecodingFinished):
            tracer.tree(done, 3)


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder"])
def test_a_model_of_another_make_has_its_tree_too(kind):
    tracer = Tracer(MadeUp(kind))
    recipe = Recipe(tracer.model.name, "a b c", strategy=Strategy("beam", width=3))
    done, _ = tracer.extend(recipe, None)
    tree = tracer.tree(Recipe(tracer.model.name, "a b c"), 3)
    assert tree.tokens(tree.winner) == done.target_ids
    assert all(math.isfinite(node.total) for node in tree.nodes)
