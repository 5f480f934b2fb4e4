"""Scalars and pictures of a training in a folder that TensorBoard reads."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from model_core.errors import ConfigError
from model_core.folders import installing
from model_core.training.loop import Progress

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

_CELL = 12  # pixels of a cell


class ScalarsWatcher:
    """Writes loss, rate and speed of each update, the scores of each validation, and every head of
    cross-attention when a note or a validation is made."""

    def __init__(self, folder: Path):
        self._make = _writer_class()
        self._folder = folder
        self._writer: SummaryWriter | None = None

    def see(self, progress: Progress) -> None:
        """Write what is known after an update."""
        at = progress.update
        if self._writer is None:  # what a training that went on from here wrote later is void
            self._writer = self._make(str(self._folder), purge_step=at)
        add = self._writer.add_scalar
        add("training/loss", progress.nats, at)
        add("training/minimised", progress.loss, at)
        add("training/learning rate", progress.learning_rate, at)
        add("training/tokens per second", progress.tokens_per_second, at)
        if progress.validation:
            scores = progress.validation.scores
            add("validation/loss", scores.loss, at)
            add("validation/exact match", scores.exact_match, at)
            for name in ("bleu", "chrf"):
                if (score := getattr(scores, name)) is not None:
                    add(f"validation/{name}", score, at)
        if progress.validation or progress.history:
            self._draw(self._writer, progress)

    def _draw(self, writer: "SummaryWriter", progress: Progress) -> None:
        weights_LHQK = progress.glance().weights["cross"]
        for layer, head in np.ndindex(weights_LHQK.shape[:2]):
            cells = np.ones((_CELL, _CELL), np.float32)
            picture = 1 - np.kron(weights_LHQK[layer, head], cells)  # dark where it reads
            name = f"cross-attention/layer {layer + 1}, head {head + 1}"
            writer.add_image(name, picture, progress.update, dataformats="HW")

    def close(self) -> None:
        """Write what is not yet on the disk."""
        if self._writer is not None:
            self._writer.close()


def _writer_class() -> "type[SummaryWriter]":
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise ConfigError(
            "--log-dir needs the package tensorboard, which is not here. Install it with: "
            f"{installing('tensorboard')}, or leave out --log-dir."
        ) from error
    return SummaryWriter
