"""The order of a sentence's words when two of them have changed places."""

from collections.abc import Sequence

from model_core.values.trace import Tokens
from model_core.values.words import text_of, words_of
from viz_app.rooms.examples import SWAPS

# Words that say nothing in another place, and pronouns that do, by person.
_SMALL_WORDS = """
    a an the this that these those is are was were be been am do does did has have had not can
    could will would may must should in on at of to for from by with and or but so as than since
    my your his her its our their what who where when how why which there
    的 了 吗 吧 呢 是 在 不 没 很 也 都
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_PEOPLE = (
    "i me 我 我们",
    "you 你 您 你们",
    "he him 他 他们",
    "she her 她 她们",
    "we us",
    "they them",
)
_PERSON = {word: person for person, words in enumerate(_PEOPLE) for word in words.split()}


def swapped_words(tokens: Tokens, sentence: str) -> tuple[list[list[int]], list[int]]:
    """The words of a sentence, and the order it opens with: two of them have changed places.

    What `SWAPS` names together is one word, although its tokens are several.
    """
    words, swap = list(map(list, words_of(tokens))), SWAPS.get(sentence.strip(), ())
    for text in swap:
        words = _joined(words, tokens, text)
    places = [i for text in swap for i, word in enumerate(words) if text_of(word, tokens) == text]
    order = list(range(len(words)))
    a, b = places if len(places) == 2 else _pair(words, tokens) or (0, 0)
    order[a], order[b] = order[b], order[a]
    return words, order


def movable(words: Sequence[Sequence[int]], tokens: Tokens) -> list[int]:
    """Which words may change places: no special tokens, no pads, no punctuation.

    Nor what was read besides what was typed: a task before the sentence, a second sentence.
    """
    of_text = any(span is not None for span in tokens.spans)
    return [
        i
        for i, word in enumerate(words)
        if tokens.kinds[word[0]] == "text"
        and any(_has_letter(tokens.texts[t]) for t in word)
        and not (of_text and tokens.spans[word[0]] is None)
    ]


def swaps(words: Sequence[Sequence[int]], tokens: Tokens) -> list[list[int]]:
    """The orders of the words in which two that may move have changed places, neighbours first."""
    places = movable(words, tokens)
    pairs = [
        (a, b)
        for apart in range(1, len(places))
        for a, b in zip(places, places[apart:], strict=False)
    ]
    orders = []
    for a, b in pairs:
        order = list(range(len(words)))
        order[a], order[b] = b, a
        orders.append(order)
    return orders


def tokens_in(order: Sequence[int], words: Sequence[Sequence[int]]) -> list[int]:
    """Which token stands at each place, when the words stand in this order."""
    return [token for word in order for token in words[word]]


def _pair(words: Sequence[Sequence[int]], tokens: Tokens) -> tuple[int, int] | None:
    """Two words whose change of places says something else, as far as their spelling shows.

    Two persons where there are two, else the first and the last word that is not a small one; for
    letters the outermost two that differ.
    """
    places = movable(words, tokens)
    said = {i: text_of(words[i], tokens).lower() for i in places}
    people = [i for i in places if said[i] in _PERSON]
    others = [i for i in people if _PERSON[said[i]] != _PERSON[said[people[0]]]]
    if others:
        return people[0], others[-1]
    are_words = any(len(text) > 1 or not text.isascii() for text in said.values())
    content = [i for i in places if not are_words or said[i] not in _SMALL]
    if len({said[i] for i in content}) < 2:
        content = places
    others = [i for i in content if said[i] != said[content[0]]]
    return (content[0], others[-1]) if others else None


def _joined(words: Sequence[Sequence[int]], tokens: Tokens, together: str) -> list[list[int]]:
    """The words, of which the neighbours that spell `together` are one."""
    for i in range(len(words)):
        for j in range(i + 1, len(words) + 1):
            run = [token for word in words[i:j] for token in word]
            if text_of(run, tokens) == together:
                return [*map(list, words[:i]), run, *map(list, words[j:])]
    return [list(word) for word in words]


def _has_letter(text: str) -> bool:
    return any(map(str.isalnum, text))
