"""Kinds of numbers, devices and shapes by the names that torch has for them."""

import math

import numpy as np


class NotHere(AttributeError):
    """A name of torch that the array module does not have."""

    def __init__(self, owner: str, name: str):
        super().__init__(f"{owner}.{name} is not among the names of torch that arrays have here.")


class DType:
    """A kind of number."""

    def __init__(self, name: str, kind: str):
        self.name, self.np = name, np.dtype(kind)
        self.is_floating_point = self.np.kind == "f"

    def __repr__(self) -> str:
        return f"torch.{self.name}"


float16, float32, float64 = DType("float16", "f2"), DType("float32", "f4"), DType("float64", "f8")
bfloat16 = DType("bfloat16", "f4")  # which no file of ours holds
int32, int64, boolean = DType("int32", "i4"), DType("int64", "i8"), DType("bool", "?")
OF_NUMPY = {one.np: one for one in (float16, float32, float64, int32, int64, boolean)}


class Device:
    """Where numbers lie: here."""

    def __init__(self, kind: object = "cpu"):
        self.type = str(kind)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(self.type)

    def __str__(self) -> str:
        return self.type


CPU = Device()


class Size(tuple[int, ...]):
    """A shape."""

    def numel(self) -> int:
        return math.prod(self)
