"""`hf:NAME`: a model of the Hugging Face Hub, from the local cache or else from the network.

Only what `folder` reads comes here: configuration, tokenizer and safetensors. The architecture and
the size are checked before any weights are fetched.
"""

import re
from pathlib import Path
from typing import Any

from model_core.errors import CheckpointError, CheckpointMissing
from model_core.folders import HUB
from model_core.models.hub.folder import (
    MOST_PARAMETERS,
    family_of,
    read_folder,
    read_json_object,
)

_NAME = re.compile(r"(?P<repo>[\w.-]{1,96}(/[\w.-]{1,96})?)(@(?P<revision>[\w./-]{1,100}))?")
_TEXTS = (
    "config.json",
    "generation_config.json",
    "tokenizer*",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.*",
    "*vocab.json",
    "merges.txt",
    "*.spm",
    "*.model",
    "README.md",
    "*.safetensors.index.json",
)
_MOST_BYTES = 4 * MOST_PARAMETERS
_PATIENCE = 10.0  # seconds for an answer


def fetch(name: str) -> Path:
    """The folder of `hf:NAME` or `hf:NAME@REVISION`; with a progress bar where it has to be loaded.

    Raises CheckpointMissing where there is no such model or no network, and CheckpointError for one
    that cannot be opened.
    """
    import huggingface_hub

    found = _NAME.fullmatch(name.removeprefix(HUB))
    if found is None or ".." in name:
        raise CheckpointMissing(
            f"{name!r} is no name of a model. Write it as on its page, such as "
            "hf:Helsinki-NLP/opus-mt-en-de."
        )
    repo, revision = found["repo"], found["revision"]
    try:
        kept = huggingface_hub.snapshot_download(  # what is never fetched is not missing
            repo, revision=revision, local_files_only=True, allow_patterns=[*_TEXTS]
        )
        read_folder(Path(kept))
        return Path(kept)
    except (OSError, CheckpointMissing):  # not here, or not all of it
        pass
    try:
        info = huggingface_hub.HfApi().model_info(
            repo, revision=revision, files_metadata=True, timeout=_PATIENCE
        )
        sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}
        weights = check_listing(name, sizes)
        config = huggingface_hub.hf_hub_download(repo, "config.json", revision=info.sha)
        family_of(read_json_object(Path(config)), name)
        folder = huggingface_hub.snapshot_download(  # by its name, so that it is found by that
            repo, revision=revision, allow_patterns=[*_TEXTS, *weights]
        )
    except CheckpointError:
        raise
    except Exception as error:  # the library's own, its client's, and the system's
        raise CheckpointMissing(_reason(name, error)) from error
    return Path(folder)


def check_listing(name: str, sizes: dict[str, int]) -> list[str]:
    """Which of a model's files hold its weights; CheckpointError where none can be read."""
    single = [file for file in sizes if file == "model.safetensors"]
    weights = single or [
        file for file in sizes if re.fullmatch(r"model-\d+-of-\d+.safetensors", file)
    ]
    if "config.json" not in sizes:
        raise CheckpointError(f"{name} has no config.json: it is no model of transformers.")
    if not weights:
        raise CheckpointError(
            f"{name} has no weights as safetensors, and files that can hide programs are not "
            "opened. Look for a copy with model.safetensors, or convert it where you trust it: "
            "load it and call save_pretrained."
        )
    total = sum(sizes[file] for file in weights)
    if total > _MOST_BYTES:
        raise CheckpointError(
            f"{name} has {total / 1e9:.1f} GB of weights; at most {_MOST_BYTES / 1e9:.0f} GB are "
            "opened. Take a smaller model of the same family."
        )
    return weights


def _reason(name: str, error: Any) -> str:
    """What went wrong, in words: each names the remedy."""
    kind = type(error).__name__
    if kind in ("RepositoryNotFoundError", "RevisionNotFoundError", "HFValidationError"):
        return f"There is no model {name} on the Hugging Face Hub. Check its name."
    if kind in ("GatedRepoError", "DisabledRepoError"):
        return f"{name} asks for an account that has accepted its terms. Run `hf auth login` first."
    return (
        f"{name} is not on this machine, and the Hugging Face Hub cannot be reached ({kind}). Go "
        "online once, or give the folder of a model that you have."
    )
