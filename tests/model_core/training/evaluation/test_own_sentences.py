import pytest

from model_core.training.evaluation.own_sentences import OwnSentence, own_sentences

PAIRS = [("en", "fr"), ("en", "de"), ("en", "zh"), ("zh", "en"), ("text", "reversed")]


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_there_are_forty_sentences_and_each_has_translations(pair):
    sentences = own_sentences(*pair)
    assert (
        len(sentences)
        == len({sentence.source for sentence in sentences})
        == (10 if pair == ("text", "reversed") else 40)
    )
    for sentence in sentences:
        assert sentence.source and sentence.patterns and all(sentence.patterns)
        assert not sentence.accepts("") and not sentence.accepts("...")


def test_languages_without_sentences_have_none():
    assert own_sentences("en", "eo") == ()
    assert own_sentences("../accepted_translations/en", "fr") == ()


def test_they_are_found_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(own_sentences("en", "fr")) == 40


def test_a_translation_is_right_where_a_reader_would_say_so():
    for pair, number, output, right in (
        (("en", "fr"), 0, "Où se trouve la gare la plus proche ?", True),
        (("en", "fr"), 0, "Où est la station la plus proche?", True),
        (("en", "fr"), 0, "Quelle est la gare la plus proche ?", False),
        (("en", "fr"), 2, "Peux-tu m'aider, s'il te plaît ?", True),
        (("en", "fr"), 2, "Peux-tu m’aider, s’il te plaît ?", True),
        (("en", "fr"), 2, "Peux-tu m'aider, s'il vous plaît ?", False),
        (("en", "fr"), 7, "Le vieux chat dort sur le toit chaleureux.", False),
        (("en", "de"), 1, "Ich habe seit heute Morgen nichts gegessen.", True),
        (("en", "de"), 1, "Ich habe heute Morgen nichts gegessen.", False),
        (("en", "zh"), 1, "我从今天早上就没吃东西了。", True),
        (("en", "zh"), 1, "我今天早上没吃东西。", False),
        (("en", "zh"), 7, "那只老猫睡在温暖的屋顶上。", True),
        (("zh", "en"), 3, "My brother works at a hospital.", True),
        (("zh", "en"), 3, "My sister works at a hospital.", False),
        (("en", "fr"), 11, "Comment vous appelez-vous ?", True),
        (("en", "fr"), 11, "Comment s'appelle-t-il ?", False),
        (("en", "fr"), 18, "Il est trois heures et demie.", True),
        (("en", "fr"), 18, "Il est à moitié trois heures.", False),
        (("en", "fr"), 35, "Il pleut.", True),
        (("en", "de"), 18, "Es ist halb vier.", True),
        (("en", "de"), 18, "Es ist halb drei.", False),
        (("en", "de"), 24, "Biegen Sie an der Ampel links ab.", True),
        (("en", "de"), 24, "Biegen Sie an der Ampel rechts ab.", False),
        (("en", "zh"), 13, "很高兴认识你。", True),
        (("en", "zh"), 22, "这太贵了。", True),
        (("en", "zh"), 22, "这很贵。", False),
        (("en", "zh"), 39, "我妹妹喜欢在图书馆看书。", True),
        (("zh", "en"), 39, "My younger sister likes to read Chinese novels in the library.", True),
        (("zh", "en"), 39, "My sister likes to read in the library.", False),
        (("zh", "en"), 33, "My head hurts.", False),
        (("text", "reversed"), 0, "olleh", True),
        (("text", "reversed"), 0, "hello", False),
    ):
        assert own_sentences(*pair)[number].accepts(output) is right, output


def test_case_spaces_and_punctuation_are_not_compared_but_accents_and_words_are():
    sentence = OwnSentence("x", ("(Ça|Cela) va(| bien).",))
    for output in ("Ça va.", "cela  va bien", "ÇA VA BIEN !", "C\u0327a va."):
        assert sentence.accepts(output)
    for output in ("Ca va.", "Ça va bien bien.", "Ça vas.", ""):
        assert not sentence.accepts(output)
