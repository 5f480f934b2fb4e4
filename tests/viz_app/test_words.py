"""How the files of words are read."""

import pytest

from viz_app.text import read_words


def test_words_are_read_as_they_are_meant():
    words = read_words("""
# the first line
title: Attention: what {name} sees
  zh: 注意力：{name} 看到了什么
lead: What enters the encoder
    goes on.
  zh: 进入编码器的内容，
    继续往下走
between: ", "
branch: one\\ntwo
""")
    assert words["en"] == {
        "title": "Attention: what {name} sees",
        "lead": "What enters the encoder goes on.",
        "between": ", ",
        "branch": "one\ntwo",
    }
    assert words["zh"] == {
        "title": "注意力：{name} 看到了什么",
        "lead": "进入编码器的内容，继续往下走",
        "between": ", ",
        "branch": "one\ntwo",
    }


def test_chinese_goes_on_without_a_space():
    text = "a:\n  zh: 掩码把它遮住，\n    softmax 之后\n    为 0"
    assert read_words(text) == {"en": {}, "zh": {"a": "掩码把它遮住，softmax 之后为 0"}}


@pytest.mark.parametrize(
    "text", ["a: one\na: two", "a:", "a", "  zh: 一", "a: one\n  fr: un", "a:\nb: two"]
)
def test_a_key_twice_or_without_words_is_refused(text):
    with pytest.raises(ValueError, match="words"):
        read_words(text)
