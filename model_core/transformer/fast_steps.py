"""What makes one-token steps fast, applied to a finished model: its numbers stay the same.

A step calls some eighty modules on a few hundred numbers each. How torch calls a module and looks
up its parts then takes about as long as the arithmetic.
"""

from collections.abc import Callable
from typing import Any, NoReturn

import torch
from torch import Tensor, nn


def make_steps_fast(model: nn.Module) -> None:
    """Lay out the weights for products with one token, and call every module without its hooks.

    A hook registered afterwards raises; a tap (taps.py) reads and changes what a model computes.
    Parts may still be replaced, taken out or copied.

    Matrices that do not narrow are stored column by column. A product with one token takes as long
    as its matrix takes to read, and short rows read slowly: at D = 512 this halves the time of
    widening ones (AVX-512, one thread). Matrices that narrow have long rows and stay as they are.
    """
    classes: dict[type, type] = {}
    for module in model.modules():
        if isinstance(module, nn.Linear) and module.out_features >= module.in_features:
            # .data keeps the parameter itself, which the embedding may share.
            module.weight.data = module.weight.data.t().contiguous().t()
        if not isinstance(module, _Fast):
            kind = type(module)
            module.__class__ = classes[kind] = classes.get(kind) or _fast(kind)
            module.__dict__.update(module._modules)
            module.__dict__.update(module._parameters)


class _Fast(nn.Module):
    """A module whose call is its `forward`, and whose parts are plain attributes too."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "forward":
            _refuse(self)
        super().__setattr__(name, value)
        if name in self._modules or name in self._parameters:
            self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        if name in self._modules or name in self._parameters:
            self.__dict__.pop(name, None)
        super().__delattr__(name)

    def _apply(self, *arguments: Any, **options: Any) -> "_Fast":
        super()._apply(*arguments, **options)  # to another device it may make new parameters
        self.__dict__.update(self._parameters)
        return self


def _refuse(module: nn.Module, *_: Any, **__: Any) -> NoReturn:
    raise RuntimeError(
        f"{type(module).__name__} is called without hooks, which is faster. Pass a tap, or load "
        "the weights into a new Transformer, whose modules are called as torch does."
    )


for _name in (
    "register_forward_hook",
    "register_forward_pre_hook",
    "register_full_backward_hook",
    "register_full_backward_pre_hook",
    "register_backward_hook",
):
    setattr(_Fast, _name, _refuse)


def _dropped(dropout: nn.Dropout, x: Tensor) -> Tensor:
    return nn.Dropout.forward(dropout, x) if dropout.training else x


def _normalised(norm: nn.LayerNorm, x: Tensor) -> Tensor:
    return torch.layer_norm(x, norm.normalized_shape, norm.weight, norm.bias, norm.eps)


# The same numbers as torch's own, with fewer Python calls.
_FORWARDS: dict[type, Callable[..., Tensor]] = {nn.Dropout: _dropped, nn.LayerNorm: _normalised}


def _fast(kind: type[nn.Module]) -> type[nn.Module]:
    forward = _FORWARDS.get(kind, kind.forward)
    return type(kind.__name__, (_Fast, kind), {"forward": forward, "__call__": forward})
