from dataclasses import replace

import pytest
import torch

from model_core.decoding.beam import output_limit
from model_core.decoding.sampling import each_its_own, sample
from model_core.decoding.tracer import Tracer
from model_core.errors import DecodingFinished
from model_core.models.own import OwnModel
from model_core.values.recipe import Recipe, Strategy
from tests.tiny import tiny_checkpoint

TEXTS = ("The cat", "on the warm roof.", "", "old", "The old cat sleeps", "cat roof")
DRAWN = Strategy("sample", temperature=1.5, top_k=40, top_p=0.95, seed=11)


def test_what_is_drawn_in_a_batch_is_what_is_drawn_where_every_step_is_recorded(tmp_path):
    checkpoint = tiny_checkpoint(tmp_path / "tiny", logits_bias=True)
    with torch.no_grad():
        checkpoint.model.logits.bias[checkpoint.config.end_id] += 2
    sources = [checkpoint.source_tokenizer.source_ids(text) for text in TEXTS]
    strategies = each_its_own(DRAWN, 4, len(TEXTS))
    found = sample(checkpoint.model, sources, strategies)
    tracer = Tracer(OwnModel(checkpoint))
    for text, source, ids, strategy in zip(TEXTS, sources, found, strategies, strict=True):
        recorded = tracer.extend(Recipe("tiny", text, strategy=strategy), None)[0].target
        tokens = [choice.token for choice in recorded if choice.token != checkpoint.config.end_id]
        limit = output_limit(len(source), checkpoint.config.max_positions)
        # A recording is a token shorter where the model reads no more.
        assert list(ids[: len(tokens)]) == tokens[:limit]
        assert len(ids) == limit or len(ids) == len(tokens)
    assert len({*found}) > 3 and {len(ids) < 18 for ids in found} == {True, False}
    assert len({*found}) > 3 and {len(ids) < limit for ids in found} == {True, False}


def test_a_sentence_draws_the_same_whatever_is_beside_it(tmp_path):
    checkpoint = tiny_checkpoint(tmp_path / "tiny")
    sources = [checkpoint.source_tokenizer.source_ids(text) for text in TEXTS]
    together = sample(checkpoint.model, sources, [DRAWN] * len(sources))
    assert together == tuple(sample(checkpoint.model, [source], [DRAWN])[0] for source in sources)
    other = sample(checkpoint.model, sources, [replace(DRAWN, seed=12)] * len(sources))
    assert other != together


def test_each_sentence_has_a_seed_of_its_own():
    assert [one.seed for one in each_its_own(DRAWN, 4, 3)] == [15, 16, 17]
    last = replace(DRAWN, seed=2**63 - 1)
    assert [one.seed for one in each_its_own(last, 0, 3)] == [2**63 - 1, 0, 1]


def test_draws_from_one_beginning_are_those_of_each_seed_alone(tmp_path):
    checkpoint = tiny_checkpoint(tmp_path / "tiny", logits_bias=True)
    with torch.no_grad():
        checkpoint.model.logits.bias[checkpoint.config.end_id] += 2
    tracer = Tracer(OwnModel(checkpoint))
    for begun in (0, 2):
        recipe = Recipe("tiny", "The old cat", strategy=DRAWN)
        recipe = tracer.extend(recipe, begun)[0]
        found = tracer.draws(recipe, 6)
        assert len({*found}) > 2
        for seed, ids in enumerate(found, DRAWN.seed):
            alone = replace(recipe, strategy=replace(DRAWN, seed=seed))
            assert ids == tracer.extend(alone, None)[1].target.ids


def test_nothing_is_drawn_behind_an_end(tmp_path):
    tracer = Tracer(OwnModel(tiny_checkpoint(tmp_path / "tiny")))
    recipe = tracer.extend(Recipe("tiny", "The cat", strategy=DRAWN), None)[0]
    with pytest.raises(DecodingFinished):
        tracer.draws(recipe, 2)
