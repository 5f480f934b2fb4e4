"""The processes that train one model together, and the device that each of them computes on.

torchrun starts them and says so in the environment; without it there is one. They are copies of one
program and take every decision alike: what only one of them can know is asked for here.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

import numpy
import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from model_core.errors import ConfigError

Device = Literal["auto", "cpu", "cuda"]

_PATIENCE = timedelta(hours=6)  # with the first, which validates while the others wait


@dataclass(frozen=True)
class Workers:
    """This process's place among all of them."""

    rank: int = 0
    count: int = 1
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))

    @property
    def first(self) -> bool:
        """Whether this is the one that validates, writes and talks."""
        return self.rank == 0

    def joined(self, model: nn.Module) -> nn.Module:
        """The model whose gradients are the mean over all processes."""
        if self.count == 1:
            return model
        devices = [self.device] if self.device.type == "cuda" else None
        return DistributedDataParallel(model, device_ids=devices, broadcast_buffers=False)

    def sums(self, *values: float) -> list[float]:
        """Each value summed over the processes."""
        if self.count == 1:
            return list(values)
        values_N = torch.tensor(values, dtype=torch.float64, device=self.device)
        distributed.all_reduce(values_N)
        return values_N.tolist()

    def any(self, flag: bool) -> bool:
        """Whether the flag is up in some process."""
        return self.sums(float(flag))[0] > 0

    @contextmanager
    def first_goes_first(self) -> Iterator[None]:
        """The block is run by the first process, and when it is done with it, by the others."""
        if not self.first:
            self.sums(0.0)
        try:
            yield
        finally:
            if self.first:
                self.sums(0.0)

    def share(self, rows: Sequence[Any]) -> Sequence[Any]:
        """This process's part of the rows of a batch: every `count`-th, so all are alike."""
        return rows[self.rank :: self.count]

    def seed_update(self, seed: int, update: int) -> None:
        """Give each process random numbers of its own, the same ones whenever the update is made.

        One process on a CPU goes on with torch's own sequence, which its training folder keeps.
        """
        if self.count > 1 or self.device.type != "cpu":
            sequence = numpy.random.SeedSequence((seed, update, self.rank))
            torch.manual_seed(int(sequence.generate_state(1)[0]))


@contextmanager
def workers(device: Device = "auto") -> Iterator[Workers]:
    """All processes that torchrun started, or this one alone; left together at the end.

    "auto" is a GPU where there is one. Raises ConfigError where a GPU is asked for and missing.
    """
    count, place = int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("LOCAL_RANK", 0))
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and torch.cuda.device_count() <= place:
        raise ConfigError(
            f"Process {place} of this machine needs a GPU of its own, and torch sees "
            f"{torch.cuda.device_count()}. Start fewer processes, or take --device cpu."
        )
    chosen = torch.device(device, place) if device == "cuda" else torch.device("cpu")
    if count == 1:
        yield Workers(device=chosen)
        return
    if device == "cuda":
        torch.cuda.set_device(chosen)
    backend = "nccl" if device == "cuda" else "gloo"
    distributed.init_process_group(backend, timeout=_PATIENCE)
    try:
        yield Workers(distributed.get_rank(), count, chosen)
    finally:
        distributed.destroy_process_group()
