"""Tokenizers from elsewhere: those of the tutorials are read, those that may never end are not."""

import json

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from model_core.tokenizer import SPECIALS, Tokenizer
from tests.refusals import refusal

LINES = ["The cat sat on the mat, the dog's bone.", "été à la plage", "hello world"] * 5
OURS = {kind: Tokenizer.train(LINES, kind, 300).to_json() for kind in ("bpe", "characters")}


def changed(kind="bpe", **parts):
    return json.dumps(json.loads(OURS[kind]) | parts)


def sequence(name, *parts):
    return {"type": "Sequence", name: list(parts)}


def of_model(**settings):
    return changed(model=json.loads(OURS["bpe"])["model"] | settings)


# What people train


def word_level():
    made = tokenizers.Tokenizer(models.WordLevel(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made, trainers.WordLevelTrainer(special_tokens=[*SPECIALS, "[UNK]"])


def byte_level():
    made = tokenizers.Tokenizer(models.BPE())
    made.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=True)
    return made, trainers.BpeTrainer(special_tokens=[*SPECIALS])


def bert():
    made = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    return made, trainers.WordPieceTrainer(special_tokens=[*SPECIALS, "[UNK]"])


def llama():
    made = tokenizers.Tokenizer(models.BPE())
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    made.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    return made, trainers.BpeTrainer(special_tokens=[*SPECIALS])


@pytest.mark.parametrize("build", [word_level, byte_level, bert, llama])
def test_the_tokenizers_of_the_tutorials_are_read(build):
    made, trainer = build()
    trainer.show_progress = False
    made.train_from_iterator(LINES, trainer)
    found = Tokenizer.from_json(made.to_str())
    for text in ("the cat sat on the mat", "hello world"):
        ids = made.encode(text, add_special_tokens=False).ids
        assert found.ids(text) == ids
        assert found.decode(ids) == made.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("kind", OURS)
def test_ours_come_back_to_the_letter(kind):
    assert Tokenizer.from_json(OURS[kind]).to_json() == OURS[kind]


def test_special_tokens_of_a_template_are_left_to_the_model():
    made = tokenizers.Tokenizer.from_str(OURS["bpe"])
    made.post_processor = processors.TemplateProcessing("$A $A", special_tokens=[])
    assert Tokenizer.from_json(made.to_str()).to_json() == OURS["bpe"]


# What never ends, or takes the process with it

GROWS = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
REGEX = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}


def test_what_may_never_end_or_fail_is_refused_by_name():
    for text, said in (
        (changed(normalizer=sequence("normalizers", *[GROWS] * 40)), "more than 16 parts"),
        (changed(normalizer=sequence("normalizers", *[GROWS] * 9)), "Replace makes a text longer"),
        (changed(normalizer={"type": "Prepend", "prepend": "a" * 10**6}), "Prepend has a setting"),
        (changed(normalizer={"type": "ByteLevel"}), "normalizer is 'ByteLevel'"),
        (
            changed(normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
            "normalizer is 'Precompiled'",
        ),
        (
            changed(normalizer=GROWS | {"pattern": {"Regex": "(a*)*b"}}),
            "Replace must look for a literal text",
        ),
        (changed(normalizer=GROWS | {"pattern": {"String": ""}}), "must look for a literal text"),
        (changed(normalizer=sequence("normalizers", sequence("normalizers"))), "'Sequence'"),
        (changed(normalizer=sequence("normalizers", {"type": "NFKC"}, {"type": "NFKC"})), "twice"),
        (changed(normalizer={"type": ["NFC"]}), "normalizer is"),
        (changed(normalizer=7), "normalizer is no JSON object"),
        (changed(normalizer={"type": "Sequence"}), "normalizer is no list"),
        (changed(pre_tokenizer=REGEX), "Split must look for a literal text"),
        (changed(pre_tokenizer={"type": "FixedLength", "length": 0}), "'FixedLength'"),
        (changed(decoder=GROWS), "decoder Replace makes a text longer"),
        (
            changed(decoder={"type": "Strip", "content": " ", "start": 0, "stop": 9}),
            "decoder Strip may take one character",
        ),
        (changed(decoder={"type": "CTC"}), "decoder is 'CTC'"),
        (changed(model={"type": "Unigram", "vocab": [["a", 0.0]]}), "model is 'Unigram'"),
        (changed(model=None), "model is None"),
        (of_model(dropout=0.5), "drops merges at random"),
        (of_model(unk_token="[UNK]"), "unk_token '[UNK]' is not in the vocab"),
        (of_model(unk_token=["a"]), "unk_token ['a'] is not in the vocab"),
        (of_model(type="WordLevel", unk_token=None), "unk_token None is not in the vocab"),
        (of_model(vocab={"a" * 300: 0}), "a piece of 300 characters"),
        (of_model(vocab=[]), "has no vocab"),
        (of_model(continuing_subword_prefix="é" * 20), "continuing_subword_prefix must have"),
        (of_model(continuing_subword_prefix="#####"), "cannot be read"),
        (changed(added_tokens=[{}] * 1001), "added_tokens must be a list"),
        ("[" * 100_000, "cannot be read"),
    ):
        told = str(refusal(Tokenizer.from_json, text))
        assert "The tokenizer cannot be read" in told and said in told


def test_what_is_read_is_what_was_checked():
    twice = OURS["bpe"].replace(
        '"normalizer":', f'"normalizer": {json.dumps(GROWS)}, "normalizer":'
    )
    assert Tokenizer.from_json(twice).to_json() == OURS["bpe"]
