"""Modules of torch.nn: parameters, buffers and parts by name, and the few kinds that are used."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from viz_app.live.arrays import functional
from viz_app.live.arrays.functions import layer_norm
from viz_app.live.arrays.kinds import NotHere
from viz_app.live.arrays.tensor import Tensor

_KINDS = ("_parameters", "_buffers", "_modules")


class Parameter(Tensor):
    """A tensor that a module owns as a weight."""

    def __init__(self, data: Any, requires_grad: bool = True):
        super().__init__(data.a if isinstance(data, Tensor) else data)


class Module:
    """A part of a model. No hook is ever called."""

    training = True

    def __init__(self) -> None:
        self.__dict__.update(_parameters={}, _buffers={}, _modules={}, _unsaved=set())

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            kind = "_parameters"
        elif isinstance(value, Module):
            kind = "_modules"
        elif name in own.get("_buffers", ()):
            kind = "_buffers"
        elif value is None and name in own["_modules"]:
            kind = "_modules"  # taken out: its name stays
        else:
            own.get("_parameters", {}).pop(name, None)
            object.__setattr__(self, name, value)
            return
        for other in _KINDS:
            if other != kind:
                own[other].pop(name, None)
        own.pop(name, None)
        own[kind][name] = value

    def __getattr__(self, name: str) -> Any:
        for kind in _KINDS:
            found = self.__dict__.get(kind, {})
            if name in found:
                return found[name]
        raise NotHere(type(self).__name__, name)

    def __delattr__(self, name: str) -> None:
        for kind in _KINDS:
            if name in self.__dict__[kind]:
                del self.__dict__[kind][name]
                return
        object.__delattr__(self, name)

    def register_buffer(self, name: str, value: Tensor | None, persistent: bool = True) -> None:
        self._buffers[name] = value
        if not persistent:
            self._unsaved.add(name)

    def forward(self, *arguments: Any, **named: Any) -> Any:
        raise NotImplementedError

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.forward(*arguments, **named)

    def named_children(self) -> Iterator[tuple[str, "Module"]]:
        return ((name, part) for name, part in self._modules.items() if part is not None)

    def modules(self) -> Iterator["Module"]:
        """This and every part of it, each once, those around others first."""
        seen: set[int] = set()

        def within(module: "Module") -> Iterator["Module"]:
            if id(module) not in seen:
                seen.add(id(module))
                yield module
                for _, part in module.named_children():
                    yield from within(part)

        return within(self)

    def _named(self, kinds: Sequence[str], before: str = "") -> Iterator[tuple[str, Tensor]]:
        for kind in kinds:
            for name, value in self.__dict__[kind].items():
                if value is not None and not (kind == "_buffers" and name in self._unsaved):
                    yield before + name, value
        for name, part in self.named_children():
            yield from part._named(kinds, f"{before}{name}.")

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        seen: set[int] = set()
        for name, value in self._named(("_parameters",)):
            if id(value) not in seen:
                seen.add(id(value))
                yield name, value  # type: ignore[misc]

    def parameters(self) -> Iterator[Parameter]:
        return (value for _, value in self.named_parameters())

    def state_dict(self) -> dict[str, Tensor]:
        return dict(self._named(("_parameters", "_buffers")))

    def load_state_dict(self, found: Mapping[str, Tensor]) -> None:
        """Unlike torch's, it shares arrays that can be written: the memory of a browser's
        interpreter only grows, and copies would count for good."""
        own = self.state_dict()
        if set(own) != set(found):
            raise RuntimeError(f"other names: {sorted(set(own) ^ set(found))}")
        for name, value in own.items():
            value.a = np.require(found[name].a, value.a.dtype, "W")

    def eval(self) -> "Module":
        for module in self.modules():
            module.__dict__["training"] = False
        return self

    def _apply(self, change: Callable[[Tensor], Tensor]) -> "Module":
        for _, part in self.named_children():
            part._apply(change)
        for kind in ("_parameters", "_buffers"):
            values = self.__dict__[kind]
            for name, value in values.items():
                if value is not None:
                    made = change(value)
                    values[name] = Parameter(made) if kind == "_parameters" else made
        return self

    def to(self, device: Any) -> "Module":
        return self

    def double(self) -> "Module":
        return self._apply(lambda one: one.double() if one.a.dtype.kind == "f" else one)

    def float(self) -> "Module":
        return self._apply(lambda one: one.float() if one.a.dtype.kind == "f" else one)


def _weight(*shape: int) -> Parameter:
    """Zeros, which take no memory until they are replaced."""
    return Parameter(np.broadcast_to(np.float32(0), shape))


class Linear(Module):
    def __init__(self, in_features: int, out_features: int, bias: bool = True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = _weight(out_features, in_features)
        self._parameters["bias"] = _weight(out_features) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight, self.bias)


class Embedding(Module):
    def __init__(self, count: int, width: int, padding_idx: int | None = None):
        super().__init__()
        self.weight = _weight(count, width)

    def forward(self, index: Tensor) -> Tensor:
        return Tensor(self.weight.a[index.a])


class LayerNorm(Module):
    def __init__(self, width: int, eps: float = 1e-5):
        super().__init__()
        self.normalized_shape, self.eps = (width,), eps
        self.weight, self.bias = Parameter(np.ones(width, np.float32)), _weight(width)

    def forward(self, x: Tensor) -> Tensor:
        return layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)


class Dropout(Module):
    """Drops nothing: models are not trained here."""

    def __init__(self, p: float = 0.5):
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        return x


class Identity(Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Conv1d(Module):
    """A convolution of width 1, the only one that is used: a product at each place."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int):
        super().__init__()
        if kernel_size != 1:
            raise ValueError(f"A convolution has width {kernel_size}; here it is 1.")
        self.weight, self.bias = _weight(out_channels, in_channels, 1), _weight(out_channels)

    def forward(self, x: Tensor) -> Tensor:
        return Tensor(self.weight.a[:, :, 0] @ x.a + self.bias.a[:, None])


class ModuleList(Module):
    def __init__(self, modules: Sequence[Module] = ()):
        super().__init__()
        for number, module in enumerate(modules):
            self._modules[str(number)] = module

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, place: int) -> Module:
        return list(self._modules.values())[place]
