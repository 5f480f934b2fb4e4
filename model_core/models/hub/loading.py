"""Opening a folder of `save_pretrained`: it is checked, loaded, tried once, and then a model."""

import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import PreTrainedModel, PreTrainedTokenizerBase
from transformers.initialization import no_init_weights

from model_core.checkpoints.regular_file import open_regular
from model_core.errors import CheckpointBroken, CheckpointError, TokenizerError, VisualiserError
from model_core.folders import installing
from model_core.models.hub.folder import HubFolder, check_tokenizer, read_folder
from model_core.models.hub.generating import ends_of, start_of
from model_core.models.hub.model import HubModel
from model_core.models.hub.words import Words
from model_core.tokenizer_parts import is_failure

_LOADING = threading.Lock()
_CARD_LIMIT = 100_000  # bytes that are shown
_SMALL = 10**7  # parameters that a model may have beyond those in its files
_CARD_FILE = 2**40  # bytes that the file may have
# What a tokenizer is saved in; without any the library makes one up that knows no word.
_TOKENIZERS = ("tokenizer.json", "vocab*.*", "*.spm", "*.model", "tekken.json")
_CLASSES = {
    "encoder-decoder": transformers.AutoModelForSeq2SeqLM,
    "decoder": transformers.AutoModelForCausalLM,
    "encoder": transformers.AutoModelForMaskedLM,
}


def open_hub(path: Path, name: str, device: str = "cpu") -> HubModel:
    """The model of a folder; raises what `read_folder` raises, and what `HubModel` does."""
    folder = read_folder(path)
    with quiet():
        tokenizer = _tokenizer(folder)
        network = _network(folder).to(device)
    with _damage(folder):
        words = Words(
            tokenizer, folder.family, start_of(network), ends_of(network), _prefixes(folder.config)
        )
        about = folder.fingerprint, _card(path), path
        return HubModel(name, network, folder.family, words, *about)


def _card(path: Path) -> str:
    """The beginning of the folder's README, "" where it has none that can be read."""
    try:
        with open_regular(path / "README.md", _CARD_FILE) as file:
            return file.read(_CARD_LIMIT).decode("utf-8", errors="replace")
    except CheckpointError:
        return ""


def _tokenizer(folder: HubFolder) -> PreTrainedTokenizerBase:
    try:
        check_tokenizer(folder.path)
        if not any(next(folder.path.glob(files), None) for files in _TOKENIZERS):
            raise TokenizerError(
                f"{folder.path} has no tokenizer. Save it there: tokenizer.save_pretrained(FOLDER)."
            )
        return transformers.AutoTokenizer.from_pretrained(
            folder.path, local_files_only=True, trust_remote_code=False
        )
    except VisualiserError:
        raise
    except ImportError as error:
        raise TokenizerError(
            f"The tokenizer of {folder.path} needs a package: {str(error).strip().splitlines()[0]} "
            f"Install it with: {installing('hub')}"
        ) from error
    except BaseException as error:  # of any kind, after the kind of damage
        if not is_failure(error):
            raise
        raise TokenizerError(f"The tokenizer of {folder.path} cannot be read: {error}.") from error


def _network(folder: HubFolder) -> PreTrainedModel:
    """The weights in the class that the table names, without a head where the file has none."""
    network, lacking = _loaded(folder, _CLASSES[folder.family.kind])
    if lacking and folder.family.kind == "encoder":
        network, lacking = _loaded(folder, transformers.AutoModel)
        lacking = [name for name in lacking if not name.startswith("pooler.")]
    if lacking:
        raise CheckpointBroken(
            f"{folder.path} lacks {len(lacking)} tensors of a {folder.model_type} model, such as "
            f"{lacking[0]}."
        )
    return network


def _loaded(folder: HubFolder, chosen: Any) -> tuple[PreTrainedModel, list[str]]:
    """The network, and the names of the tensors that the files do not have."""
    with _damage(folder):
        config = transformers.AutoConfig.from_pretrained(
            folder.path, local_files_only=True, trust_remote_code=False
        )
        with torch.device("meta"), no_init_weights():
            planned = sum(one.numel() for one in chosen.from_config(config).parameters())
        # An embedding that several parts share is stored once.
        if planned > 4 * folder.parameters + _SMALL:
            raise CheckpointBroken(
                f"{folder.path / 'config.json'} describes a model of {planned:,} parameters; the "
                f"files have {folder.parameters:,}."
            )
        network, said = chosen.from_pretrained(
            folder.path,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=torch.float32,
            attn_implementation="eager",
            output_loading_info=True,
        )
    return network, sorted(said["missing_keys"])


@contextmanager
def _damage(folder: HubFolder) -> Iterator[None]:
    """What the library raises inside becomes CheckpointBroken, with the folder and a reason."""
    try:
        yield
    except VisualiserError:
        raise
    except Exception as error:  # of any kind, after the kind of damage
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise CheckpointBroken(
            f"{folder.path} cannot be loaded; config.json has a value that does not fit, or a file "
            f"is damaged or cut short: {reason}"
        ) from error


def _prefixes(config: dict[str, Any]) -> tuple[str, ...]:
    """What a T5 was taught to have written before the text, by its own configuration."""
    tasks = config.get("task_specific_params")
    values = tasks.values() if isinstance(tasks, dict) else ()
    found = [task.get("prefix") for task in values if isinstance(task, dict)]
    return tuple(prefix for prefix in found if isinstance(prefix, str) and prefix)


@contextmanager
def quiet() -> Iterator[None]:
    """The library reports what it loads on standard error; here what matters is raised.

    One at a time: how loud it is holds for the whole process.
    """
    library = logging.getLogger("transformers")
    with _LOADING:
        level, library.level = library.level, logging.ERROR
        bars = transformers.logging.is_progress_bar_enabled()
        transformers.logging.disable_progress_bar()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        finally:
            library.level = level
            if bars:
                transformers.logging.enable_progress_bar()
