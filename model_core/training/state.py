"""The folder with everything a training needs to continue, safe against kill -9.

Tensors are safetensors and the rest is JSON, so opening a folder never runs code. `state.json` is
replaced last and names the other files; files that it does not name are removed. The snapshots for
the checkpoint lie beside them.
"""

import contextlib
import dataclasses
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor, nn

from model_core.atomic import replace_files
from model_core.errors import CheckpointBroken, ConfigError
from model_core.values.checked import Checked

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class Position(Checked):
    """Where a training stands after an update."""

    settings: dict[str, Any]  # everything that has to be the same when it goes on
    precision: str  # what "auto" came to
    update: int = 0
    epoch: int = 0
    batch: int = 0  # the next one of the epoch
    target_tokens: int = 0  # read so far, pads not counted
    seconds: float = 0.0  # of work so far, by the clock
    core_seconds: float = 0.0  # of the processor, all threads together
    snapshots: tuple[int, ...] = ()  # updates whose weights are kept for the average
    best_rank: tuple[float, float] | None = None  # of the weights that were exported
    nats: float = 0.0  # the sum over the updates since the last note
    since_note: int = 0  # these updates


def weights_of(model: nn.Module) -> Weights:
    """A copy of every parameter on the CPU, shared ones once."""
    return {
        name: parameter.detach().to("cpu", copy=True)
        for name, parameter in model.named_parameters()
    }


def set_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Give the model these parameters."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])


class TrainingFolder:
    """Reads and writes one training folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """This folder for one training alone; the lock ends with the process, however it ends.

        Raises ConfigError where another training has it. Systems without flock lock nothing.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with self._lock() if fcntl else contextlib.nullcontext():
                yield
        finally:
            with contextlib.suppress(OSError):
                self.folder.rmdir()  # where nothing was begun

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        path = self.folder / "lock"
        with path.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.stat()  # missing where the other one ended just now
            except (BlockingIOError, FileNotFoundError) as error:
                raise ConfigError(
                    f"Another training is writing into {self.folder}. Wait until it ends, or "
                    "choose another --out."
                ) from error
            try:
                yield
            finally:
                path.unlink(missing_ok=True)

    def read_position(self, settings: dict[str, Any]) -> Position | None:
        """Where the training stands, or None where none has begun.

        Raises ConfigError when the training has other settings.
        """
        path = self.folder / "state.json"
        if not path.exists():
            return None
        try:
            position = Position.from_json(json.loads(path.read_text("utf-8")))
        except (ValueError, ConfigError) as error:
            raise self._broken(path, error) from error
        had, now = position.settings, json.loads(json.dumps(settings))
        different = [
            f"{name} was {had.get(name)!r} and is now {now.get(name)!r}"
            for name in sorted(had.keys() | now.keys())
            if had.get(name) != now.get(name)
        ]
        if different:
            raise ConfigError(
                f"{self.folder} holds a training with other settings: {'; '.join(different)}. "
                "Use the same settings, another --out, or remove that folder."
            )
        return position

    def write(
        self,
        position: Position,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        snapshots: Mapping[int, Weights],
    ) -> None:
        """Keep a state, with the state of the random numbers.

        Only when all of it is on the disk does it replace the old one.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        for update in position.snapshots:
            path = self._snapshot_path(update)
            if not path.exists():
                replace_files({path: safetensors.torch.save(snapshots[update])})
        tensors = {f"weights.{name}": value for name, value in weights_of(model).items()}
        for name, parameter in model.named_parameters():
            for key, value in optimizer.state[parameter].items():
                tensors[f"optimizer.{key}.{name}"] = value
        tensors["random"] = torch.get_rng_state()
        replace_files({self._state_path(position.update): safetensors.torch.save(tensors)})
        text = json.dumps(dataclasses.asdict(position), indent=1)
        replace_files({self.folder / "state.json": text.encode()})
        self._remove_others(position)

    def restore(
        self, position: Position, model: nn.Module, optimizer: torch.optim.Optimizer
    ) -> dict[int, Weights]:
        """Set model, optimizer and random numbers to that position; its snapshots."""
        tensors = self._weights(self._state_path(position.update))
        set_weights(
            model, {name: tensors[f"weights.{name}"] for name, _ in model.named_parameters()}
        )
        for name, parameter in model.named_parameters():
            optimizer.state[parameter] = {
                key.split(".")[1]: value.to(parameter.device)
                for key, value in tensors.items()
                if key.startswith("optimizer.") and key.split(".", 2)[2] == name
            }
        torch.set_rng_state(tensors["random"])
        return {update: self._weights(self._snapshot_path(update)) for update in position.snapshots}

    def read(self, name: str) -> bytes:
        """The content of a file of this name; CheckpointBroken where it is not there."""
        try:
            return (self.folder / name).read_bytes()
        except OSError as error:
            raise self._broken(self.folder / name, error) from error

    def read_text(self, name: str) -> str:
        """The same as text."""
        try:
            return self.read(name).decode()
        except UnicodeDecodeError as error:
            raise self._broken(self.folder / name, error) from error

    def keep(self, name: str, content: bytes) -> None:
        """Keep a file under a name."""
        self.folder.mkdir(parents=True, exist_ok=True)
        replace_files({self.folder / name: content})

    def keep_note(self, update: int, content: bytes) -> None:
        """Keep what was noted after an update."""
        self.keep(f"note-{update}.safetensors", content)

    def notes(self, upto: int) -> dict[int, bytes]:
        """What was noted up to an update, by its update."""
        found = {int(path.stem[5:]): path for path in self.folder.glob("note-*.safetensors")}
        return {update: found[update].read_bytes() for update in sorted(found) if update <= upto}

    def _state_path(self, update: int) -> Path:
        return self.folder / f"state-{update}.safetensors"

    def _snapshot_path(self, update: int) -> Path:
        return self.folder / f"weights-{update}.safetensors"

    def _weights(self, path: Path) -> Weights:
        try:
            return safetensors.torch.load_file(path)
        except (OSError, safetensors.SafetensorError) as error:
            raise self._broken(path, error) from error

    def _broken(self, path: Path, error: Exception) -> CheckpointBroken:
        return CheckpointBroken(
            f"{path} cannot be read ({error}). Remove {self.folder} to start the training anew."
        )

    def _remove_others(self, position: Position) -> None:
        kept = {self._state_path(position.update), *map(self._snapshot_path, position.snapshots)}
        for path in (*self.folder.glob("*.safetensors"), *self.folder.glob("*.part")):
            is_for_good = path.name.startswith(("update-", "note-")) and path.suffix != ".part"
            if path not in kept and not is_for_good:
                with contextlib.suppress(OSError):  # Windows keeps what is still open
                    path.unlink()
