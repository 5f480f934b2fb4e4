"""Snapshots: the weights of a checkpoint at earlier updates of its training.

Each is a file beside the checkpoint's own, listed with its SHA-256 in config.json, and a model of
its own name: `reverse-sinusoidal@400`. Needs no torch.
"""

import hashlib
import re
from pathlib import Path

from model_core.checkpoints.regular_file import read_regular
from model_core.checkpoints.training import MOST_SNAPSHOTS, Training
from model_core.errors import CheckpointBroken, CheckpointMissing, ConfigError
from model_core.folders import CHECKPOINTS

MOST_BYTES = 64 * 2**20  # of all snapshots of a checkpoint that a training keeps
# What is known of a training at any of its updates.
_KNOWN_BEFORE = (
    *("preset", "command", "data", "data_sha256", "parameters", "precision", "threads"),
    *("device", "torch", "hardware", "config", "alignment_head", "group"),
)
_NAME = re.compile(r"(?P<whole>.+)@(?P<update>[1-9][0-9]{0,8})")


def snapshot_name(name: str, update: int) -> str:
    """What a checkpoint is called as it was after an update."""
    return f"{name}@{update}"


def snapshot_file(update: int | str) -> str:
    """The file of a snapshot in the folder of its checkpoint."""
    return f"update-{update}.safetensors"


def parted(name: str) -> tuple[str, int | None]:
    """The checkpoint that a name is of, and the update, None where it names no snapshot."""
    found = _NAME.fullmatch(name)
    return (found["whole"], int(found["update"])) if found else (name, None)


def folder_of(folder: Path) -> tuple[Path, int | None]:
    """The folder that holds what `folder` names, and the update where it names a snapshot.

    A folder that is there is a checkpoint of that name, whatever the name.
    """
    whole, update = parted(folder.name)
    if update is None or folder.is_dir() or not folder.with_name(whole).is_dir():
        return folder, None
    return folder.with_name(whole), update


def find_folder(model: str | Path, root: Path = CHECKPOINTS) -> Path:
    """The folder for a name or path; a bare name is looked up under `root` first.

    A name that is in neither place is looked for under `root`. NAME@400 is a snapshot.
    """
    inside, path = root / model, Path(model)
    is_name = len(path.parts) == 1
    is_ours = (folder_of(inside)[0] / "config.json").is_file()
    return inside if is_name and (is_ours or not is_there(path)) else path


def is_there(folder: Path) -> bool:
    """Whether there is such a folder, or one that `folder` names a snapshot of."""
    return folder_of(folder)[0].is_dir()


def snapshots_of(training: Training) -> dict[int, str]:
    """The SHA-256 of the file of each snapshot, by its update, the earliest first."""
    return {
        update: training.snapshots[str(update)] for update in sorted(map(int, training.snapshots))
    }


def snapshot_files(folder: Path, training: Training) -> dict[int, bytes]:
    """The files of the snapshots by their update; CheckpointBroken names one that is damaged."""
    files = {}
    for update, digest in snapshots_of(training).items():
        path = folder / snapshot_file(update)
        files[update] = read_regular(path, MOST_BYTES)
        if hashlib.sha256(files[update]).hexdigest() != digest:
            raise CheckpointBroken(f"{path} is damaged: its SHA-256 is not the one in config.json.")
    return files


def digest_of(name: str, training: Training, update: int) -> str:
    """The SHA-256 of the file of a snapshot; CheckpointMissing names those that there are."""
    there = snapshots_of(training)
    if update not in there:
        known = ", ".join(map(str, there)) or "none"
        message = f"{name} keeps no weights of update {update}. It keeps those of: {known}."
        raise CheckpointMissing(message, "no_snapshot", name=name, update=update, known=known)
    return there[update]


def training_until(training: Training, update: int) -> Training:
    """What is known of the training at that update: what was measured later is left out."""
    kept = {name: getattr(training, name) for name in _KNOWN_BEFORE}
    return Training(**kept, weights=f"those of update {update}", update=update)


def wanted_updates(text: str, updates: int) -> tuple[int, ...]:
    """Parses `--snapshots`: "100,200,400" or "every:100", up to the number of updates.

    Raises ConfigError for what is no such list, lies outside the training, or is too long.
    """
    every = re.fullmatch(r"every:([1-9][0-9]{0,8})", text)
    if not every and not re.fullmatch(r"[1-9][0-9]{0,8}(,[1-9][0-9]{0,8})*", text):
        raise ConfigError(
            f"--snapshots is {text[:60]!r}; it must name updates, such as 100,200,400, or be "
            "every:100."
        )
    if every:
        step = int(every[1])
        last = min(updates, step * (MOST_SNAPSHOTS + 2))
        found: tuple[int, ...] = tuple(range(step, last, step)) or (step,)  # which is outside
    else:
        found = tuple(sorted({int(one) for one in text.split(",")}))
    outside = [update for update in found if update >= updates]
    if outside:
        raise ConfigError(
            f"--snapshots names update {outside[0]:,}; the training ends with {updates:,}, whose "
            "weights are the checkpoint's own. Name earlier ones."
        )
    if len(found) > MOST_SNAPSHOTS:
        raise ConfigError(f"--snapshots names more than {MOST_SNAPSHOTS} updates. Name fewer.")
    return found


def check_size(updates: int, parameters: int) -> None:
    """Raise ConfigError if the snapshots, in float16, would take too much room."""
    size = 2 * parameters * updates
    if size > MOST_BYTES:
        raise ConfigError(
            f"--snapshots keeps {updates} files of {2 * parameters / 1e6:,.1f} MB, "
            f"{size / 1e6:,.0f} MB together; at most {MOST_BYTES / 1e6:,.0f} MB are kept. "
            "Name fewer updates."
        )
