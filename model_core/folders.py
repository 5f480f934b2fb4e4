"""Where the models that come with the program lie, and how more packages are installed there."""

from pathlib import Path
from typing import Literal

_INSTALLED = Path(__file__).resolve().parent / "shipped"  # setup.py puts them there
REPOSITORY = Path(__file__).resolve().parent.parent
CHECKPOINTS = _INSTALLED if _INSTALLED.is_dir() else REPOSITORY / "checkpoints"
PROGRAM = "attention-visualiser"  # as pip calls it
HUB = "hf:"  # before the name of a model of the Hugging Face Hub


def installing(extra: Literal["hub", "desktop", "ray", "tensorboard"]) -> str:
    """The command that installs an extra: in the repository from its list, else by its name."""
    listed = REPOSITORY / f"requirements-{extra}.txt"
    what = f"-r {listed.name}" if listed.is_file() else f'"{PROGRAM}[{extra}]"'
    return f"python -m pip install {what}"
