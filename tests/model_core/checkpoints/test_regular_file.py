"""Files of a checkpoint are read whole, and take no more memory than they need."""

import tracemalloc

import pytest

from model_core.checkpoints.regular_file import read_regular
from model_core.errors import CheckpointBroken


def test_a_small_file_takes_little_memory_however_large_it_might_be(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"content")
    tracemalloc.start()
    content = read_regular(path, 10**8)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert content == b"content" and most < 10**6


def test_a_file_of_the_limit_is_read_and_a_larger_one_is_not(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"1234")
    assert read_regular(path, 4) == b"1234"
    with pytest.raises(CheckpointBroken, match="4 bytes"):
        read_regular(path, 3)
