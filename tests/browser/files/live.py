"""A site whose pages compute, on a plain server of files; and how its answers are held against
those of the service, whichever browser computed them."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.live.comparing import apart
from tests.process import free_port
from viz_app.limits import LOCAL
from viz_app.server.service import Service

SMALL, LARGE = "reverse-rotary", "en-fr"
OTHER = "reverse-additive"  # as small
HUB = "a-marian"  # of transformers, which no page computes
# What the worker is asked and what it answers, in the order of the answers, but for files that are
# opened or made. It may run already.
LISTENS = """
window.heard = [];
const { postMessage } = Worker.prototype;
const requests = new Map();
Worker.prototype.postMessage = function (said, ...more) {
    if (window.worker !== this) this.addEventListener('message', ({ data: { id, ...said } }) => {
        if (requests.has(id)) window.heard.push([requests.get(id), said.answer ?? said.failure]);
    });
    const { id, request } = said;
    if (request && !request.bring && !request.export) requests.set(id, request);
    window.worker = this;
    postMessage.call(this, said, ...more);
};
"""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server that knows of nothing but files."""
    port = free_port()
    command = [sys.executable, "-u", "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    with subprocess.Popen(
        [*command, "--directory", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline().startswith(b"Serving HTTP")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def assert_answers(heard: Iterable[tuple[Any, Any]], checkpoints: Path) -> None:
    """Whether the service answers what was heard."""
    service = Service(checkpoints, LOCAL)
    for request, answer in heard:
        assert "error" not in answer, request
        expected = json.loads(json.dumps(service.answer(request)))
        assert (request, list(apart(expected, answer))) == (request, [])
