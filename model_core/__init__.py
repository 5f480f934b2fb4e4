"""A Transformer that reads like the paper and hides nothing.

Start with the folder `transformer`, in the order its own docstring names. The names below are
loaded when they are first asked for, so that importing this package imports no torch.
"""

import importlib
import sys
from typing import Any

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(f"This program needs Python 3.11 or later; this is {sys.version.split()[0]}.")

_HOMES = {
    "Checkpoint": "checkpoints.store",
    "Choice": "values.recipe",
    "Decoding": "values.trace",
    "Library": "decoding.library",
    "ModelConfig": "values.config",
    "OwnModel": "models.own",
    "PRESETS": "values.presets",
    "Recipe": "values.recipe",
    "Strategy": "values.recipe",
    "Tokenizer": "tokenizer",
    "Tracer": "decoding.tracer",
    "TrainConfig": "values.config",
    "Transformer": "transformer.transformer",
    "VisualiserError": "errors",
    "open_checkpoint": "checkpoints.store",
    "save_checkpoint": "checkpoints.store",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
