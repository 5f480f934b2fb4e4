import itertools
import json
import unicodedata

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers

from model_core.errors import RecipeError, TokenizerError
from model_core.tokenizer import BYTES, SPECIALS, Tokenizer
from model_core.values.special import OURS, Special
from tests.refusals import refusal

PAD, START, END = OURS.pad, OURS.start, OURS.end
LINES = ["The cat sat on the mat, the dog's bone.", "été à la plage", "hello world"] * 5
KINDS = ["bpe", "characters"]
NASTY = [
    "",
    "The cat sat on the mat.",
    "a  b   c",
    "trailing   ",
    "\t",
    "a\tb\nc\r\nd",
    "\n\n",
    "👩‍👩‍👧 and 👍🏽",
    "مرحبا بالعالم",
    "你好，世界",
    "</s>",
    "<pad><s></s>",
    "<0x41>",
    "A<0x41>B",
    "été",
    "e\u0301te\u0301",
    "q\u0301x",
    "\u1112\u1161\u11ab",
    "a\u0315\u0300b",
    "ﬁ ß İ",
    "\x00\x7f\x80",
    "a\u00a0b\u200db",
    "don't, won't!?",
    "x" * 500,
]


@pytest.fixture(scope="module", params=KINDS)
def tokenizer(request):
    return Tokenizer.train(LINES, request.param, 300)


def test_every_text_decodes_back_in_form_nfc(tokenizer):
    again = Tokenizer.from_json(tokenizer.to_json())
    for text in NASTY:
        for one in (tokenizer, again):
            assert one.decode(one.encode(text).ids) == unicodedata.normalize("NFC", text)
            assert one.decode(one.ids(text)) == unicodedata.normalize("NFC", text)
        assert again.ids(text) == tokenizer.ids(text)


def test_a_space_at_the_beginning_is_kept_by_characters_alone():
    characters, pairs = (Tokenizer.train(LINES, kind, 300) for kind in ("characters", "bpe"))
    for text in (" ", "   ", " a", "▁", "▁a b", " \n"):
        assert characters.decode(characters.ids(text)) == text
        assert pairs.decode(pairs.ids(text)) == text.replace("▁", " ")[1:]


def test_nothing_typed_becomes_a_special_token(tokenizer):
    for text in NASTY:
        assert not {PAD, START, END} & set(tokenizer.ids(text)), text
        tokens = tokenizer.encode(text, pads=2)
        assert tokens.ids[-3:] == (END, PAD, PAD)
        assert tokens.kinds == ("text",) * (len(tokens) - 3) + ("special", "pad", "pad")


def test_training_text_with_the_specials_in_it_does_not_make_them_typable():
    for kind in KINDS:
        greedy = Tokenizer.train(["</s> <pad> <s> <0x41> " * 50] * 20, kind, 330)
        assert [greedy.piece(token) for token in range(3)] == [*SPECIALS]
        for text in ("</s>", "<pad>", "<s>", "a</s>b", "</s> </s>"):
            assert min(greedy.ids(text)) > END
            assert greedy.decode(greedy.ids(text)) == text
        assert greedy.ids("A")[-1] != greedy.ids("<0x41>")[-1]


def with_added_tokens(special):
    values = json.loads(Tokenizer.train(LINES, "bpe", 300).to_json())
    rest = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    values["added_tokens"] = [
        {"id": token, "content": piece, "special": special, **rest}
        for token, piece in enumerate(SPECIALS)
    ]
    return json.dumps(values)


def test_added_tokens_of_a_file_from_elsewhere_cannot_be_typed_either():
    tokenizer = Tokenizer.from_json(with_added_tokens(special=True))
    assert min(tokenizer.ids("a</s>b<pad>")) > END
    assert tokenizer.decode(tokenizer.ids("a</s>b<pad>")) == "a</s>b<pad>"
    with pytest.raises(TokenizerError, match="can be typed, such as '<pad>'"):
        Tokenizer.from_json(with_added_tokens(special=False))


def test_spans_cover_every_visible_character_once_and_in_order(tokenizer):
    for text in NASTY:
        spans = [span for span in tokenizer.encode(text).spans if span is not None]
        for start, stop in spans:
            assert 0 <= start < stop <= len(text)
            assert not text[start].isspace() and not text[stop - 1].isspace()
        for (_, stop), (start, _) in itertools.pairwise(sorted(set(spans))):
            assert stop <= start
        covered = {place for start, stop in spans for place in range(start, stop)}
        visible = {place for place, character in enumerate(text) if not character.isspace()}
        assert visible <= covered, text


@pytest.mark.parametrize(
    "text", ["The cat sat, the dog's bone!", "e\u0301te\u0301 a\u0300 la plage"]
)
def test_a_span_points_at_the_characters_of_its_piece(tokenizer, text):
    tokens = tokenizer.encode(text)
    for span, shown, kind in zip(tokens.spans, tokens.texts, tokens.kinds, strict=True):
        if span is not None:
            assert unicodedata.normalize("NFC", text[slice(*span)]) == shown
        else:
            assert kind != "text" or shown == " "


def test_pieces_that_spell_one_character_in_bytes_share_its_span(tokenizer):
    tokens = tokenizer.encode("你a")
    spelt = [
        span
        for span, piece in zip(tokens.spans, tokens.pieces, strict=True)
        if piece in BYTES[128:]
    ]
    assert spelt == [(0, 1)] * 3
    assert tokens.spans[-2] == (1, 2)


def test_a_decomposed_accent_belongs_to_its_letter():
    tokens = Tokenizer.train(LINES, "characters", 300).encode("e\u0301te\u0301")
    assert tokens.spans == ((0, 2), (2, 3), (3, 5), None)


def test_characters_splits_into_single_characters():
    tokenizer = Tokenizer.train(["你好，世界"], "characters", 300)
    assert tokenizer.encode("世界你好").texts[:-1] == ("世", "界", "你", "好")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [260, 264, 275, 300])
def test_the_limit_of_pieces_is_kept_and_special_and_byte_pieces_come_first(kind, size):
    tokenizer = Tokenizer.train(LINES, kind, size)
    assert len(SPECIALS + BYTES) < tokenizer.size <= size
    assert [tokenizer.piece(token) for token in range(259)] == [*SPECIALS, *BYTES]
    assert tokenizer.decode(tokenizer.ids("The ëlk.")) == "The ëlk."


def test_the_most_frequent_characters_are_kept():
    tokenizer = Tokenizer.train(["aaaa bbb cc d"] * 3, "characters", 262)
    assert {tokenizer.piece(token) for token in range(259, tokenizer.size)} == {"a", "b", " "}


def test_the_same_lines_give_the_same_tokenizer():
    assert (
        Tokenizer.train(LINES, "bpe", 300).to_json() == Tokenizer.train(LINES, "bpe", 300).to_json()
    )


def test_a_vocabulary_without_room_for_a_piece_is_refused():
    with pytest.raises(TokenizerError, match="259 is too small; take 260"):
        Tokenizer.train(LINES, "bpe", 259)


def test_a_reader_sees_words_and_not_marks():
    tokenizer = Tokenizer.train(LINES, "bpe", 300)
    shown = {tokenizer.piece(t): tokenizer.text(t) for t in range(tokenizer.size)}
    assert shown["▁the"] == "the" and shown["▁"] == " " and shown["<0x41>"] == "A"
    assert shown["<0x0A>"] == "<0x0A>" and shown["<0xFF>"] == "<0xFF>" and shown["</s>"] == "</s>"
    assert all(shown.values())


def test_broken_bytes_become_the_replacement_character(tokenizer):
    byte = 3 + 0xF0
    assert "\ufffd" in tokenizer.decode([byte, 3 + ord("a")])


def test_special_tokens_are_left_out_of_the_text(tokenizer):
    assert tokenizer.decode([START, *tokenizer.ids("hello"), END, PAD]) == "hello"


def spoilt(change):
    values = json.loads(Tokenizer.train(LINES, "bpe", 300).to_json())
    change(values["model"]["vocab"])
    return json.dumps(values)


def test_what_a_file_says_on_truncation_and_padding_changes_no_text(tokenizer):
    settings = json.loads(tokenizer.to_json())
    settings["truncation"] = {
        "direction": "Right",
        "max_length": 2,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    settings["padding"] = {
        "strategy": {"Fixed": 40},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "<pad>",
    }
    text = "The old cat sleeps on the warm roof."
    found = Tokenizer.from_json(json.dumps(settings))
    assert found.ids(text) == tokenizer.ids(text)
    assert found.encode(text).spans == tokenizer.encode(text).spans
    assert found.to_json() == tokenizer.to_json()


def test_what_is_no_tokenizer_of_ours_is_a_tokenizer_error():
    for text in (
        "",
        "{}",
        "[]",
        "not json",
        Tokenizer.train(LINES, "bpe", 300).to_json()[:700],
        spoilt(lambda vocab: vocab.update({"</s>": 1, "<s>": 2})),
        spoilt(lambda vocab: vocab.update({"▁the": 100_000})),
    ):
        assert isinstance(refusal(Tokenizer.from_json, text), TokenizerError)


# Tokenizers from elsewhere


WORDS = ["[UNK]", "[PAD]", "[SOS]", "[EOS]", "the", "cat", "sleeps", "."]


def of_words(spelled="[UNK]", split=pre_tokenizers.Whitespace, **special):
    backend = tokenizers.Tokenizer(
        models.WordLevel({word: row for row, word in enumerate(WORDS)}, unk_token=spelled)
    )
    backend.pre_tokenizer = split()
    backend.add_special_tokens(WORDS[:4])
    ids = {"pad": 1, "start": 2, "end": 3, "unknown": 0, "source_start": 2} | special
    return Tokenizer.from_json(backend.to_str(), Special(**ids))


def test_what_a_vocabulary_of_words_lacks_is_its_unknown_token():
    tokens = of_words().encode("the dog sleeps.", pads=1)
    assert tokens.pieces == ("[SOS]", "the", "[UNK]", "sleeps", ".", "[EOS]", "[PAD]")
    assert tokens.kinds == ("special", "text", "unknown", "text", "text", "special", "pad")
    assert tokens.spans == (None, (0, 3), (4, 7), (8, 14), (14, 15), None, None)
    assert of_words().decode(tokens.ids) == "the [UNK] sleeps ."
    assert of_words().source_ids("the dog sleeps.") == list(tokens.ids[:-1])


@pytest.mark.parametrize("split", [pre_tokenizers.Whitespace, pre_tokenizers.WhitespaceSplit])
def test_special_tokens_cannot_be_typed_in_words_either(split):
    tokenizer = of_words(split=split)
    for typed in ("[SOS]", "[PAD]", "[EOS]"):
        assert not {1, 2, 3} & set(tokenizer.ids(f"the {typed} cat"))
        assert tokenizer.encode(f"the {typed} cat").kinds.count("special") == 2


def test_a_word_without_any_token_is_refused():
    without = of_words("", pre_tokenizers.WhitespaceSplit, unknown=None)
    assert without.ids("the cat") == [4, 5]
    for typed in ("dog", "[PAD]"):
        with pytest.raises(RecipeError, match="has a word that this model's tokenizer lacks"):
            without.encode(f"the {typed}")


def test_special_tokens_that_a_tokenizer_does_not_have_are_refused():
    with pytest.raises(TokenizerError, match="has 8 pieces; the special tokens go up to 8"):
        of_words(end=8)
    with pytest.raises(TokenizerError, match="piece 4 is 'the', an ordinary one"):
        of_words(end=4)
