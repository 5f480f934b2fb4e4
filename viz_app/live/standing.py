"""Puts the array module, and what reads tokenizers and weights, in the places of three libraries.

What has been imported from these libraries before stays as it was, so this comes first.
"""

import math
import sys
from types import ModuleType
from typing import Any

from viz_app.live import tokens, weights
from viz_app.live.arrays import functional, functions, initial, kinds, modules
from viz_app.live.arrays.kinds import NotHere
from viz_app.live.arrays.tensor import Tensor

_FUNCTIONS = (
    *("allclose", "arange", "atan2", "broadcast_shapes", "cat", "cdist", "empty", "exp"),
    *("eye", "from_numpy", "full", "layer_norm", "manual_seed", "ones", "ones_like", "outer"),
    *("randn", "relu", "set_num_threads", "stack", "tensor", "zeros", "zeros_like"),
    *("backends", "cuda", "inference_mode", "random"),
)
_NUMBERS = ("bfloat16", "float16", "float32", "float64")
_MODULES = (
    *("Conv1d", "Dropout", "Embedding", "Identity", "LayerNorm", "Linear", "Module"),
    *("ModuleList", "Parameter"),
)
_FILLING = ("normal_", "xavier_uniform_", "zeros_")
_OF_TOKENIZERS = ("decoders", "models", "normalizers", "pre_tokenizers", "trainers")


def _of(module: ModuleType, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


# Every name of each library that is there, and what it is.
NAMES: dict[str, dict[str, Any]] = {
    "torch": {
        "Tensor": Tensor,
        "device": kinds.Device,
        "bool": kinds.boolean,
        "long": kinds.int64,
        "nan": math.nan,
        "pi": math.pi,
        "__version__": "arrays",
        **_of(kinds, _NUMBERS),
        **_of(functions, _FUNCTIONS),
    },
    "torch.linalg": _of(functions, ("vector_norm",)),
    "torch.nn": _of(modules, _MODULES),
    "torch.nn.functional": _of(functional, ("gelu", "linear", "one_hot", "pad")),
    "torch.nn.init": _of(initial, _FILLING),
    "torch.overrides": {"TorchFunctionMode": initial.Mode},
    "safetensors": {"SafetensorError": weights.SafetensorError},
    "safetensors.numpy": {"load": weights.load},
    "safetensors.torch": {
        "load": lambda content: {n: Tensor(a) for n, a in weights.load(content).items()}
    },
    "tokenizers": {"Encoding": tokens.Encoding, "Tokenizer": tokens.Tokenizer},
    **{f"tokenizers.{name}": {} for name in _OF_TOKENIZERS},
    "tokenizers.models": {"Model": object},  # which an annotation names
}


class _Named(ModuleType):
    """A module with the names that it was given, and no others."""

    def __init__(self, name: str, names: dict[str, Any]):
        super().__init__(name)
        self.__path__: list[str] = []
        self.__dict__.update(names)

    def __getattr__(self, name: str) -> Any:
        raise NotHere(self.__name__, name)


def stand_in() -> None:
    """Let what is imported from now on find these modules; RuntimeError where it is too late."""
    if there := sorted({"torch", "tokenizers", "safetensors"} & sys.modules.keys()):
        raise RuntimeError(f"{', '.join(there)} was imported already; call this before.")
    for name, names in NAMES.items():
        module = sys.modules[name] = _Named(name, names)
        package, _, last = name.rpartition(".")
        if package:
            setattr(sys.modules[package], last, module)
