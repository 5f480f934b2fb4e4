"""A target that the reader begins with a text."""

from dataclasses import replace

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.own import OwnModel
from model_core.tokenizer import Tokenizer
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe
from model_core.values.special import Special

RECIPE = Recipe("tiny", "The old cat sleeps.")


def test_a_text_becomes_forced_tokens_and_the_model_goes_on(tiny):
    for edits in ((), read_edits(["no-scale"])):
        tracer = Tracer(OwnModel(tiny), edits=edits)
        recipe = Recipe("tiny", "The old cat sleeps.", edits=edits)
        begun = tracer.beginning(recipe, "Le vieux")
        assert begun.edits == recipe.edits and begun.source == recipe.source
        assert tracer.text(tracer.evaluate(begun)) == "Le vieux"
        assert {choice.how for choice in begun.target} == {"forced"}
        longer, decoding = tracer.extend(begun, 2)
        assert longer.target[: len(begun.target)] == begun.target
        assert len(decoding.chosen) == len(begun.target) + 2
    assert tracer.beginning(begun, "").target == ()


@pytest.mark.parametrize(
    ("text", "code"), [("chat " * 24, "beginning_tokens"), ("le \ud800", "half_character")]
)
def test_what_cannot_begin_a_target_is_refused_by_name(tiny, text, code):
    tracer = Tracer(OwnModel(tiny))
    longest = tracer.beginning(RECIPE, "chat " * 3)
    with pytest.raises(RecipeError) as raised:
        tracer.beginning(longest, text)
    assert raised.value.code == code


def test_a_beginning_of_one_token_too_many_is_refused(tiny):
    tracer = Tracer(OwnModel(tiny))
    text, limit = "", tracer.anatomy.max_positions - 1
    while len(tracer.model.target(text).ids) - 1 < limit:
        text += "a"  # merges with none of its kind: one token more each
    assert len(tracer.evaluate(tracer.beginning(RECIPE, text)).chosen) == limit
    with pytest.raises(RecipeError, match=f"this model writes {limit} here"):
        tracer.beginning(RECIPE, text + "a")
    whole = tracer.beginning(RECIPE, text[1:], ended=True)
    assert tracer.evaluate(whole).finished == "end" and len(whole.target) == limit
    with pytest.raises(RecipeError, match=f"this model writes {limit - 1} here"):
        tracer.beginning(RECIPE, text, ended=True)


def test_a_word_that_the_vocabulary_lacks_is_named(tiny):
    words = {"[PAD]": 0, "[SOS]": 1, "[EOS]": 2, "[UNK]": 3, "the": 4, "cat": 5}
    backend = tokenizers.Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.add_special_tokens(list(words)[:4])
    special = Special(0, 1, 2, unknown=3)
    known = Tokenizer.from_json(backend.to_str(), special)
    tracer = Tracer(OwnModel(replace(tiny, target_tokenizer=known)))
    assert tracer.beginning(RECIPE, "the cat").target_ids == (4, 5)
    with pytest.raises(RecipeError, match="no token for 'dog'"):
        tracer.beginning(RECIPE, "the dog")
