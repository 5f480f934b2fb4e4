"""The desk behind the gate: what is answered without gradio, which takes longer than a step does.

A request of the stage is encoded once and shares its answer with the neighbours who ask the same.
"""

import asyncio
import contextvars
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from model_core.decoding.queue import ASKER, Asker
from viz_app.server.desk.requests import Answer, kind_of
from viz_app.server.desk.shared import SharedAnswers
from viz_app.server.logs import logged
from viz_app.server.service import Service

_SPARE_THREADS = 8  # for those who are just being refused
# What is meant for one visitor alone, or changes while the server runs.
_UNSHARED = {"status", "export", "bring", "brought"}


class Desk:
    """Answers the requests of one app; used in one event loop.

    `stage` is the id of the stage's component in that app.
    """

    def __init__(self, service: Service, stage: int):
        self._service, self._stage = service, stage
        limits = service.limits
        at_most = limits.at_once + limits.in_line + limits.at_door + _SPARE_THREADS
        self._threads = ThreadPoolExecutor(at_most, "desk")
        self.shared = SharedAnswers(limits.shared_bytes)

    async def to_stage(self, body: bytes, address: str) -> Answer | None:
        """The answer to the stage; None where the body is something else, for gradio to refuse."""
        try:
            envelope = json.loads(body)
            component, name = envelope["component_id"], envelope["fn_name"]
            session, request = envelope["session_hash"], envelope["data"]
        except (ValueError, LookupError, TypeError):
            return None
        known = type(component) is int and component == self._stage and name == "answer"
        if not known or type(session) is not str:
            return None
        is_ahead = isinstance(request, dict) and request.pop("ahead", False) is True
        ASKER.set(Asker(address, is_ahead))

        async def make() -> Answer:
            self._service.queue.check_room()
            return await self._in_thread(lambda: self._service.encoded(request))

        if not isinstance(request, dict) or _UNSHARED & set(request):
            return await make()
        return await self._shared(request, make, is_ahead)

    async def _shared(
        self, request: dict[str, Any], make: Callable[[], Any], is_ahead: bool
    ) -> Answer:
        key = json.dumps(request, sort_keys=True)
        answer, is_anothers = await self.shared.of(key, make, is_ahead)
        if is_anothers:
            with logged(kind_of(request), self._service.metrics) as outcome:
                outcome.code = answer.code
        return answer

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._threads, context.run, work)
