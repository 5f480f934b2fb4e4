"""A plugin of pytest under which tests run by the array module: `pytest -p tests.live.within`.

What tests ask of torch beyond what a browser comes to is added here and nowhere else: what
compares, what makes numbers. Tokenizers are trained and checkpoints saved by the libraries, as
they are for a browser.
"""

import contextlib
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from model_core.models.hub.families import FAMILIES
from model_core.tokenizer import Tokenizer as Trained
from tests.live.left_out import FOLDER, LEFT_OUT
from viz_app.live import tokens
from viz_app.live.arrays import functions
from viz_app.live.arrays.kinds import DType, float32
from viz_app.live.arrays.modules import Module
from viz_app.live.arrays.tensor import Tensor, array_of, several
from viz_app.live.standing import NAMES, stand_in

_USUAL = {2: (1e-3, 1e-5), 4: (1.3e-6, 1e-5), 8: (1e-7, 1e-7)}  # by the bytes of a number
_OF_TOKENIZERS = ("tokenizers.models", "tokenizers.pre_tokenizers")
_saved = safetensors.numpy.save


def equal(one: Tensor, other: Tensor) -> bool:
    return one.a.shape == other.a.shape and bool((one.a == other.a).all())


def assert_close(
    one: Any,
    other: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    msg: object = None,
) -> None:
    """torch.testing's, with the tolerances that it has."""
    found, wanted = (np.asarray(array_of(value)) for value in (one, other))
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    assert found.dtype == wanted.dtype, (found.dtype, wanted.dtype)
    usual = _USUAL[found.dtype.itemsize] if found.dtype.kind == "f" else (0, 0)
    relative, absolute = (
        own if given is None else given for given, own in zip((rtol, atol), usual, strict=True)
    )
    np.testing.assert_allclose(found, wanted, relative, absolute, equal_nan)


class Generator(functions.Random):
    """A source of random numbers of its own."""

    def manual_seed(self, seed: int) -> "Generator":
        self.begin(seed)
        return self


def zeroed(one: Tensor) -> Tensor:
    one.a[...] = 0
    return one


def trained(module: Module, mode: bool = True) -> Module:
    for one in module.modules():
        one.__dict__["training"] = mode
    return module


class no_grad(contextlib.nullcontext[None]):  # noqa: N801 - as torch calls it
    """Nothing is differentiated here anyway."""


def full_like(one: Tensor, value: Any) -> Tensor:
    return Tensor(np.full_like(one.a, value))


def randn(*shape: Any, dtype: DType = float32, generator: "Generator | None" = None) -> Tensor:
    draw = (generator or functions.random).generator
    return Tensor(np.asarray(draw.standard_normal(several(shape)), dtype.np))


def randn_like(one: Tensor) -> Tensor:
    return randn(*one.a.shape).to(one.dtype)


def rand(*shape: Any, dtype: DType = float32) -> Tensor:
    return Tensor(functions.random.generator.random(several(shape)).astype(dtype.np))


def randint(low: int, high: int, shape: Iterable[int]) -> Tensor:
    return Tensor(functions.random.generator.integers(low, high, tuple(shape)))


def linspace(first: float, last: float, count: int, dtype: DType = float32) -> Tensor:
    return Tensor(np.linspace(first, last, count).astype(dtype.np))


def saved(tensors: dict[str, Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """safetensors.torch.save."""
    content = _saved({n: np.ascontiguousarray(one.a) for n, one in tensors.items()}, metadata)
    return bytes(content)


class Kept(tokens.Tokenizer):
    """A tokenizer that can be saved: as the text that it was read from."""

    @classmethod
    def from_str(cls, text: str) -> "Kept":
        made = cls(json.loads(text))
        made.text = text
        return made

    def to_str(self, pretty: bool = False) -> str:
        return self.text


# What is added to each library, and to tensors and modules.
ADDED: dict[str, dict[str, Any]] = {
    "torch": {
        "float": float32,
        "inf": math.inf,
        "equal": equal,
        "no_grad": no_grad,
        "full_like": full_like,
        "randn": randn,
        "randn_like": randn_like,
        "rand": rand,
        "randint": randint,
        "linspace": linspace,
        "Generator": Generator,
        "default_generator": SimpleNamespace(manual_seed=functions.manual_seed),
        "sin": Tensor.sin,
    },
    "torch.testing": {"assert_close": assert_close},
    "tokenizers": {"Tokenizer": Kept},
    "safetensors.numpy": {"save": _saved},
    "safetensors.torch": {"save": saved},
}
METHODS: dict[type, dict[str, Any]] = {
    Tensor: {
        "item": lambda one: one.a.item(),
        "triu": lambda one, diagonal=0: Tensor(np.triu(one.a, diagonal)),
        "zero_": zeroed,
        "flip": lambda one, dim: Tensor(np.flip(one.a, dim)),
        "split": lambda one, size: [
            Tensor(one.a[at : at + size]) for at in range(0, len(one.a), size)
        ],
        "int": lambda one: Tensor(one.a.astype(np.int32)),
    },
    Module: {"train": trained},
}


def _trained(lines: Iterable[str], kind: Any, vocabulary: int) -> Any:
    """What stands in for a tokenizer that the library trains."""
    from model_core.tokenizer import Tokenizer

    return Tokenizer.from_json(Trained.train(lines, kind, vocabulary).to_json())


def _begin() -> None:
    library = {name: vars(sys.modules[name]) for name in _OF_TOKENIZERS}
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("torch", "tokenizers", "safetensors", "model_core"):
            del sys.modules[name]
    stand_in()
    for kind, methods in METHODS.items():
        for name, method in methods.items():
            setattr(kind, name, method)
    for name, names in (ADDED | library).items():
        if name not in NAMES:
            sys.modules[name] = ModuleType(name)
            package, _, last = name.rpartition(".")
            setattr(sys.modules[package], last, sys.modules[name])
        for one, value in names.items():
            setattr(sys.modules[name], one, value)
    from model_core import tokenizer

    tokenizer.Tokenizer.train = staticmethod(_trained)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--one-in", type=int, default=1, help="of a test's parameters, each so many")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without the tests that cannot run here, and of each test every so many parameters.

    Of the first test the first, of the next the second and so on: all parameters have their turn.
    """
    left_out = tuple(one for names in LEFT_OUT.values() for one in names)
    here = [
        item
        for item in items
        if not item.nodeid.removeprefix(f"{FOLDER}/").startswith(left_out)
        and not any(f"[{family}" in item.nodeid for family in FAMILIES)
    ]
    every, of_tests = config.getoption("--one-in"), defaultdict(list)
    for item in here:  # pytest mixes those that share a fixture of a module
        of_tests[item.nodeid.partition("[")[0]].append(item)
    chosen = []
    for number, alike in enumerate(of_tests.values()):
        chosen += alike[number % min(every, len(alike)) :: every]
    items[:] = chosen


_begin()
