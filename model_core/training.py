"""Training as a generator: one `Progress` an update, and whoever asks for no more has stopped it.

A training that was stopped, or killed at any moment, goes on from its folder as if it had not been:
on a CPU with the same number of threads its losses are the same to the last bit. Nothing here
prints or reads a command line.
"""

import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from model_core.presets import Preset
from model_core.training_run import TrainingRun, Validation, training_folder
from model_core.workers import Workers

__all__ = ["Progress", "Validation", "train", "training_folder"]

_ALONE = Workers()
_AUTOSAVE_SECONDS = 120.0
_SPEED_MEMORY = 0.95  # of the speed shown, what stays from one update to the next


@dataclass(frozen=True, eq=False)
class Progress:
    """Where training stands after an update."""

    update: int
    updates: int
    # What is minimised, a target token of this batch: cross-entropy with label smoothing, and what
    # guidance and consistency add.
    loss: float
    nats: float  # cross-entropy alone, without smoothing
    learning_rate: float
    tokens_per_second: float  # target tokens, pads not counted, of late
    seconds_left: float
    validation: Validation | None = None
    notes: tuple[str, ...] = ()  # with the first update of a run: what was read and what was not


def train(
    preset: Preset,
    out: Path,
    data: Path | None = None,
    name: str = "",
    command: str = "",
    autosave_seconds: float = _AUTOSAVE_SECONDS,
    workers: Workers = _ALONE,
) -> Generator[Progress, None, None]:
    """One Progress an update; the best weights so far are in the checkpoint `out`.

    Goes on where an earlier training into `out` ended; `updates` may have been raised since.
    Closing the generator saves first. Several `workers` read up to `batch_tokens` each of a batch
    so many times as large; all have to ask for every update, and the first validates and saves.
    Sets torch's global random numbers. Raises CorpusError, ConfigError or CheckpointBroken.
    """
    training = TrainingRun(preset, out, data, name, command, workers)
    started, first, saved = time.perf_counter(), training.position.update, time.monotonic()
    speed = _Speed()
    while training.position.update < training.config.updates:
        before = time.perf_counter()
        loss, nats, rate, tokens = training.step()
        tokens_per_second = speed.seen(tokens, time.perf_counter() - before)
        training.add_seconds(time.perf_counter() - before)
        validation = None
        if training.is_validation_point and workers.first:
            validation = training.validate()
        if validation or (workers.first and time.monotonic() - saved > autosave_seconds):
            training.save()
            saved = time.monotonic()
        done = training.position.update
        seconds_each = (time.perf_counter() - started) / (done - first)
        progress = Progress(
            update=done,
            updates=training.config.updates,
            loss=loss,
            nats=nats,
            learning_rate=rate,
            tokens_per_second=tokens_per_second,
            seconds_left=seconds_each * (training.config.updates - done),
            validation=validation,
            notes=training.notes() if done == first + 1 else (),
        )
        try:
            yield progress
        except GeneratorExit:
            if workers.first:
                training.save()
            raise


class _Speed:
    """Tokens per second of late."""

    def __init__(self) -> None:
        self.tokens = self.seconds = 0.0

    def seen(self, tokens: int, seconds: float) -> float:
        self.tokens = _SPEED_MEMORY * self.tokens + tokens
        self.seconds = _SPEED_MEMORY * self.seconds + seconds
        return self.tokens / self.seconds
