"""What the page and programs ask of a server, wherever the models compute.

The line, the limits, what is counted and what the menu lists are here, in the page's own process;
`service.py` computes in that process too, `replicas/` in others.
"""

import json
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

from model_core.decoding.queue import Queue
from model_core.errors import VisualiserError
from model_core.values.recipe import RecipeJson
from viz_app.limits import Limits
from viz_app.menu.catalogue import ClosedModel, Menu, ModelJson, default_model
from viz_app.rooms.translate.payload import Candidate, Payload
from viz_app.server.answers.metrics import Metrics
from viz_app.server.answers.process import give_memory_back
from viz_app.server.answers.requests import Reply, kind_of, name_of, reply_or_error
from viz_app.server.logs import logged
from viz_app.values.wire import File, Json, Noticed, PictureJson
from viz_app.version import VERSION

Phase = Literal["torch", "model", "ready"]


class Status(TypedDict):
    """What a request for a model would wait for.

    The phase is "torch" while that is imported, and "model" while the model's files are not read;
    `waiting` counts the requests in line, behind `at_once` that are under way. Of a file that is
    being made, also how many of its pictures are `drawn`.
    """

    phase: Phase
    waiting: int
    at_once: int
    drawn: NotRequired[int]


class Health(TypedDict):
    """What /health says."""

    status: Literal["ok"]
    version: str
    models: list[str]
    ready: bool


class Entered(TypedDict):
    """The entry of a model that was opened for a request, where the page may not have it."""

    entry: NotRequired[ModelJson]


class Decoded(Payload, Noticed, Entered):
    """A decoding as the page asked for it; `view` comes from a link, see stage/run/view.js."""

    view: NotRequired[Json]


class LinkShown(PictureJson):
    """What a link shows, as `file` is asked for it."""

    recipe: RecipeJson


class Outcome(Noticed):
    """A translation so far, as programs get it."""

    recipe: RecipeJson
    text: str
    finished: Literal["end", "limit"] | None


class StepOutcome(Outcome):
    """One token more; the candidates are for the token after it, log-probabilities in nats."""

    candidates: list[Candidate]


class Backend(ABC):
    """Answers for the checkpoints under one folder, within the limits. Safe to use from threads.

    Whatever goes wrong reaches the reader as a VisualiserError, a fault of the program as a Bug.
    """

    opened_on: str | None = None  # the model that the page opens with, where one was named
    added: tuple[ModelJson, ...] = ()  # entries of models beside those of the folder

    def __init__(self, checkpoints: Path, limits: Limits, opens_paths: bool = False):
        self.checkpoints = checkpoints
        self.limits = limits
        # For who sits at this computer: models by their path, and trainings.
        self.opens_paths = opens_paths
        self.menu = Menu(checkpoints, self.running)
        self.metrics = Metrics()
        self.drawn: dict[str, int] = {}  # pictures of each file that is being made
        self.queue = Queue(
            limits.at_once,
            limits.in_line,
            limits.seconds,
            overflow=limits.overflow,
            patience=limits.patience,
            after_turn=self._after_turn,
        )

    def _after_turn(self, seconds: float) -> None:
        self.metrics.observe_turn(seconds)
        give_memory_back(seconds)

    @property
    def models(self) -> list[ModelJson | ClosedModel]:
        """What the page knows of each model: those that lie in the folder now, those added."""
        for name in filter(self.is_open, self.menu.of_hub):
            with suppress(VisualiserError):  # said when the model is asked for
                self.entered(name)
        return [*self.menu.models, *self.added]

    def entered(self, name: str | None) -> Entered:
        """The entry of a model of transformers in the folder, which is opened for it."""
        if name is None or not self.menu.is_of_hub(name):
            return {}
        return {"entry": self.menu.entry(name, lambda: self._opened(name))}

    @abstractmethod
    def _opened(self, name: str) -> ModelJson:
        """The entry of a model, which is opened for it."""

    def running(self, name: str) -> str | None:
        """The fingerprint of the weights by which a model answers; None where that is not known."""
        return None

    @property
    def first(self) -> str | None:
        """The model that the page opens with."""
        return self.opened_on or default_model([model["name"] for model in self.models])

    def health(self) -> Health:
        """What /health says: nothing in it was typed by a visitor."""
        names = [entry["name"] for entry in self.models if not entry.get("of")]
        first = self.first
        ready = first is not None and self.status(first)["phase"] == "ready"
        return {"status": "ok", "version": VERSION, "models": names, "ready": ready}

    def status(self, model: Any = None, drawing: Any = None) -> Status:
        """What a request for a model would wait for now; it never waits for anything itself.

        `drawing` is a file of which this process may draw the pictures.
        """
        status: Status = {
            "phase": "ready" if self.is_open(model) else self.phase,
            "waiting": self.queue.waiting,
            "at_once": self.queue.at_once,
        }
        drawn = self.drawn.get(drawing) if isinstance(drawing, str) else None
        return status if drawn is None else {**status, "drawn": drawn}

    @property
    def phase(self) -> Phase:
        """What a model that is not open waits for."""
        return "model"

    def answer(self, request: Any) -> Json:
        """The payload for a request of the stage, or {"error": what its `to_json` says}.

        KINDS says what can be asked. A decoding is {"recipe", "extend": a count | "opening" |
        "end", "force": a token or null, "have": how many steps the browser holds, "begins": the
        text that the target begins with, where one was typed}; that of a link has its "view" too.
        "opening" is the end too, but of a model that was not trained here, which may never come to
        one, the first tokens. Where the translation could go on and these or this server's limit
        ended it, or it is too large to be kept, "notice" says so beside the payload.
        """
        if kind_of(request).waits:
            with logged(name_of(request), self.metrics) as outcome:
                reply = self.reply(request)
                outcome.code = reply.code
        else:
            reply = self.reply(request)
        read: Json = json.loads(reply.body)
        return read

    def reply(self, request: Any) -> Reply:
        """The same in JSON, and neither logged nor counted; a bug is called one."""
        if kind_of(request).waits:
            return self._reply(request)
        return reply_or_error(lambda: self._at_once(request))

    def _at_once(self, request: Json) -> Json:
        """The answer to what waits for nothing."""
        if kind_of(request).field == "local":
            self.metrics.count_local(request["local"])
            return {}
        return {"status": self.status(request["status"], request.get("drawing"))}

    @abstractmethod
    def _reply(self, request: Any) -> Reply: ...

    @abstractmethod
    def close(self) -> None:
        """End what was started to compute."""

    @abstractmethod
    def warm_up(self) -> None:
        """Open the first model in the background, while the page opens."""

    @abstractmethod
    def is_open(self, model: Any) -> bool:
        """Whether a model has been opened already."""

    @abstractmethod
    def translate(self, recipe: Json) -> Outcome:
        """Choose tokens until the end token or the limit."""

    @abstractmethod
    def step(self, recipe: Json, token: int | None = None) -> StepOutcome:
        """Choose one more token, `token` if it is given."""

    @abstractmethod
    def trace(
        self,
        recipe: Json,
        site: str,
        layer: int,
        by: str = "pieces",
        rows: str | None = None,
    ) -> Json:
        """Every array of one attention sub-layer, layers counted from 1, as nested lists.

        q_HQE, k_HKE, v_HKE, scores_HQK, mask_QK, weights_HQK; `queries` and `keys` are the tokens.
        `by` "words": mask_QK and weights_HQK between words, and of which rows and columns each is.
        """

    @abstractmethod
    def room(self, request: Json) -> Json:
        """What a room answers to {"room": its name, "recipe", ...}; the rest is its view."""

    @abstractmethod
    def file(self, request: Any) -> File:
        """A file as the page downloads it."""

    @abstractmethod
    def linked(self, link: str) -> LinkShown:
        """What a link shows; RecipeError where it is damaged, or does not fit the models here."""
