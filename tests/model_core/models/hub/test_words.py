"""Texts, languages and sentence pairs, by the library's own tokenizers made small."""

import json

import pytest
import torch
import transformers
from sentencepiece import SentencePieceTrainer

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError, TokenizerError
from model_core.models.hub.families import FAMILIES
from model_core.models.hub.loading import open_hub
from model_core.models.hub.model import HubModel
from model_core.models.hub.words import Words
from model_core.values.recipe import Recipe
from tests.model_core.models.hub.tiny import eager
from tests.model_core.models.hub.tokenizing import tokenizer_of

LINES = "the old cat sleeps on the warm roof .\nle vieux chat dort sur le toit chaud .\n"


@pytest.fixture(scope="module")
def pieces(tmp_path_factory):
    """A sentencepiece model and a vocabulary with the languages of a multilingual Marian."""
    folder = tmp_path_factory.mktemp("pieces")
    (folder / "text").write_text(LINES * 50)
    spm = str(folder / "spm")
    SentencePieceTrainer.train(
        input=str(folder / "text"), model_prefix=spm, vocab_size=30, minloglevel=2
    )
    spelled = [line.split("\t")[0] for line in (folder / "spm.vocab").read_text().splitlines()]
    plain = [piece for piece in spelled if not piece.startswith("<")]
    order = ["</s>", "<unk>", *plain, ">>fra<<", ">>spa<<", "<pad>"]
    vocabulary = {piece: place for place, piece in enumerate(order)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    return f"{spm}.model", str(folder / "vocab.json"), vocabulary


@pytest.fixture
def marian(pieces):
    spm, vocab, vocabulary = pieces
    tokenizer = transformers.MarianTokenizer(source_spm=spm, target_spm=spm, vocab=vocab)
    words = Words(tokenizer, FAMILIES["marian"], (vocabulary["<pad>"],), (0,))
    return words, tokenizer, vocabulary


def test_marian_reads_a_text_as_its_own_tokenizer_does(marian):
    words, tokenizer, vocabulary = marian
    text = "the old cat"
    source = words.source(text, pads=1, settings=(("to", "spa"),))
    assert list(source.ids[:-1]) == tokenizer(f">>spa<< {text}")["input_ids"]
    assert source.kinds[-2:] == ("special", "pad") and source.kinds[0] == "special"
    said = [text[slice(*span)] for span in source.spans if span]
    assert "".join(said) == text.replace(" ", "")
    assert words.text(source.ids) == text
    # The start token is the pad; as the beginning of a target it is no pad.
    assert words.prompt() == (vocabulary["<pad>"],)
    assert words.given(words.prompt()).kinds == ("special",)


def test_a_side_with_a_vocabulary_of_its_own_is_spelled_by_it(pieces, tmp_path):
    spm, vocab, vocabulary = pieces
    last, first = len(vocabulary) - 1, vocabulary["</s>"]
    turned = {  # all but the pad, which a batch has one of, and the end, by other numbers
        piece: token if piece in ("<pad>", "</s>") else last - token
        for piece, token in vocabulary.items()
    }
    (tmp_path / "turned.json").write_text(json.dumps(turned))
    files = {"source_spm": spm, "target_spm": spm, "vocab": vocab}
    more = {"target_vocab_file": str(tmp_path / "turned.json"), "separate_vocabs": True}
    text, pad = "the old cat", vocabulary["<pad>"]
    sizes = {"vocab_size": 60, "decoder_vocab_size": 50, "share_encoder_decoder_embeddings": False}
    ids = {"eos_token_id": first, "pad_token_id": pad, "decoder_start_token_id": pad}
    own = eager("marian", **sizes, **ids)
    own.save_pretrained(tmp_path / "model")
    transformers.MarianTokenizer(**files, **more).save_pretrained(tmp_path / "model")
    model = open_hub(tmp_path / "model", "separate")
    shared = transformers.MarianTokenizer(**files)
    source, target = model.source(text), model.target(text)
    assert (model.anatomy.source_vocabulary, model.anatomy.target_vocabulary) == (60, 50)
    assert list(source.ids) == shared(f">>fra<< {text}")["input_ids"]  # its first language
    assert target.ids == tuple(turned[piece] for piece in source.pieces[1:])
    assert target.pieces == source.pieces[1:] and target.texts == source.texts[1:]
    assert source.kinds[-1] == target.kinds[-1] == "special"
    assert model.text(target.ids) == model.source_text(source.ids) == text
    state = model.start(source)
    while state.decoding.finished is None and len(state.decoding.chosen) < 8:
        state = model.advance(state, state.decoding.step.best(1)[0])
    wanted = own.generate(torch.tensor([source.ids]), max_new_tokens=8, do_sample=False)
    ids = state.decoding.target.ids
    assert ids == tuple(wanted[0].tolist()[: len(ids)])
    turned["<pad>"], turned["</s>"] = first, pad
    (tmp_path / "model" / "target_vocab.json").write_text(json.dumps(turned))
    with pytest.raises(TokenizerError) as refused:
        open_hub(tmp_path / "model", "separate")
    assert refused.value.code == "hub_vocabularies"


def test_a_language_of_the_source_is_what_the_tokenizer_puts_before_it(pieces):
    spm, vocab, vocabulary = pieces
    tokenizer = transformers.M2M100Tokenizer(vocab_file=vocab, spm_file=spm)
    words = Words(tokenizer, FAMILIES["m2m_100"], (0,), (0,))
    first, second = words.controls
    assert (first.name, first.value, second.name) == ("from", "en", "to")
    assert second.value == "fr" and {"de", "zh"} <= set(second.choices)
    source = words.source("the cat", settings=(("from", "de"),))
    assert source.pieces[0] == "__de__"
    assert words.prompt((("to", "es"),)) == (0, tokenizer.get_lang_id("es"))
    assert words.labels(words.prompt()).pieces == ("</s>", "__fr__")
    assert vocabulary["</s>"] == 0


@pytest.mark.parametrize("made", ["NllbTokenizer", "MBartTokenizer", "MBart50Tokenizer"])
def test_languages_of_nllb_and_mbart(made):
    letters = [*"▁theoldca"]
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    vocab = (
        {piece: place for place, piece in enumerate([*specials, *letters])}
        if made == "NllbTokenizer"
        else [(piece, -1.0 - place) for place, piece in enumerate([*specials, *letters])]
    )
    tokenizer = getattr(transformers, made)(vocab=vocab)
    words = Words(tokenizer, FAMILIES["mbart"], (2,), (2,))
    german = next(code for code in words.controls[0].choices if code.startswith("de"))
    tokenizer.src_lang = german
    wanted = tokenizer("the old")["input_ids"]
    assert list(words.source("the old", settings=(("from", german),)).ids) == wanted
    assert words.prompt((("to", german),)) == (2, tokenizer.convert_tokens_to_ids(german))
    assert words.controls[1].value.startswith("fr")
    written = words.target("the old", (("to", german),))
    assert written.texts[-1] == "</s>" and german not in written.texts
    assert "".join(written.pieces[:-1]).replace("▁", "") == "theold"
    # An older mBART begins with the language itself.
    older = Words(tokenizer, FAMILIES["mbart"], (tokenizer.convert_tokens_to_ids(german),), (2,))
    french = words.controls[1].value
    assert older.prompt((("to", french),)) == (tokenizer.convert_tokens_to_ids(french),)
    assert older.controls[1].value == german


def test_what_is_not_a_setting_is_refused(marian):
    words, *_ = marian
    for settings in ((("to", "xxx"),), (("from", "fra"),), (("prefix", "a"),)):
        with pytest.raises(RecipeError):
            words.source("the cat", settings=settings)


def test_a_prefix_stands_before_the_text_and_spans_count_what_was_typed():
    words = Words(tokenizer_of("encoder-decoder"), FAMILIES["t5"], (0,), (1,), ["the old "])
    source = words.source("cat sleeps", settings=(("prefix", "the old "),))
    assert source.texts == ("the", "old", "cat", "sleeps", "</s>")
    assert source.spans == (None, None, (0, 3), (4, 10), None)


def test_a_prompt_needs_a_token_and_takes_no_pads():
    tokenizer, family = tokenizer_of("decoder"), FAMILIES["llama"]
    assert Words(tokenizer, family, (), (1,)).source("").ids == (2,)  # the beginning of a text
    model = HubModel("llama", eager("llama"), family, Words(tokenizer, family, (), (1,)))
    with pytest.raises(RecipeError, match="no pads"):
        model.start(model.source("the cat", pads=1))
    tokenizer.bos_token = None
    with pytest.raises(RecipeError, match="Type something"):
        Words(tokenizer, family, (), (1,)).source("")


def test_a_pair_of_sentences_is_read_as_the_library_reads_it():
    own, family = eager("bert"), FAMILIES["bert"]
    tokenizer = tokenizer_of("encoder", sep_token="</s>")
    model = HubModel("bert", own, family, Words(tokenizer, family, (), (1,)))
    pair = "the old cat", "a warm roof"
    found = tokenizer(*pair, return_tensors="pt", return_token_type_ids=True)
    source = model.source("the old cat", settings=(("second", "a warm roof"),))
    assert source.ids == tuple(found["input_ids"][0].tolist())
    assert source.spans[1:4] == ((0, 3), (4, 7), (8, 11)) and set(source.spans[4:]) == {None}
    with torch.inference_mode():
        wanted = eager("bert")(**found, output_attentions=True)
    types = found["token_type_ids"][0].tolist()
    assert set(types) == {0, 1}
    assert torch.equal(model.full_pass([source.ids], [()]).logits_BTV, wanted.logits)
    trace = model.start(source).decoding.trace("encoder", 1)
    assert torch.equal(torch.tensor(trace.weights_HQK), wanted.attentions[1][0])


def test_a_mask_can_be_typed_and_is_no_word_of_a_special_kind():
    words = Words(tokenizer_of("encoder"), FAMILIES["bert"], (), (1,))
    source = words.source("the old <mask> sleeps")
    assert source.ids.count(words.mask) == 1 and words.mask_text == "<mask>"
    assert source.kinds[source.ids.index(words.mask)] == "text"


def test_a_row_of_the_vocabulary_that_nothing_spells_has_its_number():
    words = Words(tokenizer_of("decoder"), FAMILIES["qwen2"], (), (1,))
    assert words.labels([59_999]).pieces == ("#59999",)


def test_what_stands_behind_a_mask_is_what_the_library_predicts():
    own, family = eager("bert"), FAMILIES["bert"]
    model = HubModel("bert", own, family, Words(tokenizer_of("encoder"), family, (), (1,)))
    tracer = Tracer(model)
    text = "the old <mask> sleeps on the <mask> ."
    decoding = tracer.evaluate(Recipe("bert", text))
    with torch.inference_mode():
        wanted = eager("bert")(torch.tensor([decoding.source.ids])).logits.log_softmax(-1)[0]
    assert [place for place, _ in decoding.masked] == [3, 7]
    for place, log_probabilities_V in decoding.masked:
        assert torch.equal(torch.tensor(log_probabilities_V), wanted[place])
        assert decoding.filled[place] == int(wanted[place].argmax())
    assert model.anatomy.mask == model.words.mask
    assert tracer.evaluate(Recipe("bert", "the old cat")).masked == ()
