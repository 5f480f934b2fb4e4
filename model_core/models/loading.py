"""Opens a model by what a person types: a checkpoint, a folder of `transformers`, or `hf:NAME`."""

from collections.abc import Sequence
from pathlib import Path

import torch

from model_core.errors import CheckpointError, ConfigError
from model_core.folders import HUB, installing
from model_core.models.hub.folder import is_hub_folder
from model_core.models.own import open_own
from model_core.models.protocol import Model


def open_model(where: str | Path, name: str | None = None, device: str = "auto") -> Model:
    """The model of a folder, or of `hf:NAME`, which is downloaded where it is not here yet.

    `device` is where a model of `transformers` computes; our own compute on the CPU. Raises
    CheckpointError with the reason and the remedy.
    """
    if str(where).startswith(HUB):
        check_library(str(where))
        from model_core.models.download import fetch

        return _open_hub(fetch(str(where)), name or str(where), device)
    folder = Path(where)
    if not is_hub_folder(folder):
        return open_own(folder)
    check_library(str(where))
    return _open_hub(folder, name or folder.resolve().name, device)


def check_library(what: str) -> None:
    """Raise CheckpointError, which says how to install it, where there is no `transformers`."""
    try:
        import transformers  # noqa: F401
    except ImportError as error:
        command = installing("hub")
        message = (
            f"{what} is a model of the library transformers, which is not installed. Install it "
            f"with: {command}"
        )
        raise CheckpointError(message, "hub_library", command=command) from error


def device_named(choice: str, among: Sequence[str] = ("cuda", "mps", "cpu")) -> str:
    """The device of a name; "auto" is the first of those that torch sees.

    Raises ConfigError where torch does not see what is asked for.
    """
    is_there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    seen = [name for name in among if is_there[name]]
    if choice == "auto":
        return seen[0]
    if choice not in seen:
        known = ", ".join(("auto", *seen))
        raise ConfigError(f"torch sees no {choice} on this machine. Choose one of {known}.")
    return choice


def _open_hub(folder: Path, name: str, device: str) -> Model:
    from model_core.models.hub.loading import open_hub

    return open_hub(folder, name, device_named(device))
