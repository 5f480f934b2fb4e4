import threading
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from torch import nn

from model_core.decoding.cache import Cache
from model_core.models.memory import memory_of
from model_core.transformer.key_values import KeyValues


def test_a_kept_value_is_not_made_again():
    cache, made = Cache(2), []
    for _ in range(3):
        assert cache.of("a", lambda: made.append(1) or len(made)) == 1
    assert len(made) == 1


def test_no_more_than_the_most_are_kept_and_the_least_used_goes_first():
    cache = Cache(2)
    for key in "aba":
        cache.of(key, object)
    kept = cache.of("a", object)
    cache.of("c", object)
    assert len(cache) == 2
    assert cache.of("a", object) is kept


def test_no_more_bytes_are_kept_than_allowed_and_those_that_are_shared_count_once():
    cache, shared = Cache(9, most_bytes=2000), torch.zeros(200)
    kept = [cache.of(key, lambda: (shared[:1], np.zeros(50))) for key in "abc"]
    assert cache.nbytes == 800 + 3 * 400 == sum(memory_of(kept).values())
    cache.of(("d", shared), lambda: np.zeros(50)[:10])
    assert len(cache) == 3 and cache.nbytes == 2000
    assert cache.of("b", object) is kept[1]
    assert cache.of("too large", lambda: np.zeros(251)).nbytes == 2008
    assert len(cache) == 3 and cache.of("b", object) is kept[1]


def test_what_was_used_longest_ago_goes_first_but_for_the_last_sentence():
    cache = Cache(most_bytes=1000)
    cache.keep("sentence", (), State(100))
    a, _, c = (cache.of(name, lambda: np.zeros(25)) for name in "abc")
    assert cache.of("a", object) is a
    d = cache.of("d", lambda: np.zeros(60))
    assert cache.nbytes == 100 + a.nbytes + c.nbytes + d.nbytes  # b has gone
    assert cache.state("sentence", ()) is not None
    cache.keep("another", (), State(100))
    e = cache.of("e", lambda: np.zeros(110))
    assert cache.state("another", ()) is not None and cache.state("sentence", ()) is None
    assert len(cache) == 2 and cache.nbytes == 100 + e.nbytes
    cache.of("f", lambda: np.zeros(125))
    assert cache.state("another", ()) is not None and cache.nbytes == 100


def test_a_sentence_that_is_too_large_takes_nothing_else_with_it():
    cache = Cache(most_bytes=1000)
    kept = cache.of("run", lambda: np.zeros(50))
    cache.keep("long", (), State(600))
    cache.keep("long", (1,), State(600))
    assert not cache.fits("long") and cache.fits("another")
    assert cache.state("long", ()) is None and cache.of("run", object) is kept
    assert len(cache) == 1 and cache.nbytes == kept.nbytes
    cache.keep("long", (1, 2), State(10))  # as it would be after a limit
    assert cache.fits("long")


def test_the_values_of_two_models_lie_in_one_cache_and_are_not_taken_for_each_other():
    cache = Cache(3)
    one, other = cache.within("one", ()), cache.within("other", ())
    kept = one.of("key", object)
    assert other.of("key", object) is not kept is one.of("key", object)
    assert len(cache) == 2


def test_with_no_room_every_value_is_made_and_none_kept():
    cache = Cache(0)
    assert cache.of("a", lambda: 1) == 1 and cache.of("a", lambda: 2) == 2
    assert len(cache) == 0


def test_what_fails_is_tried_again():
    cache = Cache(2)
    with pytest.raises(ZeroDivisionError):
        cache.of("a", lambda: 1 // 0)
    assert cache.of("a", lambda: 5) == 5


def test_many_threads_get_equal_values_within_the_bound():
    cache, found = Cache(3), []

    def ask():
        for i in range(200):
            found.append((i % 7, cache.of(i % 7, lambda i=i: [i % 7])))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(value == [key] for key, value in found) and len(cache) == 3


def test_what_it_says_it_keeps_is_never_more_than_it_may_be():
    """Read by another thread while an old value goes, which is when this one looks."""
    cache, seen = Cache(9, most_bytes=2000), []

    class Looking:
        def __init__(self):
            self.array = np.zeros(100)

        def __del__(self):
            seen.append(cache.nbytes)

    for key in "abcd":
        cache.of(key, Looking)
    assert len(seen) == 2 and max(seen) <= 2000


class State:
    """A state behind which there are so many bytes, all its own."""

    def __init__(self, nbytes):
        self.nbytes = nbytes

    def grew_from(self, earlier):
        return True

    def pieces(self, newest_only):
        return [(id(self), self.nbytes)]


@dataclass(frozen=True, eq=False)
class Pair:
    one: object
    other: object


def nbytes(value: object) -> int:
    return sum(memory_of(value).values())


def test_a_view_counts_for_all_that_it_keeps_alive_and_what_is_shared_once() -> None:
    whole, array = torch.zeros(10, 10), np.zeros((10, 10))
    assert nbytes([whole[0, 0], whole[:, 1]]) == nbytes(whole) == 400
    assert nbytes(array[0, :1]) == nbytes((array, array.T)) == 800
    assert nbytes(Pair(whole[0], {"b": array[0], "a": [array]})) == 1200
    assert nbytes({(1, KeyValues().append(whole[None, None])): "x"}) == 400


def test_keys_and_values_count_with_their_free_room() -> None:
    first = KeyValues().append(torch.zeros(1, 4, 1, 5))
    second = first.append(torch.zeros(1, 4, 1, 5))
    assert nbytes(first) == first.storage_nbytes == 4 * 5 * 4
    assert nbytes([second, second.k_BHKE]) == second.storage_nbytes == 8 * 4 * 5 * 4


def test_weights_words_and_numbers_count_for_nothing() -> None:
    assert nbytes([nn.Linear(9, 9), "words", 1.0, None, (3, 4)]) == 0
