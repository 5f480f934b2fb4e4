"""The words of a sentence and the order they stand in, as rooms/positions/order.js counts them."""

from collections.abc import Mapping, Sequence

from model_core.values.trace import Tokens


def words_of(tokens: Tokens) -> list[list[int]]:
    """The words as lists of token indexes; without word marks every token is one."""
    marked = any(piece.startswith("▁") for piece in tokens.pieces)
    words: list[list[int]] = []
    for i, (piece, text, kind) in enumerate(
        zip(tokens.pieces, tokens.texts, tokens.kinds, strict=True)
    ):
        goes_on = marked and i > 0 and kind == tokens.kinds[i - 1] == "text"
        if goes_on and not piece.startswith("▁") and _has_letter(text):
            words[-1].append(i)
        else:
            words.append([i])
    return words


def first_order(words: Sequence[Sequence[int]], tokens: Tokens) -> list[int]:
    """The order a sentence opens with: two words have changed places."""
    order = list(range(len(words)))
    movable = [
        i
        for i, word in enumerate(words)
        if tokens.kinds[word[0]] == "text" and any(_has_letter(tokens.texts[t]) for t in word)
    ]
    if len(movable) > 1:
        # The second word rather than an article.
        a, b = movable[1 if len(movable) > 4 else 0], movable[-1]
        order[a], order[b] = order[b], order[a]
    return order


def tokens_in(order: Sequence[int], words: Sequence[Sequence[int]]) -> list[int]:
    """Which token stands at each place, when the words stand in this order."""
    return [token for word in order for token in words[word]]


def places_in(
    order: Sequence[int], words: Sequence[Sequence[int]], shift: Mapping[int, int], last: int
) -> list[int] | None:
    """Which position each place has when words are shifted; None where none is."""
    if not any(shift.values()):
        return None
    shifts = [shift.get(word, 0) for word in order for _ in words[word]]
    return [max(0, min(last, place + by)) for place, by in enumerate(shifts)]


def _has_letter(text: str) -> bool:
    return any(map(str.isalnum, text))
