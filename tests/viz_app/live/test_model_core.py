"""The tests of model_core hold by the array module too: see tests/live/left_out.py for which."""

import os
import subprocess
import sys

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tests.conftest import ROOT
from tests.live.left_out import FOLDER, FOLDERS, LEFT_OUT, places
from viz_app.live.arrays import functional as ours
from viz_app.live.arrays import functions
from viz_app.live.arrays.functions import ones
from viz_app.live.arrays.modules import Linear, Module
from viz_app.live.arrays.tensor import Tensor

ONE_IN = 10  # of the parameters of a test; all of them take four minutes of the processor


def test_what_model_core_promises_holds_by_the_array_module():
    run = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.live.within",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    one_thread = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # more wait for each other
    done = subprocess.run(
        [*run, f"--one-in={ONE_IN}", *places()],
        cwd=ROOT,
        env=one_thread,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_every_test_that_is_left_out_is_there():
    for name in (name for names in LEFT_OUT.values() for name in names):
        path, _, test = name.partition("::")
        place = ROOT / FOLDER / path
        assert place.exists(), name
        assert not test or f"def {test}" in place.read_text("utf-8"), name
    assert all((ROOT / FOLDER / one).exists() for one in FOLDERS)


def test_several_dimensions_are_padded_as_torch_pads_them():
    for places_ in ((1, 2), (0, 0, 0, 3), (1, 0, 2, 3, 0, 1)):
        expected = functional.pad(torch.ones(2, 3, 4), places_, value=7)
        assert (ours.pad(ones(2, 3, 4), places_, value=7).a == expected.numpy()).all()


def test_norms_softmax_quotients_and_parts_are_those_of_torch():
    draw = np.random.default_rng(0)
    x, weight, bias = (draw.standard_normal(shape, np.float32) for shape in ((2, 5, 8), (8,), (8,)))

    def both(make):
        return [make(torch.from_numpy, torch), make(Tensor, functions)]

    makes = (
        lambda of, library: library.layer_norm(of(x), (8,), of(weight), of(bias), 1e-5),
        lambda of, library: of(x).softmax(-1),
        lambda of, library: of(x).softmax(1),
        lambda of, library: of(x) / 3,
        lambda of, library: of(x) / of(np.arange(1, 9)),
        lambda of, library: of(np.arange(5)) / 2,
        *(
            lambda of, library, part=part: of(x).split_with_sizes((1, 5, 2), dim=-1)[part]
            for part in range(3)
        ),
    )
    for make in makes:
        expected, found = (one.numpy() for one in both(make))
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, 1e-6, 1e-6)
    assert len(Tensor(x).split_with_sizes((3, 2), dim=1)) == 2


def test_a_part_of_a_split_shares_its_numbers_and_a_weight_is_kept_row_by_row():
    whole = ones(2, 6)
    whole.split_with_sizes((2, 4), dim=1)[1].a[...] = 3
    assert whole.a.tolist() == [[1, 1, 3, 3, 3, 3]] * 2
    weight = Tensor(np.arange(6.0).reshape(2, 3))
    weight.data = weight.data.t().contiguous().t()
    assert weight.a.flags.c_contiguous and weight.a.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_part_that_is_taken_out_is_gone_and_keeps_its_name():
    for kind, part in ((nn.Module, nn.Linear(2, 2)), (Module, Linear(2, 2))):
        whole = kind()
        whole.part = part
        whole.part = None
        assert whole.part is None
        assert [*whole._modules] == ["part"]
        assert not [*whole.named_children()] and not [*whole.parameters()]
