"""Which merges made the pieces of a text: the library's own pieces are the reference."""

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers

from model_core.checkpoints.store import open_checkpoint
from model_core.studies.assembly import assembly_of
from model_core.tokenizer import BYTES, SPECIALS, Tokenizer
from model_core.values.special import Special
from tests.conftest import CHECKPOINTS

TEXT = "The cat sleeps, doesn't it? été 我 \N{GRINNING FACE}  x"


@pytest.mark.parametrize("name", ["en-fr", "en-de"])
def test_the_merges_of_a_text_end_in_its_pieces(name):
    tokenizer = open_checkpoint(CHECKPOINTS / name).source_tokenizer
    found, tokens = assembly_of(tokenizer, TEXT), tokenizer.encode(TEXT)
    assert found.kind == "merges" and found.learnt > 1000
    places = [place for part in found.parts for place in part.places]
    assert places == list(range(len(tokens) - 1))  # all but the end
    for part in found.parts:
        symbols = part.symbols
        for merge in part.merges:
            at = next(
                at
                for at in range(len(symbols))
                if symbols[at : at + 2] == (merge.left, merge.right)
            )
            joined = (*symbols[:at], merge.left + merge.right, *symbols[at + 2 :])
            assert merge.symbols == joined and 1 <= merge.number <= found.learnt
            symbols = joined
        assert symbols == tuple(tokens.pieces[place] for place in part.places)


def test_the_pair_that_was_learnt_first_is_joined_first():
    vocab = [*SPECIALS, *BYTES, *"▁abc", "bc", "ab", "▁a"]
    model = models.BPE(
        vocab={piece: i for i, piece in enumerate(vocab)},
        merges=[("b", "c"), ("a", "b"), ("▁", "a")],
        byte_fallback=True,
    )
    backend = tokenizers.Tokenizer(model)
    backend.pre_tokenizer = pre_tokenizers.Metaspace("▁", prepend_scheme="always")
    (part,) = assembly_of(Tokenizer(backend), "abc").parts
    assert part.symbols == ("▁", "a", "b", "c")
    steps = [(merge.left, merge.right, merge.number) for merge in part.merges]
    assert steps == [("b", "c", 1), ("▁", "a", 3)]
    assert part.merges[-1].symbols == ("▁a", "bc")


def test_characters_and_whole_words_have_no_merges():
    characters = Tokenizer.train(["abc"], "characters", 300)
    assert assembly_of(characters, "ab").kind == "characters"
    model = models.WordLevel(vocab={"<s>": 0, "</s>": 1, "<pad>": 2, "[UNK]": 3, "cat": 4})
    model.unk_token = "[UNK]"
    backend = tokenizers.Tokenizer(model)
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.add_special_tokens(["<s>", "</s>", "<pad>", "[UNK]"])
    words = Tokenizer(backend, Special(pad=2, start=0, end=1, unknown=3))
    assert assembly_of(words, "cat").kind == "other"
