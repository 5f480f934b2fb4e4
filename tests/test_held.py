from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from model_core.attention import KeyValues
from model_core.held import held_memory


@dataclass(frozen=True, eq=False)
class Pair:
    one: object
    other: object


def nbytes(value: object) -> int:
    return sum(held_memory(value).values())


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
