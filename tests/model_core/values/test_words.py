import numpy as np
import pytest

from model_core.checkpoints.store import open_checkpoint
from model_core.values.trace import Tokens
from model_core.values.words import between_words, text_of, words_of
from tests.conftest import CHECKPOINTS


def tokens(pieces, kinds=None):
    """Tokens by their pieces; `<end>` is special."""
    texts = tuple(piece.lstrip("▁Ġ").removeprefix("##") for piece in pieces)
    kinds = kinds or tuple("end" if piece == "<end>" else "text" for piece in pieces)
    return Tokens(tuple(range(len(pieces))), tuple(pieces), texts, kinds, (None,) * len(pieces))


def spelled(pieces):
    sentence = tokens(pieces.split())
    return [text_of(word, sentence) for word in words_of(sentence)]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ("▁The ▁cat ▁sleep s . <end>", "The cat sleeps . <end>"),
        ("ĠThe Ġc at s ?", "The cats ?"),
        ("the sleep ##ing cat", "the sleeping cat"),
        ("▁What ' s ▁that", "What's that"),
        ("▁s ' appelle - t - il ▁?", "s'appelle-t-il ?"),
        ("▁( cat )", "( cat )"),
        ("▁cats ' ▁milk", "cats ' milk"),
        ("▁我 的 妹妹 。", "我 的 妹妹 。"),
        ("▁iPhone 手机 A B", "iPhone 手机 AB"),
        ("a b c <end>", "a b c <end>"),  # no mark says where words begin
        ("▁a <end> <end>", "a <end> <end>"),
    ],
)
def test_words_are_those_of_a_reader(pieces, words):
    assert spelled(pieces) == words.split()


def test_every_token_is_in_one_word_of_every_shipped_model():
    for name in ("en-fr", "zh-en", "reverse-tiny"):
        tokenizer = open_checkpoint(CHECKPOINTS / name).source_tokenizer
        read = tokenizer.encode("The old cat sleeps, 我 <b> 1.5 \N{GRINNING FACE}", 2)
        assert [token for word in words_of(read) for token in word] == list(range(len(read)))


def test_a_word_is_the_sum_of_its_keys_and_the_mean_of_its_queries():
    weights_HQK = np.random.default_rng(0).random((2, 3, 4)).astype(np.float32)
    weights_HQK /= weights_HQK.sum(-1, keepdims=True)
    found_HWX = between_words(weights_HQK, ((0, 1), (2,)), ((0,), (1, 2), (3,)))
    by_hand = weights_HQK[:, :2, 1:3].astype(np.float64).sum(-1).mean(-1)
    assert found_HWX.dtype == np.float32 and found_HWX.shape == (2, 2, 3)
    np.testing.assert_allclose(found_HWX[:, 0, 1], by_hand, rtol=1e-6)
    np.testing.assert_allclose(found_HWX.sum(-1), 1, rtol=1e-6)


def test_words_of_one_token_each_change_nothing():
    weights_QK = np.random.default_rng(1).random((3, 3)).astype(np.float32)
    single = ((0,), (1,), (2,))
    assert np.array_equal(between_words(weights_QK, single, single), weights_QK)
