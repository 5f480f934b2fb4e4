import random

import numpy as np
import pytest

from model_core.training.data.corpus import EncodedPair, make_batch
from model_core.training.evaluation.aligner import learn_aligner, learn_lexicon, prior, with_links

WORDS = {10: 50, 11: 51, 12: 52, 13: 53, 14: 54, 15: 55}


def shuffled_pairs(count=200):
    """Sentences whose every word has one translation, in any order."""
    draw = random.Random(4)
    pairs = []
    for _ in range(count):
        source = draw.sample(sorted(WORDS), 4)
        target = [WORDS[word] for word in draw.sample(source, 4)]
        pairs.append(EncodedPair((*source, 2), (1, *target, 2)))
    return pairs


def test_the_aligner_finds_the_one_translation_of_each_word():
    pairs = shuffled_pairs()
    aligner = learn_aligner(pairs, 100, 100, tension=0)
    for pair in pairs[:20]:
        for place, link in zip(pair.target[1:-1], aligner.links(pair), strict=True):
            assert WORDS[pair.source[link]] == place


def test_expectation_maximisation_is_the_textbook_one():
    pairs = shuffled_pairs(6)
    lexicon = learn_lexicon(pairs, targets=100, rounds=3)
    sources = [[0, *pair.source[:-1]] for pair in pairs]
    targets = [pair.target[1:-1] for pair in pairs]
    table = {(s, t): 1.0 for ss, ts in zip(sources, targets, strict=True) for s in ss for t in ts}
    for _ in range(3):
        counts = dict.fromkeys(table, 0.0)
        for ss, ts in zip(sources, targets, strict=True):
            for t in ts:
                total = sum(table[s, t] for s in ss)
                for s in ss:
                    counts[s, t] += table[s, t] / total
        for s in {s for s, _ in table}:
            total = sum(value for (other, _), value in counts.items() if other == s)
            for pair in [pair for pair in table if pair[0] == s]:
                table[pair] = counts[pair] / total
    for (s, t), expected in table.items():
        found = lexicon.probability(np.array(s), np.array(t))
        assert found == pytest.approx(expected, abs=1e-12)


def test_words_never_seen_together_are_aligned_with_nothing():
    aligner = learn_aligner(shuffled_pairs(20), 100, 100)
    assert aligner.links(EncodedPair((10, 2), (1, 99, 2))).tolist() == [-1]
    assert aligner.links(EncodedPair((2,), (1, 50, 2))).tolist() == [-1]
    assert aligner.links(EncodedPair((10, 2), (1, 2))).tolist() == []


@pytest.mark.parametrize("tension", [0.0, 4.0])
def test_posteriors_are_bayes_rule_and_add_up_to_one(tension):
    pairs = shuffled_pairs(30)
    lexicon = learn_lexicon(pairs, targets=100, tension=tension)
    pair = pairs[0]
    posterior_TS = lexicon.posterior(pair)
    np.testing.assert_allclose(posterior_TS.sum(axis=1), 1)
    table_TS = np.array(
        [
            [float(lexicon.probability(np.array(s), np.array(t))) for s in (0, *pair.source[:-1])]
            for t in pair.target[1:-1]
        ]
    ) * prior(4, 4, tension)
    np.testing.assert_allclose(posterior_TS, table_TS / table_TS.sum(axis=1, keepdims=True))


def test_the_prior_prefers_the_diagonal_and_adds_up_to_one():
    for targets, sources in ((1, 1), (4, 7), (7, 4)):
        for tension in (0.0, 4.0):
            np.testing.assert_allclose(prior(targets, sources, tension).sum(axis=1), 1)
    assert (prior(5, 5, 4.0)[:, 1:].argmax(axis=1) == np.arange(5)).all()
    assert np.ptp(prior(5, 5, 0.0)) == 0


def test_where_words_are_equally_probable_the_nearer_one_is_linked():
    pair = EncodedPair((10, 10, 10, 2), (1, 50, 50, 50, 2))
    aligner = learn_aligner([pair], 100, 100)
    assert aligner.links(pair).tolist() == [0, 1, 2]


def test_links_stand_under_the_tokens_that_are_predicted():
    pairs = shuffled_pairs()
    aligner = learn_aligner(pairs, 100, 100, tension=0)
    linked = list(with_links(pairs, aligner))
    batch = make_batch(linked[:8], 0)
    assert batch.links_BT.shape == batch.predicted_BT.shape
    for row, pair in enumerate(linked[:8]):
        assert (pair.source, pair.target) == (pairs[row].source, pairs[row].target)
        for column, token in enumerate(pair.target[1:]):
            link = int(batch.links_BT[row, column])
            assert (link == -1) if token == 2 else (WORDS[pair.source[link]] == token)
    assert make_batch(pairs[:8], 0).links_BT is None
