import numpy as np
import pytest
import torch

from model_core.corpus import EncodedPair
from model_core.head_report import MOVED, _Watched, head_habits
from model_core.tokenizer import Tokenizer
from model_core.trace import SITES
from tests.tiny import LINES, tiny_model

TOKENIZER = Tokenizer.train(LINES, "bpe", 300)
PAIRS = [
    EncodedPair((*TOKENIZER.ids(line), 2), (1, *TOKENIZER.ids(other), 2))
    for line, other in (LINES[:2], LINES[1::-1])
]

SIZES = {
    "source_vocabulary": TOKENIZER.size,
    "target_vocabulary": TOKENIZER.size,
    "max_positions": 40,
}


def habits_of(site, *weights_QK, ids=(9, 8, 7, 2)):
    """What is said of heads that show these weights in every sentence."""
    watched = _Watched(site, 1, len(weights_QK))
    for _ in range(3):
        watched.see(np.stack(weights_QK), ids)
    return watched.habits(TOKENIZER)


def even(Q, K):
    return np.full((Q, K), 1 / K)


def diagonal(Q, K):
    return np.eye(Q, K)


def on(key, Q, K, share=1.0):
    weights_QK = np.full((Q, K), (1 - share) / (K - 1))
    weights_QK[:, key] = share
    return weights_QK


def test_each_habit_is_told_from_the_others():
    heads = habits_of("cross", diagonal(4, 4), even(4, 4), on(3, 4, 4), diagonal(4, 4))
    assert [head.habit for head in heads] == ["none", "uniform", "parked", "copy"]
    assert heads[1].from_uniform == pytest.approx(0)
    assert heads[2].on_one_token == pytest.approx(1) and heads[2].token == "</s>"
    assert heads[3].copied == (1, 1) and heads[3].from_copied == pytest.approx(0)
    assert heads[0].copied is None


@pytest.mark.parametrize("share", [0.5, 1 - MOVED - 0.01, 1 - MOVED + 0.01])
def test_a_head_is_parked_from_four_fifths_of_the_weight_on(share):
    (head,) = habits_of("encoder", on(0, 4, 4, share))
    assert head.on_one_token == pytest.approx(share)
    assert (head.habit == "parked") == (share > 1 - MOVED)


def test_a_head_that_parks_on_another_token_in_every_row_is_not_parked():
    (head,) = habits_of("encoder", diagonal(4, 4))
    assert head.habit == "none" and head.on_one_token == pytest.approx(0.25)


def test_in_the_decoder_rows_are_compared_over_what_they_may_see():
    lower = np.tril(np.ones((4, 4)))
    uniform_QK = lower / lower.sum(axis=1, keepdims=True)
    first_QK = np.zeros((4, 4))
    first_QK[:, 0] = 1
    heads = habits_of("decoder", uniform_QK, first_QK, np.eye(4), ids=(1, 9, 8, 7))
    assert [head.habit for head in heads] == ["uniform", "parked", "none"]
    assert heads[1].token == "<s>"


def test_rows_of_one_key_and_sentences_of_two_rows_prove_nothing():
    (head,) = habits_of("cross", np.ones((4, 1)), ids=(2,))
    assert head.habit == "none"
    (head,) = habits_of("cross", on(1, 2, 2), ids=(9, 2))
    assert head.habit == "none" and head.on_one_token == 0


def test_every_head_of_every_site_is_reported_once():
    model = tiny_model(**SIZES)
    found = head_habits(model, PAIRS, TOKENIZER, TOKENIZER)
    config = model.config
    shapes = {
        "encoder": (config.encoder_layers, config.encoder_heads),
        "decoder": (config.decoder_layers, config.decoder_heads),
        "cross": (config.decoder_layers, config.decoder_heads),
    }
    expected = [
        (site, layer + 1, head + 1) for site in SITES for layer, head in np.ndindex(*shapes[site])
    ]
    assert [(head.site, head.layer, head.head) for head in found] == expected


def test_heads_of_a_model_whose_scores_are_all_equal_are_uniform():
    model = tiny_model(**SIZES)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "attention.projection" in name:
                parameter.zero_()
    found = head_habits(model, PAIRS, TOKENIZER, TOKENIZER)
    assert {head.habit for head in found} == {"uniform"}
    assert max(head.from_uniform for head in found) == pytest.approx(0, abs=1e-6)
