import threading
from dataclasses import replace

import numpy as np
import pytest
import torch

from model_core.decoding.beam import search
from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.errors import DecodingFinished, RecipeError
from model_core.models.memory import memory_of
from model_core.models.own import OwnModel
from model_core.studies.path import study_path
from model_core.values.edits import read_edits
from model_core.values.recipe import Choice, Recipe, Strategy
from model_core.values.trace import SITES
from tests.made_up import MadeUp
from tests.tiny import tiny_checkpoint

RECIPE = Recipe("tiny", "The old cat sleeps.")
SAMPLED = Recipe("tiny", "The warm roof.", strategy=Strategy("sample", top_k=40, seed=5))


def tracer_within(tiny, limit):
    """A tracer whose cache holds so many bytes."""
    return Tracer(OwnModel(tiny), Cache(most_bytes=limit))


def sentence(recipe):
    """The key of a recipe's sentence in the cache."""
    return recipe.model, recipe.edits, recipe.source, recipe.pads, recipe.settings


def states_of(tracer, recipe):
    """The states of a recipe and its prefixes that are kept, by their target ids."""
    ids = recipe.target_ids
    prefixes = [ids[:length] for length in range(len(ids) + 1)]
    found = {prefix: tracer.cache.state(sentence(recipe), prefix) for prefix in prefixes}
    return {prefix: state for prefix, state in found.items() if state is not None}


def same(one, other):
    """Whether two decodings are equal to the last bit, but for how their tokens were chosen."""
    arrays = [
        (getattr(one.trace(site, layer), name), getattr(other.trace(site, layer), name))
        for site in SITES
        for layer in range(one.layers(site))
        for name in ("q_HQE", "k_HKE", "v_HKE", "scores_HQK", "mask_QK", "weights_HQK")
    ]
    arrays += [
        (step.log_probabilities_V, again.log_probabilities_V)
        for step, again in zip(one.steps, other.steps, strict=True)
    ]
    return one.target.ids == other.target.ids and all(np.array_equal(a, b) for a, b in arrays)


@pytest.mark.parametrize("limit", [0, 1, 40_000, 10**9])
def test_every_answer_is_the_same_with_any_cache(tiny, limit):
    fresh, cached = Tracer(OwnModel(tiny), Cache(0)), tracer_within(tiny, limit)
    for recipe in (RECIPE, SAMPLED, RECIPE):
        for count in (1, 3, None):
            wanted_recipe, wanted = fresh.extend(recipe, count)
            got_recipe, got = cached.extend(recipe, count)
            assert got_recipe == wanted_recipe and same(got, wanted)
            assert same(cached.evaluate(got_recipe), wanted)
        branch, _ = cached.extend(recipe, 4)
        forced, got = cached.extend(branch, 5, force=60)
        wanted_forced, wanted = fresh.extend(branch, 5, force=60)
        assert forced == wanted_forced and same(got, wanted)


@pytest.mark.parametrize("limit", [0, 40_000, 150_000])
def test_the_cache_stays_below_its_limit(tiny, limit):
    tracer = tracer_within(tiny, limit)
    for text in ("a", "the cat", "a", "roof", "the old roof"):
        tracer.extend(Recipe("tiny", text), None)
        assert tracer.cache.nbytes <= limit


def test_the_cache_counts_what_its_states_keep_alive(tiny):
    tracer = Tracer(OwnModel(tiny))
    recipe, _ = tracer.extend(RECIPE, 6)
    other, _ = tracer.extend(Recipe("tiny", RECIPE.source, recipe.target[:3]), 3, force=70)
    states = states_of(tracer, recipe) | states_of(tracer, other)
    assert len(states) == 10 and tracer.cache.nbytes == sum(memory_of(states).values())


def test_bytes_are_counted_in_full_when_a_prefix_was_dropped_in_the_meantime(tiny):
    tracer = Tracer(OwnModel(tiny))
    recipe, _ = tracer.extend(RECIPE, 4)
    state = states_of(tracer, recipe)[recipe.target_ids]
    again = Tracer(OwnModel(tiny))
    again.evaluate(RECIPE)  # another thread begins the same source anew
    again.cache.keep(sentence(RECIPE), recipe.target_ids, state)
    states = states_of(again, recipe)
    assert len(states) == 2 and again.cache.nbytes == sum(memory_of(states).values())


def test_what_the_rooms_ran_last_is_counted_and_stays_below_the_limit(tiny):
    limit = 1_000_000
    tracer, most = tracer_within(tiny, limit), 0
    recipe, decoding = tracer.extend(RECIPE, 6)
    before = tracer.cache.nbytes
    for position in range(6):
        study_path(tracer.model, decoding, "target", position, tracer.studied)
        for run in range(4):
            tracer.studied.of((position, run), lambda: np.zeros(10_000))
            assert tracer.cache.nbytes <= limit
            most = max(most, tracer.cache.nbytes)
    assert most > before + limit // 3 and recipe.target_ids in states_of(tracer, recipe)
    tracer.extend(replace(RECIPE, source="The warm roof."), None)
    assert tracer.cache.nbytes <= limit


def test_the_last_sentence_is_kept_before_what_the_rooms_ran(tiny):
    alone = Tracer(OwnModel(tiny))
    recipe, _ = alone.extend(RECIPE, None)
    tracer = tracer_within(tiny, alone.cache.nbytes)
    tracer.studied.of("run", lambda: np.zeros(alone.cache.nbytes // 16))
    assert len(tracer.cache) == 1
    tracer.extend(RECIPE, None)
    assert recipe.target_ids in states_of(tracer, recipe) and len(tracer.cache) == 1


def test_a_sentence_that_others_pushed_out_was_not_too_large(tiny):
    alone = Tracer(OwnModel(tiny))
    alone.extend(RECIPE, None)
    tracer = tracer_within(tiny, alone.cache.nbytes)
    edited = replace(RECIPE, edits=read_edits(["no-scale"]))
    tracer.edited(edited.edits).extend(edited, 2)
    recipe, _ = tracer.extend(RECIPE, 2)
    for source in ("The.", "The cat.", "cat.", "The old.", "old cat."):
        tracer.extend(replace(RECIPE, source=source), None)
    assert not states_of(tracer, recipe) and tracer.keeps(recipe)
    assert tracer.edited(edited.edits).keeps(edited)
    small = tracer_within(tiny, 1000)
    assert not small.keeps(small.extend(RECIPE, 1)[0])


def test_the_sentences_known_to_be_too_large_are_the_latest(tiny):
    tracer = tracer_within(tiny, 1)
    recipes = [replace(RECIPE, source=f"cat {n}", target=()) for n in range(30)]
    for recipe in recipes:
        tracer.evaluate(recipe)
    assert not tracer.keeps(recipes[-1])
    kept = [tracer.keeps(recipe) for recipe in recipes]
    assert kept == sorted(kept, reverse=True)  # those of which it is not known any more come first


def test_a_state_that_two_threads_computed_is_kept_and_counted_once(tiny):
    tracer, other = Tracer(OwnModel(tiny)), Tracer(OwnModel(tiny))
    recipe, _ = tracer.extend(RECIPE, 2)
    other.extend(RECIPE, 2)
    kept, nbytes = states_of(tracer, recipe), tracer.cache.nbytes
    twin = states_of(other, recipe)[recipe.target_ids]
    tracer.cache.keep(sentence(recipe), recipe.target_ids, twin)
    assert states_of(tracer, recipe) == kept and tracer.cache.nbytes == nbytes


def test_recipes_that_differ_in_text_or_pads_share_nothing(tiny):
    tracer = Tracer(OwnModel(tiny))
    sizes = [
        len(tracer.evaluate(Recipe("tiny", text, pads=pads)).source)
        for text, pads in (("a", 0), ("a", 3), ("a a", 0), ("a", 0))
    ]
    assert sizes[1] == sizes[0] + 3 and sizes[3] == sizes[0] != sizes[2]


def test_a_prefix_is_not_computed_again(tiny, monkeypatch):
    tracer, calls = Tracer(OwnModel(tiny)), []
    recipe, _ = tracer.extend(RECIPE, 5)
    monkeypatch.setattr(tracer.model, "advance", lambda *_: calls.append("advance"))
    monkeypatch.setattr(tracer.model, "start", lambda *_: calls.append("start"))
    for length in range(6):
        tracer.evaluate(Recipe("tiny", RECIPE.source, recipe.target[:length]))
    assert calls == []


def test_the_recipes_own_account_of_its_choices_is_kept(tiny):
    tracer = Tracer(OwnModel(tiny))
    recipe, decoding = tracer.extend(RECIPE, 3)
    assert {chosen.how for chosen in decoding.chosen} == {"greedy"}
    forced = Recipe("tiny", RECIPE.source, tuple(Choice(t, "forced") for t in recipe.target_ids))
    other = tracer.evaluate(forced)
    assert {chosen.how for chosen in other.chosen} == {"forced"}
    assert {chosen.how for chosen in tracer.evaluate(recipe).chosen} == {"greedy"}
    assert decoding.log_probabilities == other.log_probabilities


def test_extending_by_one_many_times_is_extending_at_once(tiny):
    tracer, recipe = Tracer(OwnModel(tiny)), SAMPLED
    for _ in range(6):
        recipe, decoding = tracer.extend(recipe)
    at_once, whole = Tracer(OwnModel(tiny)).extend(SAMPLED, 6)
    assert recipe == at_once and same(decoding, whole)


def test_a_beam_takes_what_the_search_of_the_source_finds(tmp_path):
    ending = tiny_checkpoint(tmp_path / "ending", logits_bias=True)
    with torch.no_grad():
        ending.model.logits.bias[2] += 5  # the end token
    recipe = replace(RECIPE, strategy=Strategy("beam", width=3))
    done, decoding = Tracer(OwnModel(ending)).extend(recipe, None)
    source = ending.source_tokenizer.encode(recipe.source).ids
    ((best, *_),) = search(ending.model, [source], width=3)
    assert best.end is not None and decoding.finished == "end"
    assert done.target_ids == (*best.tokens, ending.config.end_id)
    assert {choice.how for choice in done.target} == {"beam"}
    assert sum(decoding.log_probabilities) == pytest.approx(best.log_probability, rel=1e-4)


def test_a_beam_goes_on_from_what_was_forced_and_one_of_width_one_is_greedy(tiny):
    tracer = Tracer(OwnModel(tiny))
    forced, _ = tracer.extend(replace(RECIPE, strategy=Strategy("beam", width=1)), 1, force=60)
    done, _ = tracer.extend(forced, None)
    greedy, _ = tracer.extend(tracer.extend(RECIPE, 1, force=60)[0], None)
    assert done.target_ids == greedy.target_ids and done.target[0] == Choice(60, "forced")
    two, _ = tracer.extend(replace(RECIPE, strategy=Strategy("beam")), 2)
    assert len(two.target) == 2


def test_extending_by_none_or_a_finished_recipe_changes_nothing(tiny):
    tracer = Tracer(OwnModel(tiny))
    assert tracer.extend(RECIPE, 0)[0] == RECIPE
    ended, decoding = tracer.extend(RECIPE, 1, force=2)
    assert decoding.finished == "end"
    assert tracer.extend(ended, None)[0] == ended
    with pytest.raises(DecodingFinished):
        tracer.extend(ended, 1, force=9)
    with pytest.raises(RecipeError, match="fewer than 0"):
        tracer.extend(RECIPE, -1)


@pytest.mark.parametrize("token", [-3, 10**6, 10**30, True, 2.0, "7"])
def test_forcing_what_is_no_token_is_a_recipe_error(tiny, token):
    with pytest.raises(RecipeError):
        Tracer(OwnModel(tiny)).extend(RECIPE, 1, force=token)


def test_the_text_is_what_was_chosen(tiny):
    tracer = Tracer(OwnModel(tiny))
    ids = tiny.target_tokenizer.ids("Le chat dort.")
    recipe = Recipe("tiny", "x", tuple(Choice(token, "forced") for token in [*ids, 2]))
    assert tracer.text(tracer.evaluate(recipe)) == "Le chat dort."


@pytest.mark.parametrize("limit", [0, 60_000, 10**9])
def test_threads_that_ask_at_once_get_the_answers_of_one_alone(tiny, limit):
    sources = ["The old cat.", "The warm roof sleeps."]
    recipes = [
        Recipe("tiny", source, strategy=Strategy("sample", seed=seed))
        for source in sources
        for seed in range(2)
    ] * 2
    alone = [Tracer(OwnModel(tiny), Cache(0)).extend(recipe, 8) for recipe in recipes]
    tracer, got, barrier = tracer_within(tiny, limit), {}, threading.Barrier(len(recipes))

    def ask(index):
        barrier.wait()
        recipe = recipes[index]
        for _ in range(8):
            recipe, decoding = tracer.extend(recipe)
        got[index] = recipe, decoding

    threads = [threading.Thread(target=ask, args=(index,)) for index in range(len(recipes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tracer.cache.nbytes <= limit
    for index, (recipe, decoding) in enumerate(alone):
        assert got[index][0] == recipe and same(got[index][1], decoding)


def test_a_recipe_with_edits_is_evaluated_by_the_tracer_with_these_and_no_other(tiny):
    whole, plain = Tracer(OwnModel(tiny)), Recipe("tiny", "The old cat.")
    changed = replace(plain, edits=("head-off:cross.2.3", "hide:1"))
    tracer = whole.edited(changed.edits)
    for strategy in (Strategy(), Strategy("sample", seed=3), Strategy("beam", width=3)):
        recipe, decoding = tracer.extend(replace(changed, strategy=strategy), 6)
        assert recipe.edits == changed.edits
        twin = Tracer(OwnModel(tiny), edits=changed.edits).evaluate(recipe)
        np.testing.assert_array_equal(
            decoding.step.log_probabilities_V, twin.step.log_probabilities_V
        )
        assert not decoding.trace("cross", 0).mask_QK[:, 0].any()
    untouched = whole.evaluate(plain)
    assert untouched.trace("cross", 0).mask_QK.all()
    for one, recipe in ((whole, changed), (tracer, plain)):
        with pytest.raises(ValueError, match="has the edits"):
            one.evaluate(recipe)


def test_an_edited_model_is_made_once_while_it_is_used(tiny):
    tracer = tracer_within(tiny, 2**20)
    kept = [tracer.edited(read_edits([f"dropout:{seed}"])).model for seed in range(12)]
    again = [tracer.edited(read_edits([f"dropout:{seed}"])).model for seed in range(11, 4, -1)]
    assert again == kept[:4:-1]
    assert tracer.edited(read_edits(["dropout:0"])).model is not kept[0]


def test_what_an_edited_run_is_compared_with_is_counted_too(tiny):
    tracer = Tracer(OwnModel(tiny))
    a, b = (tracer.edited(read_edits([f"dropout:{seed}"])) for seed in range(2))
    held = tracer.cache.nbytes
    assert a.edited(b.edits).model is b.model and a.edited(()).model is tracer.model
    b.extend(replace(RECIPE, edits=b.edits), 3)
    assert tracer.cache.nbytes > held


def test_an_edit_of_a_token_that_the_source_lacks_names_both_numbers(tiny):
    with pytest.raises(RecipeError, match=r"names token 40; the source has \d+\."):
        edits = read_edits(["hide:40"])
        Tracer(OwnModel(tiny), edits=edits).evaluate(Recipe("tiny", "The old cat.", edits=edits))


def test_a_model_that_allows_no_edit_says_so():
    made_up = MadeUp("encoder-decoder")
    with pytest.raises(RecipeError, match=r"head-off:cross\.1\.1 changes nothing in this model"):
        Tracer(made_up).edited(read_edits(["head-off:cross.1.1"]))
