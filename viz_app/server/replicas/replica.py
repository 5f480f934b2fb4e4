"""One replica: a service in a process of its own.

What travels to it is one of `NAMES` and the values in JSON, as bytes, and back an answer as a tuple
of bytes, texts and numbers: nothing that a visitor sends is ever unpickled.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from typing import Any

from viz_app.lessons.lesson import Lesson
from viz_app.limits import Limits
from viz_app.server.answers.process import share_memory
from viz_app.server.answers.requests import Reply, reply_or_error
from viz_app.server.answers.turns import in_thread
from viz_app.server.logs import keep_words_out_of_tracebacks
from viz_app.server.service import Service

NAMES = ("stage", "translate", "step", "trace", "room", "file", "linked", "entered")
SPARE = 8  # calls beside those at work: pictures being drawn, who asks whether it lives
_ENDLESS = 10_000  # in its line; the page's process keeps the one that has an end

Told = tuple[bytes, str, int, int | None, str]  # a `Reply`, as it travels


class Replica:
    """Answers what it is asked by the page's process; the first model is open when it is made.

    `models` are offered beside those of the folder, as by `Service.open_on`, and `lessons` beside
    those of the program.
    """

    def __init__(
        self,
        checkpoints: str,
        limits: Limits,
        models: Sequence[str],
        device: str,
        lessons: tuple[Lesson, ...] = (),
    ):
        share_memory()
        keep_words_out_of_tracebacks()
        roomy = replace(limits, in_line=_ENDLESS)
        self._service = Service(Path(checkpoints), roomy, device=device)
        self._service.more_lessons = lessons
        for model in models:
            self._service.open_on(model)
        self._service.open_first()
        self._threads = ThreadPoolExecutor(limits.at_once + SPARE, "replica")

    async def ask(self, name: str, body: bytes) -> Told:
        """The answer to one request. Cancelled, its work ends."""
        return astuple(await in_thread(self._threads, partial(self._reply, name, body)))

    async def opened(self) -> list[str]:
        """The models that are open."""
        names = [model["name"] for model in self._service.models]
        return [name for name in names if self._service.is_open(name)]

    async def offered(self) -> str:
        """{"added", "opened_on"} of the service, in JSON."""
        return json.dumps({"added": self._service.added, "opened_on": self._service.opened_on})

    def _reply(self, name: str, body: bytes) -> Reply:
        if name not in NAMES:
            raise ValueError(f"A replica answers {NAMES}.")
        values: list[Any] = json.loads(body)
        if name == "stage":
            return self._service.reply(*values)
        return reply_or_error(lambda: getattr(self._service, name)(*values))
