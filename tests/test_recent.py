import threading

import numpy as np
import pytest
import torch

from model_core.held import held_memory
from model_core.recent import Recent


def test_a_kept_value_is_not_made_again():
    recent, made = Recent(2), []
    for _ in range(3):
        assert recent.of("a", lambda: made.append(1) or len(made)) == 1
    assert len(made) == 1


def test_no_more_than_the_most_are_kept_and_the_least_used_goes_first():
    recent = Recent(2)
    for key in "aba":
        recent.of(key, object)
    kept = recent.of("a", object)
    recent.of("c", object)
    assert len(recent) == 2
    assert recent.of("a", object) is kept


def test_no_more_bytes_are_kept_than_allowed_and_those_that_are_shared_count_once():
    recent, shared = Recent(9, most_bytes=2000), torch.zeros(200)
    kept = [recent.of(key, lambda: (shared[:1], np.zeros(50))) for key in "abc"]
    assert recent.nbytes == 800 + 3 * 400 == sum(held_memory(kept).values())
    recent.of(("d", shared), lambda: np.zeros(50)[:10])
    assert len(recent) == 3 and recent.nbytes == 2000
    assert recent.of("b", object) is kept[1]
    assert recent.of("too large", lambda: np.zeros(251)).nbytes == 2008
    assert len(recent) == 3 and recent.of("b", object) is kept[1]


def test_who_asked_is_told_that_another_value_is_kept():
    told = []
    recent = Recent(2, grown=lambda: told.append(len(recent)))
    for key in "aab":
        recent.of(key, object)
    assert told == [1, 2]
    recent.clear()
    assert len(recent) == 0


def test_with_no_room_every_value_is_made_and_none_kept():
    recent = Recent(0)
    assert recent.of("a", lambda: 1) == 1 and recent.of("a", lambda: 2) == 2
    assert len(recent) == 0


def test_what_fails_is_tried_again():
    recent = Recent(2)
    with pytest.raises(ZeroDivisionError):
        recent.of("a", lambda: 1 // 0)
    assert recent.of("a", lambda: 5) == 5


def test_many_threads_get_equal_values_within_the_bound():
    recent, found = Recent(3), []

    def ask():
        for i in range(200):
            found.append((i % 7, recent.of(i % 7, lambda i=i: [i % 7])))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(value == [key] for key, value in found) and len(recent) == 3
