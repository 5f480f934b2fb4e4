"""Where the models that come with the program lie."""

from pathlib import Path

_INSTALLED = Path(__file__).resolve().parent / "shipped"  # setup.py puts them there
_IN_THE_REPOSITORY = Path(__file__).resolve().parent.parent / "checkpoints"
CHECKPOINTS = _INSTALLED if _INSTALLED.is_dir() else _IN_THE_REPOSITORY
