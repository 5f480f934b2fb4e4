"""Modules of the array module: what they do with memory that torch's do otherwise."""

import numpy as np

from viz_app.live.arrays.modules import Linear
from viz_app.live.arrays.tensor import Tensor


def test_what_is_loaded_is_taken_without_a_copy_but_where_nobody_could_write_into_it():
    own, read_only = np.ones((2, 4), np.float32), np.frombuffer(bytes(8), np.float32)
    made = Linear(4, 2)
    made.load_state_dict({"weight": Tensor(own), "bias": Tensor(read_only)})
    assert np.shares_memory(made.weight.a, own)
    made.bias.a += 1
    assert made.bias.a.tolist() == [1, 1] and read_only.tolist() == [0, 0]


def test_weights_take_no_memory_before_there_are_some():
    weight = Linear(1000, 1000).weight.a
    assert weight.shape == (1000, 1000) and not weight.any()
    assert np.lib.array_utils.byte_bounds(weight)[1] - np.lib.array_utils.byte_bounds(weight)[0] < 9
