"""Words: which tokens make one, and every number between words against a sum by hand."""

import functools
import itertools
from dataclasses import replace

import numpy as np
import pytest

from model_core.checkpoints.store import open_checkpoint
from model_core.decoding.tracer import Tracer
from model_core.models.hub.byte_level import spelled_bytes
from model_core.models.own import open_own
from model_core.values.recipe import Choice, Recipe
from model_core.values.trace import SITES, Tokens
from model_core.values.words import as_tokens, between_words, by_words, runs_of, text_of, words_of
from tests.conftest import CHECKPOINTS
from tests.made_up import MadeUp


def tokens(pieces, kinds=None):
    """Tokens by their pieces; `<end>` is special."""
    texts = tuple(piece.lstrip("▁Ġ") for piece in pieces)  # of ## as well, as they are decoded
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
        ("▁As - tu ▁faim ▁ ?", "As-tu faim ?"),  # a space that is a token
        ("▁( cat )", "( cat )"),
        ("▁cats ' ▁milk", "cats ' milk"),
        ("▁我 的 妹妹 。", "我 的 妹妹 。"),
        ("▁iPhone 手机 A B", "iPhone 手机 AB"),
        ("▁in ▁ <0xE5> <0x9B> <0xBE> <0xE4> <0xB9> <0xA6>", "in 图 书"),
        ("▁ <0xC5> <0x93> <0xC3> <0xA9> r", "œér"),  # letters of one word
        ("我 <0xE9> <0xBC> <0x89> 。", "我 鼉 。"),
        ("▁ <0xE5> <0x9B> ▁cat", "<0xE5> <0x9B> cat"),  # not all of a character
        ("a b c <end>", "a b c <end>"),  # no mark says where words begin
        ("▁a <end> <end>", "a <end> <end>"),
    ],
)
def test_words_are_those_of_a_reader(pieces, words):
    assert spelled(pieces) == words.split()


@pytest.mark.parametrize(
    ("pieces", "runs"),
    [
        ("图 书 馆 。 <end>", "图书 图书馆 书馆"),
        ("公 共 汽 车 站", "公共 公共汽 公共汽车 共汽 共汽车 共汽车站 汽车 汽车站 车站"),
        ("▁我 的 ▁妹妹", "我的"),  # a space between
        ("我 A 的", ""),
        ("我 <0xE9> <0xBC> <0x89>", "我<0xE9><0xBC><0x89>"),
        ("▁The ▁old ▁cat", ""),
    ],
)
def test_neighbours_of_a_script_without_spaces_may_be_a_word_together(pieces, runs):
    sentence = tokens(pieces.split())
    found = runs_of(words_of(sentence), sentence)
    assert ["".join(sentence.texts[place] for place in run) for run in found] == runs.split()


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


def test_a_word_is_spelled_by_its_texts_and_not_by_bytes():
    """Some tokenizers spell "é" as "Ã©", others a space as its byte."""
    read = tokens(["Ġcaf", "Ã©s", "<0x20>"])
    read = replace(read, texts=("caf", "és", " "))
    assert [text_of(word, read) for word in words_of(read)] == ["cafés", " "]
    labels = as_tokens(words_of(read), read)
    assert labels.pieces == ("Ġcaf Ã©s", "<0x20>") and labels.ids == (-1, 2)


def test_parts_of_a_character_of_a_byte_level_tokenizer_are_that_character():
    """As GPT-2 spells 我喜欢: one whole character, and two of which the ends are cut."""
    pieces = ("æĪĳ", "å", "ĸ", "ľ", "æ", "¬", "¢", "<end>")
    texts = ("我", *(spelled_bytes(piece) for piece in pieces[1:-1]), "<end>")
    assert texts[1:4] == ("<0xE5>", "<0x96>", "<0x9C>")
    read = replace(tokens(pieces), texts=texts, pieces=pieces)
    assert words_of(read) == ((0,), (1, 2, 3), (4, 5, 6), (7,))
    assert as_tokens(words_of(read), read).texts == ("我", "喜", "欢", "<end>")
    # A token may end in the first byte of what the next one goes on with.
    both = replace(tokens(("Ġa", "b", "c")), texts=("我<0xE5>", "<0x96><0x9C>", "c"))
    assert words_of(both)[0][:2] == (0, 1) and text_of((0, 1), both) == "我喜"
    assert spelled_bytes("ĠæĪ") == " <0xE6><0x88>"
    assert spelled_bytes("我") == "我"  # of no such alphabet
    cut = replace(tokens(("å", "ĸ")), texts=("<0xE5>", "<0x96>"))
    assert words_of(cut) == ((0,), (1,))


# The model, the source, pads, the target where it is given; then the words of source and target as
# a reader has them.
SENTENCES = {
    "split": (
        *("en-fr", "The old cat sleeps on the warm roof.", 0, None),
        "The old cat sleeps on the warm roof . </s>",
        "<s> Le vieux chat dort sur le toit chaud . </s>",
    ),
    "Chinese": (
        *("zh-en", "我弟弟买了一辆新的红色汽车。", 0, None),
        "我 弟 弟 买 了 一 辆 新 的 红 色 汽 车 。 </s>",
        "<s> My little brother bought a new red car . </s>",
    ),
    "apostrophes and pads": (
        *("en-fr", "It's John's cat.", 2, "C'est le chat de John, n'est-ce pas."),
        "It's John's cat . </s> <pad> <pad>",
        "<s> C'est le chat de John , n'est-ce pas . </s>",
    ),
    "a given target": (
        *("en-fr", "The kittens sleep.", 0, "Les chatons s'endorment aujourd'hui."),
        "The kittens sleep . </s>",
        "<s> Les chatons s'endorment aujourd'hui . </s>",
    ),
    "an unfinished target": (
        *("en-fr", "The kittens sleep.", 1, "Les chatons s'end"),
        "The kittens sleep . </s> <pad>",
        "<s> Les chatons s'end …",
    ),
}


@functools.cache
def decoded(sentence):
    name, text, pads, target, *_ = SENTENCES[sentence]
    tracer = Tracer(open_own(CHECKPOINTS / name))
    recipe = Recipe(name, text, (), pads)
    if target is None:
        return tracer.extend(recipe, None)[1]
    ids = tracer.model.target(target, ()).ids
    ids = ids if target.endswith(".") else ids[:-1]
    return tracer.evaluate(replace(recipe, target=tuple(Choice(one, "forced") for one in ids)))


def groups(words, texts):
    """The places of the tokens that spell each word, one after the other."""
    found, place = [], 0
    for word in words.split():
        first, spelled = place, ""
        while spelled != word:
            spelled, place = spelled + texts[place], place + 1
        found.append((word, list(range(first, place))))
    assert place == len(texts)
    return found


def of_rows(decoding, target, written):
    """Words of the target with the steps that write or read their tokens."""
    T = len(decoding.steps)
    every = groups(target, [*decoding.target.texts, *(["…"] if "…" in target else [])])
    if written:
        return [(word, [at - 1 for at in places]) for word, places in every[1:]]
    read = [(word, [at for at in places if at < T]) for word, places in every]
    return [(word, places) for word, places in read if places]


def test_a_space_that_was_written_last_is_no_part_of_what_is_to_come():
    tracer = Tracer(open_own(CHECKPOINTS / "en-fr"))
    target = tracer.model.target("Les chatons dorment ?", ())
    (space,) = (at for at, text in enumerate(target.texts) if not text.strip())
    cut = tuple(Choice(one, "forced") for one in target.ids[: space + 1])
    decoding = tracer.evaluate(Recipe("en-fr", "The kittens sleep.", target=cut))
    rows = by_words(decoding, "cross", written=True).trace(decoding.trace("cross", 0)).queries
    assert rows.texts[-2:] == (" ", "…") and len(rows) == 5


@pytest.mark.parametrize("sentence", SENTENCES)
def test_weights_and_masks_between_words_are_those_of_a_sum_by_hand(sentence):
    for site, written in itertools.product(SITES, (False, True)):
        check_words(decoded(sentence), sentence, site, written)


def check_words(decoding, sentence, site, written):
    source, target = SENTENCES[sentence][4:]
    of_source = groups(source, decoding.source.texts)
    rows = of_source if site == "encoder" else of_rows(decoding, target, written)
    columns = of_rows(decoding, target, False) if site == "decoder" else of_source
    by = by_words(decoding, site, written)
    assert by.queries.texts == tuple(word for word, _ in rows)
    assert by.keys.texts == tuple(word for word, _ in columns)
    assert by.to_json()["rows"] == [places for _, places in rows]
    assert by.to_json()["columns"] == [places for _, places in columns]
    for layer in range(decoding.layers(site)):
        trace = decoding.trace(site, layer)
        found = by.trace(trace)
        for at, (_, steps) in enumerate(rows):
            for key, (_, places) in enumerate(columns):
                pairs = [(step, place) for step in steps for place in places]
                assert found.mask_QK[at, key] == any(trace.mask_QK[pair] for pair in pairs)
                total_H = sum(trace.weights_HQK[:, *pair].astype(float) for pair in pairs)
                by_hand_H = total_H / len(steps)
                np.testing.assert_allclose(found.weights_HQK[:, at, key], by_hand_H, rtol=1e-6)
        np.testing.assert_allclose(found.weights_HQK.sum(-1), 1, atol=1e-6)
        assert found.is_bare and np.isnan(found.scores_HQK).all()


def test_of_a_word_that_is_being_written_there_is_what_was_written_so_far():
    decoding = decoded("a given target")
    trace = decoding.trace("cross", 2)
    by = by_words(decoding, "cross", True, upto=5)
    assert by.queries.texts[:3] == ("Les", "chatons", "s'")
    assert by.rows == ((0,), (1, 2), (3, 4), (), (), ())
    weights_HQK = by.weights(trace.weights_HQK)
    np.testing.assert_allclose(
        weights_HQK[:, 2], between_words(trace.weights_HQK, ((3, 4),), by.columns)[:, 0]
    )
    assert not weights_HQK[:, 3:].any()


@pytest.mark.parametrize("written", [False, True])
def test_a_word_that_a_prompt_begins_is_that_of_the_steps_there_are(written):
    """The prompt is "sleep", and its word goes on in what is written."""
    tracer = Tracer(MadeUp("decoder"))
    decoding = tracer.extend(Recipe("made up", "sleeps on"), 3)[1]
    T = len(decoding.steps)
    spelled = ["▁sleep", "s", *(f"▁w{at}" for at in range(2, len(decoding.target)))]
    target = replace(
        decoding.target,
        pieces=tuple(spelled),
        texts=tuple(piece.strip("▁") for piece in spelled),
        kinds=("text",) * len(spelled),
    )
    by = by_words(replace(decoding, target=target), "decoder", written)
    assert by.queries.texts[0] == "sleeps"
    assert by.rows[0] == ((0,) if written else (0, 1))
    assert [step for word in by.rows for step in word] == list(range(T))
    trace = decoding.trace("decoder", 0)
    found_HWX = by.weights(trace.weights_HQK)
    steps = trace.weights_HQK[:, list(by.rows[0])]
    np.testing.assert_allclose(found_HWX[:, 0, 0], steps[:, :, :2].sum(-1).mean(-1), rtol=1e-6)
