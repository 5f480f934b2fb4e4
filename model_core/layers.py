"""The layers that torch brings, under their own names, and the base of our modules.

The numbers are torch's; only a call costs less. A decoding step calls some eighty modules, and the
ways of nn.Module, which looks for hooks at every call and for parts by a Python function, were a
quarter of its time at width 256. There are no hooks in this project: what a model computed on the
way is told by its records and by `Watch`.
"""

import torch
from torch import Tensor, nn


class Module(nn.Module):
    """A module whose call is its `forward` and nothing else: hooks would never be called."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__call__ = cls.forward  # type: ignore[method-assign]

    def keep_parts_at_hand(self) -> None:
        """Keep the parts of this module among its plain attributes too.

        nn.Module looks for a part in three dictionaries of its own, by a call of a Python function.
        Another part set in its place takes the plain one away. None, and deleting, do not: whoever
        takes a part out has to take it out of `__dict__` too.
        """
        self.__dict__.update(self._modules)
        self.__dict__.update(self._parameters)


class Number:
    """A number to multiply or divide by: a tensor without dimensions costs half a float's time.

    The result is that of the float to the last bit.
    """

    def __init__(self, value: float):
        self._double = torch.tensor(value, dtype=torch.float64)
        self._single = self._double.float()

    def like(self, x: Tensor) -> Tensor:
        """The number for `x`, whose precision the result will have."""
        return self._double if x.dtype is torch.float64 else self._single


class Linear(Module, nn.Linear):
    """x W^T + b."""


class Embedding(Module, nn.Embedding):
    """Row i of a table for token id i."""


class LayerNorm(Module, nn.LayerNorm):
    """Layer normalisation (Ba et al. 2016)."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)


class Dropout(Module, nn.Dropout):
    """Dropout that takes no time where it does nothing."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) if self.training else x
