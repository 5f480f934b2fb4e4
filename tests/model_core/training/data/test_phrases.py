"""Pairs drawn from the phrasebook."""

import re

import pytest

from model_core.errors import ConfigError
from model_core.training.data.corpus import Corpus, Example
from model_core.training.data.leaks import same_words
from model_core.training.data.phrases import Phrasebook, drawn, phrasebook, read_phrasebook
from model_core.training.evaluation.own_sentences import own_sentences

PAIRS = [("en", "fr"), ("en", "de"), ("en", "zh"), ("zh", "en")]
NOTHING = Corpus((), (), (), "")
SMALL = """# A comment.
slot food: en | fr de, le | zh
bread | de pain, le pain | 面包
milk | de lait, le lait | 牛奶
{fruit} | de {fruit}, les {fruit} | {fruit}

slot fruit: en | fr | zh
pears | poires | 梨
quince | coings |

en we need {food} and {food2}.
en We have to buy {food} and {food2}.
fr nous avons besoin {food} et {food2:de}.

en I like {food}.
fr J'aime {food:le}.
zh 我喜欢{food}。
"""


def all_of(book: Phrasebook, slot: str, languages: tuple[str, str]) -> set[str]:
    return {next(iter(word[languages[0]].values())) for word in book.words(slot, languages)}


def test_a_slot_in_a_word_is_filled_and_a_language_may_lack_a_word() -> None:
    book = read_phrasebook(SMALL)
    assert all_of(book, "food", ("en", "fr")) == {"bread", "milk", "pears", "quince"}
    assert all_of(book, "food", ("en", "zh")) == {"bread", "milk", "pears"}
    assert [book.fillings(one, ("en", "fr")) for one in book.phrases] == [16, 4]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("slot a: en | fr\nx | y | z", "2 cells"),
        ("slot a: en | fr le, de\nx | y", "2 forms"),
        ("en {a}\nfr {a}\n\nslot b: en | fr\n{c} | {c}", "no slot c"),
        ("English hello", "begin with a language"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        read_phrasebook(text)


def test_every_line_of_a_phrase_has_the_same_slots_and_every_form_is_there() -> None:
    book = phrasebook()
    for phrase in book.phrases:
        holes = [
            re.findall(r"\{([a-z_]+)(\d?)", line) for lines in phrase.values() for line in lines
        ]
        assert all(set(one) == set(holes[0]) for one in holes), phrase
        for language, lines in phrase.items():
            for line in lines:
                for slot, form in re.findall(r"\{([a-z_]+)\d?(?::([a-z]+))?\}", line):
                    known = [word[language] for word in book.slots[slot] if language in word]
                    assert known, (slot, language)
                    assert not form or all(form in word for word in known), (slot, form)


@pytest.mark.parametrize("languages", PAIRS)
def test_there_are_many_pairs_and_all_are_sentences(languages: tuple[str, str]) -> None:
    pairs = drawn(2000, languages, NOTHING, (), seed=1)
    assert len(pairs) == 2000
    assert len(set(pairs)) > 1200
    for text in (side for pair in pairs for side in pair):
        assert text == text.strip()
        assert not re.search(r"[{}|]|  | [.,]", text), text
        assert text[-1] in ".!?。！？", text
        assert text[0] == text[0].upper(), text


@pytest.mark.parametrize("languages", PAIRS)
def test_no_pair_shares_a_side_with_the_sentences_of_a_card(languages: tuple[str, str]) -> None:
    own = own_sentences(*languages)
    free = drawn(4000, languages, NOTHING, (), seed=1)
    assert any(sentence.accepts(target) for _, target in free for sentence in own)
    sources = {same_words(sentence.source) for sentence in own}
    for source, target in {*drawn(4000, languages, NOTHING, own, seed=1)}:
        assert same_words(source) not in sources
        assert not any(sentence.accepts(target) for sentence in own), target


def test_no_pair_shares_a_side_with_what_decides_or_is_scored() -> None:
    free = drawn(300, ("en", "fr"), NOTHING, (), seed=1)
    (one, two), (three, four) = free[0], free[1]
    held = Corpus((), (Example(one.upper(), ("?",)),), (Example("?", (four,)),), "")
    sources, targets = zip(*drawn(300, ("en", "fr"), held, (), seed=1), strict=True)
    assert one not in sources
    assert four not in targets
    assert two and three


def test_pairs_follow_from_the_seed() -> None:
    first = drawn(50, ("en", "de"), NOTHING, (), seed=1)
    assert first == drawn(50, ("en", "de"), NOTHING, (), seed=1)
    assert first != drawn(50, ("en", "de"), NOTHING, (), seed=2)


def test_a_language_that_is_not_there_is_refused() -> None:
    assert drawn(0, ("en", "eo"), NOTHING, (), seed=1) == ()
    with pytest.raises(ConfigError, match="en and eo"):
        drawn(5, ("en", "eo"), NOTHING, (), seed=1)
