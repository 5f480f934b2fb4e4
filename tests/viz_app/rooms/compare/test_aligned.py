"""What is laid beside what: tokens by their text or their place, and whole words."""

from dataclasses import replace

import pytest

from model_core.values.recipe import Recipe
from model_core.values.trace import Tokens
from model_core.values.words import by_words
from tests.viz_app.rooms.compare.asking import B, ask
from viz_app.rooms.compare.aligned import aligned, aligned_at_their_first, common, words_beside


def tokens(text):
    words = tuple(text.split())
    kinds = tuple("special" if word == "</s>" else "text" for word in words)
    return Tokens(tuple(range(len(words))), words, words, kinds, (None,) * len(words))


@pytest.mark.parametrize("how", ["text", "position"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the old cat sleeps </s>", "the cat sleeps </s>"),
        ("a b c a b b a", "c b a b a c"),
        ("a", "b c"),
        ("", "a b"),
        ("the the the", "the"),
    ],
)
def test_each_token_stands_in_one_place_and_in_order(how, a, b):
    pairs = aligned(tokens(a), tokens(b), how)
    for of, text in enumerate((a, b)):
        places = [pair[of] for pair in pairs if pair[of] is not None]
        assert places == list(range(len(text.split())))
    assert (None, None) not in pairs
    beside = list(zip(*common(pairs), strict=True))
    if how == "text":
        assert all(a.split()[i] == b.split()[j] for i, j in beside)
        assert len(beside) == longest(a.split(), b.split())
    else:
        assert all(i == j for i, j in beside)


def longest(a, b):
    """The length of a longest common subsequence, by its definition."""
    if not a or not b:
        return 0
    if a[-1] == b[-1]:
        return 1 + longest(a[:-1], b[:-1])
    return max(longest(a[:-1], b), longest(a, b[:-1]))


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        ("the old cat .", "the cat .", "the/the old/ cat/cat ./."),
        ("sur le toit chaud", "au chaud", "sur/au le/ toit/ chaud/chaud"),
        ("a", "", "a/"),
        ("", "", ""),
        ("a b", "c d", "a/c b/d"),
    ],
)
def test_words_stand_beside_equal_ones_and_between_them_one_for_one(a, b, pairs):
    wanted = [tuple(word or None for word in pair.split("/")) for pair in pairs.split()]
    assert words_beside(a.split(), b.split()) == wanted


def test_a_word_spelled_like_a_special_token_is_not_it():
    end = tokens("</s>")
    word = replace(end, kinds=("text",))
    assert aligned(end, word, "text") == [(0, None), (None, 0)]


def test_words_stand_beside_each_other_where_both_begin_after_the_same_token():
    a, b = ((0,), (1, 2), (3,)), ((0,), (1,), (2, 3), (4,))
    pairs = [(0, 0), (1, 1), (2, None), (None, 2), (None, 3), (3, 4)]
    assert aligned_at_their_first(a, b, pairs) == [(0, 0), (1, 1), (None, 2), (2, 3)]
    # A word that begins where another one goes on stands alone.
    assert aligned_at_their_first(((0, 1),), ((0,), (1,)), [(0, None), (1, 1), (None, 0)]) == [
        (0, None),
        (None, 0),
        (None, 1),
    ]
    assert aligned_at_their_first((), ((0,),), [(None, 0)]) == [(None, 0)]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("align", ["position", "text"])
def test_words_stand_beside_each_other_with_all_of_their_tokens(service, recipe, site, align):
    answer = ask(service, recipe, b=B, site=site, align=align)
    own = by_words(service.library.extend(Recipe.from_json(recipe), 0)[1], site, written=True)
    its = by_words(service.library.extend(Recipe.from_json(B), None)[1], site, written=True)
    for of, run in enumerate((own, its)):
        for axis, words in (("row_words", run.rows), ("column_words", run.columns)):
            beside = tuple(tuple(pair[of]) for pair in answer[axis] if pair[of] is not None)
            assert beside == words
    if align == "text":  # those that are written alike
        texts = [
            [
                run.keys.texts[run.columns.index(tuple(w))]
                for w, run in zip(p, (own, its), strict=True)
            ]
            for p in answer["column_words"]
            if None not in p
        ]
        assert texts and all(a.strip() == b.strip() for a, b in texts)
