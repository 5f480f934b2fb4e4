"""The pieces that others made, which lie in the folder `vendor`: the interpreter, and NumPy."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from model_core.errors import ExportError

_FOLDER = Path(__file__).parent / "vendor"


def made() -> dict[str, Any]:
    """What is said of them: their hashes, and what the interpreter reads of its own kind."""
    said: dict[str, Any] = json.loads((_FOLDER / "made.json").read_text("utf-8"))
    return said


def packed(name: str) -> bytes:
    """A piece as it lies there, compressed; ExportError where it is damaged."""
    path = _FOLDER / f"{name}.gz"
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != made()["sha256"][path.name]:
        raise ExportError(f"{path} is damaged. Install the program once more.")
    return content


def vendored(name: str) -> bytes:
    """A piece, unpacked."""
    return gzip.decompress(packed(name))
