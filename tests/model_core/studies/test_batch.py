from dataclasses import replace

import pytest

from model_core.errors import RecipeError, SourceTooLong
from model_core.studies.batch import translate_batch
from model_core.values.recipe import Recipe
from tests.model_core.studies.sentences import SENTENCES


def test_a_batch_is_padded_to_its_longest_on_both_sides(tracer):
    batch = translate_batch(tracer, SENTENCES)
    decodings = map(tracer.evaluate, batch.recipes)
    for sentence, source, decoding in zip(SENTENCES, batch.sources, decodings, strict=True):
        alone = tracer.source(sentence)
        assert source.ids[: len(alone)] == alone.ids == decoding.source.ids
        assert set(source.kinds[len(alone) :]) <= {"pad"}
    assert len({len(source) for source in batch.sources}) == 1
    assert len({len(tokens) for tokens in batch.fed + batch.predicted}) == 1
    assert {tokens.ids[0] for tokens in batch.fed} == {tracer.model.config.start_id}


def test_the_longest_gets_pads_to_spare_as_far_as_the_model_has_positions(tracer):
    longest = max(len(tokens) for tokens in translate_batch(tracer, SENTENCES).sources)
    most = tracer.anatomy.max_positions
    for spare in (2, most):
        batch = translate_batch(tracer, SENTENCES, spare=spare)
        assert {len(source) for source in batch.sources} == {min(longest + spare, most)}
        assert max(map(len, batch.fed)) <= most


def test_what_is_predicted_is_what_is_fed_in_one_place_on(tracer):
    batch = translate_batch(tracer, SENTENCES)
    decodings = map(tracer.evaluate, batch.recipes)
    for fed, predicted, decoding in zip(batch.fed, batch.predicted, decodings, strict=True):
        T = len(decoding.steps)
        assert predicted.ids[: T - 1] == fed.ids[1:T]


def test_the_first_sentence_keeps_the_tokens_that_were_chosen_for_it(tracer):
    greedy, _ = tracer.extend(Recipe("tiny", SENTENCES[0]), None)
    other = 4 + (greedy.target_ids[0] - 3) % 6  # any piece but the greedy one
    chosen, _ = tracer.extend(Recipe("tiny", SENTENCES[0], pads=2), 1, force=other)
    batch = translate_batch(tracer, SENTENCES, chosen)
    done = batch.recipes[0]
    assert done.target[0] == chosen.target[0] and done.target[0].how == "forced"
    assert batch.fed[0].ids[1] == batch.predicted[0].ids[0] == other
    assert done.pads == 0 and done == tracer.extend(replace(chosen, pads=0), None)[0]
    elsewhere = translate_batch(tracer, SENTENCES[1:], chosen)
    assert elsewhere.recipes == translate_batch(tracer, SENTENCES[1:]).recipes == batch.recipes[1:]


@pytest.mark.parametrize("sentences", [(), ("a",) * 7])
def test_a_batch_takes_one_to_six_sentences(tracer, sentences):
    with pytest.raises(RecipeError, match="1 to 6"):
        translate_batch(tracer, sentences)


def test_a_sentence_that_is_too_long_is_named(tracer):
    with pytest.raises(SourceTooLong, match=r"Sentence 2: .*Shorten it"):
        translate_batch(tracer, ("cat", "cat " * 40))
