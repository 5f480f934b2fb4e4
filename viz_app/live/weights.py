"""Stands in for the library `safetensors`: arrays in a file, by name."""

import json
import math
from typing import Any

import numpy as np

_KINDS = {
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
    "BOOL": "?",
    "U8": "u1",
    "I8": "i1",
    "I16": "<i2",
    "I32": "<i4",
    "I64": "<i8",
    "U16": "<u2",
    "U32": "<u4",
    "U64": "<u8",
}


class SafetensorError(Exception):
    """A file that is none."""


def load(content: bytes) -> dict[str, np.ndarray]:
    """The arrays of a file; SafetensorError where it is truncated or says what cannot be."""
    size = int.from_bytes(content[:8], "little")
    if not 8 <= 8 + size <= len(content):
        raise SafetensorError("its header is longer than the file")
    try:
        said = json.loads(content[8 : 8 + size])
        return {
            name: _array(memoryview(content)[8 + size :], one)
            for name, one in said.items()
            if name != "__metadata__"
        }
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise SafetensorError(f"its header does not fit what follows: {error}") from error


def _array(body: memoryview, said: Any) -> np.ndarray:
    start, stop = said["data_offsets"]
    kind, shape = np.dtype(_KINDS[said["dtype"]]), tuple(said["shape"])
    if not 0 <= start <= stop <= len(body) or stop - start != kind.itemsize * math.prod(shape):
        raise ValueError("an array lies elsewhere than it says")
    return np.frombuffer(body[start:stop], kind).reshape(shape)
