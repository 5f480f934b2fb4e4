"""The models of a folder and those added at run time, and the queue in front of them."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path

import torch

from model_core.checkpoints.folder import list_checkpoints, read_config, standing
from model_core.checkpoints.snapshots import parted, snapshot_name, snapshots_of
from model_core.checkpoints.training import Training
from model_core.decoding.cache import Cache
from model_core.decoding.queue import Queue
from model_core.decoding.run import Run
from model_core.decoding.tracer import Tracer
from model_core.errors import CheckpointError, CheckpointMissing, RecipeError, VisualiserError
from model_core.folders import HUB
from model_core.models.hub.folder import is_hub_folder, read_folder
from model_core.models.loading import open_model
from model_core.models.protocol import Model
from model_core.values.edits import Edits
from model_core.values.recipe import MAX_TARGET, Recipe
from model_core.values.trace import Decoding

Opener = Callable[[], Model]


class Library:
    """The checkpoints of one folder and the models added to them, each opened when first asked for.

    What they keep takes at most `cache_bytes` together: one cache, in which what was used longest
    ago goes first. `queue` is in front of all of them; a translation has at most `most_steps`
    tokens. `threads` sets how many torch uses in the whole process; None leaves that as it is.
    `device` is where models of transformers compute; `fetches` lets `hf:NAME` name one of
    the Hugging Face Hub, which may be downloaded. `on_failure` hears of a model that cannot be
    opened, and may raise an error of its own. Safe to use from several threads.
    """

    def __init__(
        self,
        root: Path | str,
        cache_bytes: int = 256 * 2**20,
        queue: Queue | None = None,
        most_steps: int = MAX_TARGET,
        threads: int | None = None,
        device: str = "auto",
        fetches: bool = False,
        on_failure: Callable[[str, VisualiserError], None] = lambda name, error: None,
    ):
        self.root, self.device, self.fetches = Path(root), device, fetches
        self._most_steps, self._on_failure = most_steps, on_failure
        self.cache = Cache(most_bytes=cache_bytes)
        self._models: dict[str, Model] = {}
        self._added: dict[str, Opener] = {}
        self._trainings: dict[str, tuple[int, Training]] = {}  # and when it was written
        self._opening, self._reading = threading.Lock(), threading.Lock()
        self.queue = queue or Queue()
        self.opening: str | None = None  # the model that is being opened now
        if threads is not None:
            torch.set_num_threads(threads)

    def names(self) -> list[str]:
        """The names of all models: the folder's, sorted, then the added ones in their order."""
        found = list_checkpoints(self.root)
        return found + [name for name in list(self._added) if name not in found]

    def add(self, name: str, opener: Opener) -> None:
        """Make a model known; `opener` is called on the first request for it.

        The model it opens has this name. Raises RecipeError where the name is taken already, so
        that no link comes to mean another model.
        """
        with self._opening:
            if name in self.names():
                message = f"There is a model called {name!r} already. Choose another name."
                raise RecipeError(message, "model_taken", name=name)
            self._added[name] = opener

    def add_folder(self, folder: Path) -> None:
        """Make the checkpoint in a folder elsewhere known by the folder's name."""
        self.add(folder.name, partial(open_model, folder, folder.name, self.device))

    def tracer(self, name: str, edits: Edits = ()) -> Tracer:
        """The tracer of a model with these edits; CheckpointMissing says which models there are."""
        return Tracer(self._model(name), self.cache, self._most_steps, edits, self)

    def _model(self, name: str) -> Model:
        if name in self._models:  # without waiting for another model to be opened
            return self._models[name]
        with self._opening:
            if name not in self._models:
                opener, self.opening = self._opener(name), name
                try:
                    self._models[name] = opener()
                except VisualiserError as error:
                    self._on_failure(name, error)
                    raise
                finally:
                    self.opening = None
            return self._models[name]

    def _opener(self, name: str) -> Opener:
        names = self.names()
        if name in self._added:
            return self._added[name]
        if self.fetches and name.startswith(HUB):
            return partial(open_model, name, name, self.device)
        whole = parted(name)[0]
        if name in names or (whole in names and not is_hub_folder(self.root / whole)):
            return partial(open_model, self.root / name, name, self.device)
        known = ", ".join(filter(self._can_be_read, names)) or "none"
        raise CheckpointMissing(
            f"There is no model {name!r}; there are: {known}.", "model", name=name, known=known
        )

    def _can_be_read(self, name: str) -> bool:
        """Whether the page offers a model: not one of the folder whose configuration is broken."""
        folder = self.root / name
        if name not in self._added:
            try:
                (read_folder if is_hub_folder(folder) else read_config)(folder)
            except CheckpointError:
                return False
        return True

    def comparable(self, name: str) -> tuple[str, ...]:
        """Models to compare with: its own training's, then its group, then others of its languages.

        Before them those of its own training: its snapshots, of a snapshot its end. None is opened.
        """
        with self._reading:  # without waiting for a model to be opened
            read, self._trainings = self._trainings, {}
            for one in list_checkpoints(self.root):
                with suppress(CheckpointError, OSError):  # said when the model is asked for
                    written = (standing(self.root / one) / "config.json").stat().st_mtime_ns
                    if one not in read or read[one][0] != written:
                        read[one] = written, read_config(self.root / one)[1]
                    self._trainings[one] = read[one]
            trainings = {one: training for one, (_, training) in self._trainings.items()}
        whole, update = parted(name)
        mine = trainings.get(name) or trainings.get(whole)
        if mine is None:
            return ()
        own = [snapshot_name(whole, one) for one in snapshots_of(mine) if one != update]
        if update is not None:
            own.insert(0, whole)
        found = [
            (training.group != mine.group, one)
            for one, training in trainings.items()
            if one not in (name, whole)
            and training.languages == mine.languages
            # The language of imported weights is not known.
            and "imported" not in (mine.group, training.group)
        ]
        return *own, *(one for _, one in sorted(found))

    def is_open(self, name: str) -> bool:
        """Whether a model has been opened already."""
        return name in self._models

    def calls(self) -> AbstractContextManager[None]:
        """A turn at the models: everything that runs one does it inside."""
        return self.queue.turn()

    def extend(
        self, recipe: Recipe, count: int | None = 1, force: int | None = None
    ) -> tuple[Recipe, Decoding]:
        """`Tracer.extend` by the model that the recipe names; waits for its turn."""
        tracer = self.tracer(recipe.model, recipe.edits)
        with self.calls():
            return tracer.extend(recipe, count, force)

    def run(self, recipe: Recipe, count: int | None = 0) -> Run:
        """The same as a run, as far as it goes; with `count` more tokens (None: up to the end)."""
        return Run(self.tracer(recipe.model, recipe.edits), *self.extend(recipe, count))
