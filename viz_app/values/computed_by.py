"""What computes here, as files name it: torch, or what stands in its place in a browser."""

import sys

import numpy as np

_ARRAYS = "arrays"  # what viz_app/live says in the place of a version


def computed_by() -> str:
    """The library that computes all numbers here, with its version; torch need not be imported."""
    version = getattr(sys.modules.get("torch"), "__version__", None)
    if version is None:
        from importlib import metadata  # which a browser does not have

        version = metadata.version("torch")
    return f"NumPy {np.__version__} in a browser" if version == _ARRAYS else f"torch {version}"
