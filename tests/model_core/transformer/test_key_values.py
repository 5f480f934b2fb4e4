import threading
from types import SimpleNamespace

import pytest
import torch

from model_core.transformer import key_values
from model_core.transformer.key_values import KeyValues


def rows(first, count, H=2, E=3):
    """Keys that say their position, all of row p is p, and behind their heads values of -p."""
    k_BHTE = torch.arange(first, first + count).double()[None, None, :, None].expand(1, H, count, E)
    return torch.cat([k_BHTE, -k_BHTE], dim=1)


def test_keys_and_values_come_back_in_the_order_they_were_appended():
    grown = KeyValues()
    for first in range(0, 40, 4):
        grown = grown.append(rows(first, 4))
    assert grown.length == 40
    assert torch.equal(torch.cat([grown.k_BHKE, grown.v_BHKE], dim=1), rows(0, 40))
    assert grown.k_BHKE[0, 1, :, 2].tolist() == list(range(40))


def test_appending_changes_neither_the_value_nor_any_branch():
    prefix = KeyValues().append(rows(0, 3)).append(rows(3, 1))
    before = prefix.k_BHKE.clone(), prefix.v_BHKE.clone()
    branches = [prefix.append(rows(100 * branch, 1)) for branch in range(1, 4)]
    longer = [branch.append(rows(7, 5)) for branch in branches]
    assert torch.equal(prefix.k_BHKE, before[0]) and torch.equal(prefix.v_BHKE, before[1])
    for branch, (short, long) in enumerate(zip(branches, longer, strict=True), start=1):
        wanted = [0, 1, 2, 3, 100 * branch]
        assert short.k_BHKE[0, 0, :, 0].tolist() == wanted
        assert long.k_BHKE[0, 1, :, 2].tolist() == [*wanted, 7, 8, 9, 10, 11]


def test_taken_sentences_grow_on_their_own_and_leave_the_others_as_they_were():
    two = KeyValues().append(torch.cat([rows(0, 2), rows(0, 2) + 50]))
    two = two.append(torch.cat([rows(2, 1), rows(2, 1) + 50]))
    before = two.k_BHKE.clone(), two.v_BHKE.clone()
    taken = two.take(torch.tensor([1, 1, 0]))
    wanted = torch.stack([two.k_BHKE[row] for row in (1, 1, 0)])
    assert torch.equal(taken.k_BHKE, wanted) and taken.length == two.length == 3
    grown = taken.append(torch.cat([rows(9, 1)] * 3))
    other = two.append(torch.cat([rows(7, 1)] * 2))
    assert grown.k_BHKE[:, 0, 3, 0].tolist() == [9] * 3
    assert other.k_BHKE[:, 0, 3, 0].tolist() == [7] * 2
    assert torch.equal(grown.k_BHKE[:, :, :3], wanted)
    assert torch.equal(two.k_BHKE, before[0]) and torch.equal(two.v_BHKE, before[1])


def test_free_room_that_another_took_meanwhile_is_not_taken_again(monkeypatch):
    others, grown = [], []

    class Late:
        """A lock before which, once, another branch grows."""

        def __init__(self):
            self.lock = threading.Lock()

        def __enter__(self):
            while others:
                others.pop()()
            self.lock.acquire()

        def __exit__(self, *_):
            self.lock.release()

    monkeypatch.setattr(key_values, "threading", SimpleNamespace(Lock=Late))
    values = KeyValues().append(rows(0, 1)).append(rows(1, 1))
    others.append(lambda: grown.append(values.append(rows(9, 1))))
    grown.append(values.append(rows(2, 1)))
    assert [one.k_BHKE[0, 0, :, 0].tolist() for one in grown] == [[0, 1, 9], [0, 1, 2]]
    assert grown[0].storage_identity == values.storage_identity != grown[1].storage_identity


def test_branches_that_grow_in_several_threads_do_not_see_each_other():
    prefix = KeyValues().append(rows(0, 1)).append(rows(1, 1))
    barrier, grown = threading.Barrier(8), {}

    def grow(name):
        barrier.wait()
        values = prefix
        for _ in range(60):
            values = values.append(rows(name, 1))
        grown[name] = values

    threads = [threading.Thread(target=grow, args=(name,)) for name in range(100, 108)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, values in grown.items():
        assert values.k_BHKE[0, 0, :, 0].tolist() == [0, 1] + [name] * 60
        assert values.v_BHKE[0, 0, :, 0].tolist() == [0, -1] + [-name] * 60


def test_growing_by_one_row_copies_seldom():
    values, storages = KeyValues(), []
    for position in range(64):
        values = values.append(rows(position, 1))
        if values.storage_identity not in [storage.storage_identity for storage in storages]:
            storages.append(values)
    assert len(storages) <= 6


def test_keys_and_values_that_are_empty_say_so():
    with pytest.raises(ValueError, match="no keys"):
        _ = KeyValues().k_BHKE
