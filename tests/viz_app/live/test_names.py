"""The array module has the names of torch that a browser comes to, and no others."""

import ast
import functools

import pytest
import torch

from viz_app.live.arrays.kinds import NotHere
from viz_app.live.arrays.modules import Module
from viz_app.live.arrays.tensor import Tensor
from viz_app.live.packages import ROOT, archived, imports
from viz_app.live.standing import NAMES

LIBRARIES = ("torch", "tokenizers", "safetensors")
# What has a name of a tensor's or a module's and belongs to something else: NumPy, texts,
# dictionaries, values of our own.
ELSEWHERE = {
    *("H", "cross", "diff", "divide", "floor", "histogram", "index", "inner", "isclose", "isnan"),
    *("log10", "name", "nbytes", "ndim", "outer", "sort", "split", "take", "trace", "values"),
    "where",
}
# What saves a model and trains a tokenizer, which a browser never does.
ELSEWHEN = {("safetensors.numpy", "save"), ("safetensors.torch", "save"), ("tokenizers", "Regex")}


@functools.cache
def of_models():
    """The modules of model_core that a browser runs, parsed, by their paths."""
    paths = [path for path in archived() if path.relative_to(ROOT).parts[0] == "model_core"]
    with_libraries = [
        path for path in paths if {name.split(".")[0] for name in imports(path)} & {*LIBRARIES}
    ]
    return {path: ast.parse(path.read_text("utf-8")) for path in with_libraries}


def known_in(tree):
    """What of the libraries the names of a module stand for, as its imports say."""
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            roots = {alias.name.split(".")[0] for alias in node.names}
            known |= {root: root for root in roots & {*LIBRARIES}}
        elif isinstance(node, ast.ImportFrom) and node.module.split(".")[0] in LIBRARIES:
            known |= {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return known


def named(tree):
    """The names of the libraries that a module uses, by where they are: ("torch.nn", "Linear")."""
    known = known_in(tree)
    yield from (tuple(whole.rsplit(".", 1)) for whole in known.values() if "." in whole)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (where := place_of(node.value, known)):
            yield where, node.attr


def place_of(node, known):
    """The dotted name of a module of the libraries that an expression is; None for any other."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute) and (where := place_of(node.value, known)):
        return f"{where}.{node.attr}"
    return None


@functools.cache
def used():
    return {pair for tree in of_models().values() for pair in named(tree)}


def is_there(where, name):
    names = NAMES.get(where)
    if names is not None:
        return name in names or f"{where}.{name}" in NAMES
    package, _, last = where.rpartition(".")  # of a class or the like in a module
    if package not in NAMES:  # torch.backends.mps
        package, outer = package.split(".")
        return hasattr(getattr(NAMES[package][outer], last), name)
    return hasattr(NAMES[package][last], name)


def test_every_name_that_a_browser_comes_to_is_there():
    of_trainings = {pair for pair in used() if pair[0].startswith("tokenizers.")} | ELSEWHEN
    assert {pair for pair in used() - of_trainings if not is_there(*pair)} == set()


def test_no_name_is_there_that_nothing_uses():
    given = {(where, name) for where, names in NAMES.items() for name in names}
    assert {pair for pair in given - used() if not pair[1].startswith("__")} == set()


def attributes():
    """What is read of anything but the libraries themselves."""
    return {
        node.attr
        for tree in of_models().values()
        for known in [known_in(tree)]
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and not place_of(node.value, known)
    }


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


def test_every_method_of_tensors_that_is_used_is_there():
    of_torch = public(torch.Tensor) | public(torch.nn.Module)
    ours = public(Tensor) | public(Module)
    assert (attributes() & of_torch) - ours - ELSEWHERE == set()


def test_no_method_is_there_that_nothing_uses():
    assert (public(Tensor) | public(Module)) - attributes() == {"a"}  # the array itself


def test_what_is_missing_is_named():
    with pytest.raises(NotHere, match=r"Tensor\.cholesky"):
        Tensor([1.0]).cholesky()
    with pytest.raises(NotHere, match="Module"):
        Module().compile()
