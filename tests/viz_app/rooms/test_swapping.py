import pytest

from model_core.checkpoints.store import open_checkpoint
from tests.conftest import CHECKPOINTS
from viz_app.rooms.examples import EXAMPLES, LESSONS, SWAPS
from viz_app.rooms.swapping import swapped_words, tokens_in

USUAL = {
    "My brother bought a new red car.": ("brother", "car"),
    "My brother works in a hospital.": ("brother", "hospital"),
    "Tom loves Mary.": ("Tom", "Mary"),
    "你打我。": ("你", "我"),
    # nobody's example
    "She helps him because he is ill.": ("She", "he"),
    "The dog sees the cat in the garden.": ("dog", "garden"),
}
SENTENCES = {
    "en-fr": (*EXAMPLES["en", "fr"], LESSONS["en"]["order"], *list(USUAL)[-2:]),
    "en-de": EXAMPLES["en", "de"],
    "en-zh": EXAMPLES["en", "zh"],
    "zh-en": (*EXAMPLES["zh", "en"], LESSONS["zh"]["order"]),
}


def swapped(tokens, sentence):
    words, order = swapped_words(tokens, sentence)
    assert sorted(tokens_in(order, words)) == list(range(len(tokens)))
    moved = [i for i, word in enumerate(order) if word != i]
    return tuple(
        "".join(tokens.pieces[t] for t in words[i]).replace("▁", " ").strip() for i in moved
    )


@pytest.mark.parametrize("name", SENTENCES)
def test_what_changes_places_in_an_example_can_be_said_of_one_another(name):
    tokenizer = open_checkpoint(CHECKPOINTS / name).source_tokenizer
    for sentence in SENTENCES[name]:
        expected = SWAPS.get(sentence) or USUAL[sentence]
        assert swapped(tokenizer.encode(sentence, 0), sentence) == expected


@pytest.mark.parametrize(
    ("text", "letters"),
    [("attention", ("a", "n")), ("abc", ("a", "c")), ("aaaabbbb", ("a", "b")), ("aaa", ())],
)
def test_of_letters_the_outermost_that_differ_change_places(text, letters):
    tokenizer = open_checkpoint(CHECKPOINTS / "reverse-tiny").source_tokenizer
    assert swapped(tokenizer.encode(text, 2), text) == letters
