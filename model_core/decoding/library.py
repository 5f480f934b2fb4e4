"""The models of a folder, and the queue in front of them."""

import threading
from contextlib import AbstractContextManager
from pathlib import Path

import torch

from model_core.checkpoints.folder import list_checkpoints
from model_core.checkpoints.store import open_checkpoint
from model_core.decoding.queue import Queue
from model_core.decoding.tracer import Tracer
from model_core.errors import CheckpointMissing
from model_core.values.recipe import MAX_TARGET, Recipe
from model_core.values.trace import Decoding


class Library:
    """The checkpoints of one folder, each opened when it is first asked for.

    Each has a cache of `cache_bytes`; `queue` is in front of all of them; a translation has at most
    `most_steps` tokens. `threads` sets how many torch uses in the whole process; None leaves that
    as it is.
    """

    def __init__(
        self,
        root: Path | str,
        cache_bytes: int = 256 * 2**20,
        queue: Queue | None = None,
        most_steps: int = MAX_TARGET,
        threads: int | None = None,
    ):
        self.root = Path(root)
        self._most_steps = most_steps
        self._cache_bytes = cache_bytes
        self._tracers: dict[str, Tracer] = {}
        self._opening = threading.Lock()
        self.queue = queue or Queue()
        self.opening: str | None = None  # the model that is being opened now
        if threads is not None:
            torch.set_num_threads(threads)

    def names(self) -> list[str]:
        """The models there are, sorted."""
        return list_checkpoints(self.root)

    def tracer(self, name: str) -> Tracer:
        """The tracer of a model; CheckpointMissing says which models there are."""
        if name in self._tracers:  # nobody waits while another model is being opened
            return self._tracers[name]
        with self._opening:
            if name not in self._tracers:
                names = self.names()
                if name not in names:
                    known = ", ".join(names) or "none"
                    raise CheckpointMissing(
                        f"There is no model {name!r}; there are: {known}.",
                        "model",
                        name=name,
                        known=known,
                    )
                self.opening = name
                try:
                    checkpoint = open_checkpoint(self.root / name)
                finally:
                    self.opening = None
                self._tracers[name] = Tracer(checkpoint, self._cache_bytes, self._most_steps)
            return self._tracers[name]

    def is_open(self, name: str) -> bool:
        """Whether a model has been opened already."""
        return name in self._tracers

    def calls(self) -> AbstractContextManager[None]:
        """A turn at the models: everything that runs one does it inside."""
        return self.queue.turn()

    def extend(
        self, recipe: Recipe, count: int | None = 1, force: int | None = None
    ) -> tuple[Recipe, Decoding]:
        """`Tracer.extend` by the model that the recipe names; waits for its turn."""
        tracer = self.tracer(recipe.model)
        with self.queue.turn():
            return tracer.extend(recipe, count, force)
