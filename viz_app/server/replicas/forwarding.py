"""The page's process where others do the work: it keeps the line and forwards what has its turn."""

import json
import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from model_core import errors
from model_core.decoding.queue import check_left
from model_core.errors import CheckpointError, ReplicaLost, VisualiserError
from viz_app.limits import Limits
from viz_app.menu.catalogue import ModelJson
from viz_app.server.answers.backend import Backend
from viz_app.server.answers.requests import Reply, kind_of, refusal, to_json_bytes
from viz_app.server.logs import log_failure
from viz_app.text import named_error
from viz_app.values.wire import Json

_OPENING = 60.0  # seconds that opening a model may take, beside those of the answer
LOOK = 1.0  # seconds between two looks at the replicas
_LATER = 5  # seconds after which to ask again where replicas were lost
_TRIES = 2


class Lost(Exception):
    """The replica ended before its answer was there, or none came in time."""


class Replicas(Protocol):
    """What runs the replicas, at most `most` of them, and chooses among them."""

    most: int

    def ask(self, name: str, body: bytes, seconds: float) -> Reply:
        """What a replica answers, see replica.py; Lost where it ends first, or takes longer.

        Left where the client disconnects meanwhile.
        """

    def opened(self) -> tuple[str, ...]:
        """The models that are open at a replica; Lost where none answers."""

    def close(self) -> None:
        """End all of it."""


def _forwarded(name: str) -> Callable[..., Any]:
    """A method that a replica answers with the same values."""
    return lambda self, *values: self._value(name, *values)


class Forwarding(Backend):
    """Answers by replicas, with one line in front of all of them."""

    translate, step, trace = map(_forwarded, ("translate", "step", "trace"))
    room, file, linked = map(_forwarded, ("room", "file", "linked"))

    def __init__(self, checkpoints: Path, limits: Limits, replicas: Replicas):
        most = replicas.most
        together = replace(limits, at_once=limits.at_once * most, in_line=limits.in_line * most)
        super().__init__(checkpoints, together)
        self._replicas = replicas
        self._open: tuple[str, ...] = ()
        self._closed = threading.Event()

    def warm_up(self) -> None:
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._closed.is_set():
            try:
                self.look()
            except Exception as error:  # the next look may succeed
                log_failure(error)
            self._closed.wait(LOOK)

    def look(self) -> None:
        """See which models are open now."""
        try:
            self._open = self._replicas.opened()
        except Lost:
            self._open = ()

    def close(self) -> None:
        """End the replicas."""
        self._closed.set()
        self._replicas.close()

    def is_open(self, model: Any) -> bool:
        return model in self._open

    def _opened(self, name: str) -> ModelJson:
        said = self._value("entered", name)
        if not said:  # the folder of that replica has no such model
            raise named_error(CheckpointError, "unopened", name=name)
        return said["entry"]

    def _reply(self, request: Any) -> Reply:
        kind = kind_of(request)
        if kind.is_ahead and self.queue.waiting:
            return refusal(self.queue.refusal())
        return self._asked("stage", (request,), kind.is_file)

    def _value(self, name: str, *values: Any) -> Any:
        reply = self._asked(name, values, is_file=name == "file")
        read = json.loads(reply.body)
        if reply.code != "ok":
            raise _error_of(read["error"])
        return read

    def _asked(self, name: str, values: tuple[Any, ...], is_file: bool) -> Reply:
        """What a replica answers. A file has a place, and no turn: drawing it takes long."""
        body = to_json_bytes(values)
        try:
            with self.queue.place(), nullcontext() if is_file else self.queue.turn():
                check_left()
                return self._sent(name, body, is_file)
        except VisualiserError as error:
            return refusal(error)

    def _sent(self, name: str, body: bytes, is_file: bool) -> Reply:
        """The answer; if the replica is lost, another one's. Requests change nothing."""
        seconds = self.limits.seconds + _OPENING
        seconds += self.limits.export_seconds if is_file else 0
        for _ in range(_TRIES):
            try:
                return self._replicas.ask(name, body, seconds)
            except Lost:
                continue
        raise named_error(ReplicaLost, "replicas", seconds=_LATER)


def _error_of(said: Json) -> VisualiserError:
    """The error that a replica raised, to be raised again."""
    kind = getattr(errors, said["kind"], VisualiserError)
    if kind in (errors.Bug, errors.Left):
        return kind()
    error: VisualiserError = kind(said["message"], said["code"], **said["values"])
    return error
