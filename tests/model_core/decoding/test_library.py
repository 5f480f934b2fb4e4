import threading

import numpy as np
import pytest
import torch

from model_core.decoding.library import Library
from model_core.decoding.queue import Queue
from model_core.errors import CheckpointMissing
from model_core.values.recipe import Recipe
from tests.tiny import tiny_checkpoint


def test_a_library_opens_a_model_once_and_names_those_it_has(tmp_path, monkeypatch):
    tiny_checkpoint(tmp_path / "one")
    tiny_checkpoint(tmp_path / "two.v2", seed=1)
    library = Library(tmp_path)
    assert library.names() == ["one", "two.v2"]
    assert library.tracer("one") is library.tracer("one")
    recipe, decoding = library.extend(Recipe("two.v2", "The cat."), 2)
    assert len(recipe.target) == 2
    other = library.extend(Recipe("one", "The cat."), 2)[1]
    one, two = decoding.steps[0], other.steps[0]
    assert not np.array_equal(one.log_probabilities_V, two.log_probabilities_V)
    for name in ("three", "../one", "", "one/"):
        with pytest.raises(CheckpointMissing, match=r"there are: one, two\.v2"):
            library.tracer(name)


def test_a_library_lets_no_more_calls_run_than_it_should(tmp_path, monkeypatch):
    tiny_checkpoint(tmp_path / "one")
    library = Library(tmp_path, queue=Queue(at_once=2))
    tracer, running, most, lock = library.tracer("one"), [0], [0], threading.Lock()
    inside = threading.Barrier(2)

    def slow(recipe, count, force):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        inside.wait(timeout=30)  # passes only if two are here at once
        with lock:
            running[0] -= 1
        return recipe, None

    monkeypatch.setattr(tracer, "extend", slow)
    threads = [
        threading.Thread(target=library.extend, args=(Recipe("one", str(index)),))
        for index in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [2]


def test_a_library_sets_how_many_threads_torch_uses_only_where_it_is_told(tmp_path):
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        Library(tmp_path)
        assert torch.get_num_threads() == 2
        Library(tmp_path, threads=1)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)
