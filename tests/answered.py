"""What a service answers, as a browser reads it."""

import base64
import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def answered(service: Any, request: Mapping[str, Any]) -> Any:
    """The answer to a request, as JSON says it; an error is told."""
    answer = json.loads(json.dumps(service.answer(dict(request)), allow_nan=False))
    assert "error" not in answer, answer
    return answer


def floats(text: str, *shape: int) -> np.ndarray:
    """The numbers of a text that is the base64 of float32s, in a shape or in a row."""
    numbers = np.frombuffer(base64.b64decode(text), "<f4")
    return numbers.reshape(shape) if shape else numbers
