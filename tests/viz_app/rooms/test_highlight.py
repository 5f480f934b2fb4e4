"""What a translation opens on, of sentences whose weights are written down."""

import numpy as np
import pytest

from model_core.values.anatomy import SiteAnatomy
from model_core.values.recipe import Choice
from model_core.values.trace import AttentionRow, DecodeStep, Decoding, Tokens
from viz_app.rooms.translate.highlight import highlight, highlight_step

CROSS = SiteAnatomy("cross", 1, 2, 2, "target", "source", causal=False)


def tokens(text):
    words = text.split()
    kinds = tuple("special" if word[0] == "<" else "text" for word in words)
    pieces = tuple(word if word[0] == "<" else f"▁{word}" for word in words)
    return Tokens(tuple(range(len(words))), pieces, tuple(words), kinds, (None,) * len(words))


def decoding_of(source, target, read, chances=(0.9,) * 9):
    """A translation of which head h reads, at step t, the word `read[h][t]` with a weight."""
    source, target = tokens(source), tokens(target)
    K, steps = len(source), []
    empty_HE = np.zeros((len(read), 0), np.float32)
    for t, token in enumerate(target.ids[1:]):
        weights_HK = np.zeros((len(read), K), np.float32)
        for head, places in enumerate(read):
            key, weight = places[t]
            weights_HK[head] = (1 - weight) / (K - 1)
            weights_HK[head, key] = weight
        row = AttentionRow(empty_HE, None, None, weights_HK, np.ones(K, bool), weights_HK)
        log_V = np.full(len(target), -9.0, np.float32)
        log_V[token] = np.log(chances[t])
        steps.append(DecodeStep(t, log_V, (), (row,)))
    none_HKE = np.zeros((len(read), K, 0), np.float32)
    chosen = tuple(Choice(token, "greedy") for token in target.ids[1:])
    return Decoding(source, target, (), ((none_HKE, none_HKE),), tuple(steps), chosen, "end")


def sharp(*keys):
    return [(key, 0.95) for key in keys]


def test_the_word_that_is_read_from_before_what_was_read_earlier_is_told_first():
    decoding = decoding_of(
        "she buys a red bicycle . </s>", "<s> une bicyclette rouge . </s>", [sharp(2, 4, 3, 5, 6)]
    )
    assert highlight_step(decoding, 0, 0) == 2


@pytest.mark.parametrize(
    ("read", "chances", "told"),
    [
        (sharp(0, 1, 2, 3), (0.9, 0.9, 0.9, 0.9), 1),  # a long word, and not a small one
        ([(0, 0.95), (1, 0.4), (2, 0.95), (3, 0.95)], (0.9, 0.9, 0.9, 0.9), 2),  # from one place
        (sharp(0, 1, 2, 3), (0.9, 0.2, 0.9, 0.9), 2),  # and likely
    ],
)
def test_in_the_order_of_the_source_a_long_crisp_likely_word_is_told(read, chances, told):
    source, target = "a lovely day . </s>", "<s> un superbe jour . </s>"
    decoding = decoding_of(source, target, [[*read, (4, 0.95)]], (*chances, 0.9))
    assert highlight_step(decoding, 0, 0) == told


def test_a_word_that_the_source_has_as_it_is_counts_only_where_it_is_read():
    decoding = decoding_of("Anna has bread </s>", "<s> Anna </s>", [sharp(2, 3), sharp(0, 3)])
    assert highlight(decoding, CROSS) == {"finder": (0, 1), "steps": [[0, 0]]}


def test_where_no_word_is_written_the_last_step_is_as_good_as_any():
    decoding = decoding_of("a day . </s>", "<s> . </s>", [sharp(2, 3)])
    assert highlight_step(decoding, 0, 0) == 1
