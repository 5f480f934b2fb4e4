"""Training as a generator: one `Progress` per update; closing the generator stops the training.

A training that was stopped or killed continues from its folder as if nothing had happened: on a CPU
with the same number of threads its losses are the same to the last bit.
"""

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from model_core.checkpoints.folder import check_replaceable
from model_core.checkpoints.store import Checkpoint
from model_core.training.hardware import CPU
from model_core.training.notes import Glance
from model_core.training.run import TrainingRun, Validation, training_folder
from model_core.training.state import TrainingFolder
from model_core.values.history import History
from model_core.values.presets import Preset

_AUTOSAVE_SECONDS = 120.0
_SPEED_MEMORY = 0.95  # of the speed shown, what stays from one update to the next


@dataclass(frozen=True, eq=False)
class Progress:
    """Where training stands after an update."""

    update: int
    updates: int
    # What is minimised, per target token of this batch: cross-entropy with label smoothing, and
    # what guidance and consistency add.
    loss: float
    nats: float  # cross-entropy alone, without smoothing
    learning_rate: float
    tokens_per_second: float  # target tokens without pads, a running mean
    glance: Callable[[], Glance]  # what heads read now; looking changes nothing that is learnt
    history: Callable[[], History] | None = None  # where a note was just taken, all of them so far
    validation: Validation | None = None
    notes: tuple[str, ...] = ()  # with the first update of a run: what was read and what was not


def train(
    preset: Preset,
    out: Path,
    data: Path | None = None,
    name: str = "",
    command: str = "",
    autosave_seconds: float = _AUTOSAVE_SECONDS,
    device: torch.device = CPU,
    kept: Sequence[int] = (),
    begin: Checkpoint | None = None,
    noted: Sequence[int] = (),
) -> Generator[Progress, None, None]:
    """One Progress per update; the best weights so far are in the checkpoint `out`.

    Continues where an earlier training into `out` ended; `updates` may have been raised since.
    `kept` are updates whose weights go into the checkpoint as snapshots. With `begin` the first
    weights and the tokenizers are those of a checkpoint. After the updates `noted` it is noted how
    the model does, for the history of the checkpoint. Closing the generator
    saves first. Sets torch's global random numbers. Raises CorpusError, CheckpointError or
    ConfigError, the last where another training writes into `out`.
    """
    check_replaceable(out)
    with TrainingFolder(training_folder(out)).locked():
        training = TrainingRun(preset, out, data, name, command, device, kept, begin, noted)
        yield from _updates(training, autosave_seconds)


def _updates(training: TrainingRun, autosave_seconds: float) -> Generator[Progress, None, None]:
    """One Progress per update up to the last; saves from time to time, and when it is closed."""
    first, saved = training.position.update, time.monotonic()
    read = spent = 0.0  # tokens and seconds, of which the latest count most
    while training.position.update < training.config.updates:
        before = time.perf_counter()
        loss, nats, rate, tokens = training.step()
        seconds = time.perf_counter() - before
        read, spent = _SPEED_MEMORY * read + tokens, _SPEED_MEMORY * spent + seconds
        training.add_seconds(seconds)
        validation = training.validate() if training.is_validation_point else None
        if validation or time.monotonic() - saved > autosave_seconds:
            training.save()
            saved = time.monotonic()
        done = training.position.update
        progress = Progress(
            update=done,
            updates=training.config.updates,
            loss=loss,
            nats=nats,
            learning_rate=rate,
            tokens_per_second=read / spent,
            glance=training.glance,
            history=training.history if training.is_noted else None,
            validation=validation,
            notes=training.notes() if done == first + 1 else (),
        )
        try:
            yield progress
        except GeneratorExit:
            training.save()
            raise
