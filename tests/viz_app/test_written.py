import pytest

from viz_app.rooms.written import written


def test_words_are_read_as_they_are_meant():
    words = written("""
# the first line
title: Attention: what {name} sees
lead: What enters the encoder
  goes on.
between: ", "
branch: one\\ntwo
""")
    assert words == {
        "title": "Attention: what {name} sees",
        "lead": "What enters the encoder goes on.",
        "between": ", ",
        "branch": "one\ntwo",
    }


def test_chinese_goes_on_without_a_space():
    assert written("a: 掩码把它遮住，\n  softmax 之后\n  为 0") == {
        "a": "掩码把它遮住，softmax 之后为 0"
    }


@pytest.mark.parametrize("text", ["a: one\na: two", "a:", "a"])
def test_a_key_twice_or_without_words_is_refused(text):
    with pytest.raises(ValueError, match="has no words, or has them already"):
        written(text)
