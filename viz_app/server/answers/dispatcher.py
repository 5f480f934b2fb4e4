"""Requests of the stage, of programs and of monitoring go to the backend, and not to gradio.

A reply is encoded once, and visitors who ask the same share it.
"""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from model_core.decoding.queue import ASKER, Asker
from model_core.errors import LimitReached, RecipeError, TooBusy
from viz_app.server.answers.backend import Backend
from viz_app.server.answers.described import described
from viz_app.server.answers.metrics import TYPE, resident_bytes
from viz_app.server.answers.reply_cache import ReplyCache
from viz_app.server.answers.requests import (
    Reply,
    kind_of,
    may_change,
    may_open_others,
    model_of,
    name_of,
    refusal,
    to_json_bytes,
)
from viz_app.server.answers.turns import in_thread, turn_at
from viz_app.server.endpoints import endpoint_reply, endpoints, in_full
from viz_app.server.logs import logged

_SPARE_THREADS = 8  # for those who are just being refused
_SHARED = {"translate", "step", "trace", "room"}  # endpoints


class Dispatcher:
    """Replies to the requests of one app; used in one event loop."""

    def __init__(self, service: Backend):
        self._service = service
        self._endpoints = {one.__name__: one for one in endpoints(service)}
        limits = service.limits
        at_most = limits.at_once + limits.in_line + limits.overflow + _SPARE_THREADS
        self._threads = ThreadPoolExecutor(at_most, "answers")
        self._cache = ReplyCache(limits.shared_bytes)

    async def to_stage(self, body: bytes, address: str) -> Reply:
        """The reply to the stage; see `Backend.answer` for what it asks."""
        try:
            request = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise RecipeError("The body of the request is not JSON.") from error
        kind = kind_of(request)
        if not kind.waits:
            return self._service.reply(request)
        ASKER.set(Asker(address, ahead=kind.is_ahead))
        is_shared = kind.is_shared and _may_be_kept(request)
        key = ("stage", request) if is_shared else None
        is_of_one = is_shared and not may_open_others(request)
        return await self._reply(
            name_of(request),
            key,
            lambda: self._service.reply(request),
            model_of(request.get("recipe")) if is_of_one else None,
        )

    async def to_program(self, name: str, body: bytes, address: str) -> Reply:
        """The reply of an endpoint; its parameters by name in a JSON object, or in a list."""
        if name not in self._endpoints:
            return self.no_endpoint(name)
        try:
            given = in_full(self._endpoints[name], json.loads(body or b"{}"))
        except (ValueError, RecursionError) as error:
            raise RecipeError("The body of the request is not JSON.") from error
        ASKER.set(Asker(address))
        model = given.get("model") if given.get("recipe") is None else model_of(given["recipe"])
        asked = {"room": given["name"]} if name == "room" else {}
        is_of_one = not may_open_others(asked)
        is_shared = name in _SHARED and not may_change(asked)
        key = (name, given) if is_shared else None
        make = partial(endpoint_reply, self._service, self._endpoints[name], lambda: given)
        return await self._reply(f"api {name}", key, make, model if is_of_one else None)

    @property
    def names(self) -> list[str]:
        """The names of the endpoints, in their order."""
        return [*self._endpoints]

    def no_endpoint(self, name: str) -> Reply:
        """The reply to a name that none has."""
        known = ", ".join(self._endpoints)
        error = RecipeError(f"There is no endpoint {name[:40]!r}; there are {known}.")
        return replace(refusal(error), status=404)

    def described(self, above: str) -> Reply:
        """The endpoints in the form of OpenAPI; `above` is the path below which they are."""
        return Reply(to_json_bytes(described(list(self._endpoints.values()), above)))

    def health(self, is_in: bool = True) -> Reply:
        """Whether the process is alive, and which models it serves if the client may know."""
        said = self._service.health().items()
        return Reply(to_json_bytes({name: one for name, one in said if is_in or name != "models"}))

    def ready(self) -> Reply:
        """Whether the first model is open: before that the first visitor would wait for it."""
        is_ready = self._service.health()["ready"]
        return Reply(
            to_json_bytes({"ready": is_ready}), *(() if is_ready else ("not ready", 503, 1))
        )

    def metrics(self, connections: int) -> Reply:
        """What is counted, in the text format of Prometheus; `connections` are open ones."""
        queue, cache = self._service.queue, self._cache
        gauges = {
            "waiting": ("gauge", "Requests that wait for a turn at the models.", queue.waiting),
            "connections": ("gauge", "Requests that are open, long answers too.", connections),
            "shared_answers_total": ("counter", "Answers that a neighbour had.", cache.hits),
            "shared_bytes": ("gauge", "Bytes of answers kept for neighbours.", cache.nbytes),
            "resident_bytes": ("gauge", "Memory of the process in use.", resident_bytes()),
        }
        return Reply(self._service.metrics.text(gauges).encode(), type=TYPE)

    def count(self, kind: str, error: TooBusy) -> None:
        """Count a request that was refused before it came here."""
        self._service.metrics.observe(kind, 0.0, error.code)

    async def _reply(self, kind: str, key: Any, make: Callable[[], Reply], model: Any) -> Reply:
        """What is made, in a thread; where there is a key, the reply that a neighbour had.

        Where `model` is open, the turn is waited for before the thread is taken. Cancelled, it ends
        what no other request waits for.
        """

        async def made() -> Reply:
            queue = self._service.queue
            try:
                queue.check_room()
                if key is None or not self._service.is_open(model):
                    return await in_thread(self._threads, make)
                async with turn_at(queue, ASKER.get()):
                    return await in_thread(self._threads, make)
            except LimitReached as error:
                return refusal(error)

        with logged(kind, self._service.metrics) as outcome:
            if key is None:
                reply = await made()
            else:
                name = json.dumps(key, sort_keys=True)
                reply = await self._cache.of(name, made)
            outcome.code = reply.code
            return reply


def _may_be_kept(request: Any) -> bool:
    """Whether its answer stays the same, and holds no lesson that lies with the reader."""
    if not isinstance(request, dict) or may_change(request):
        return False
    lesson = request.get("lesson")
    return not (isinstance(lesson, dict) and "written" in lesson)
