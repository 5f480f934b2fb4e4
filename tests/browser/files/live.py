"""A site whose pages compute, on a plain server of files; and how its answers are held against
those of the service, whichever browser computed them."""

import base64
import json
import math
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tests.process import free_port
from viz_app.limits import LOCAL
from viz_app.server.service import Service

SMALL, LARGE = "reverse-rotary", "en-fr"
CLOSE = 1e-4  # of numbers, where another engine has computed them
# What the worker is asked and what it answers, in the order of the answers. It may run already.
LISTENS = """
window.heard = [];
const { postMessage } = Worker.prototype;
const requests = new Map();
Worker.prototype.postMessage = function (said, ...more) {
    if (requests.size === 0) this.addEventListener('message', ({ data }) => {
        if (data.id) window.heard.push([requests.get(data.id), data.answer ?? data.failure]);
    });
    requests.set(said.id, said.request);
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
        assert_same(answer, json.loads(json.dumps(service.answer(request))), str(request)[:200])


def numbers(text: str) -> np.ndarray | None:
    """What a text is the base64 of; None where it is no array of numbers."""
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return np.frombuffer(content, "<f4") if len(text) > 8 and len(content) % 4 == 0 else None


def assert_same(found: Any, expected: Any, where: str = "") -> None:
    """The same names, texts and tokens, and numbers that are close."""
    assert type(found) is type(expected) or {type(found), type(expected)} == {int, float}, where
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for name, one in expected.items():
            assert_same(found[name], one, f"{where}.{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for place, (mine, its) in enumerate(zip(found, expected, strict=True)):
            assert_same(mine, its, f"{where}.{place}")
    elif isinstance(expected, float):
        assert math.isclose(found, expected, rel_tol=CLOSE, abs_tol=CLOSE), where
    elif isinstance(expected, str) and found != expected:
        mine, its = numbers(found), numbers(expected)
        assert mine is not None and its is not None, (where, found, expected)
        np.testing.assert_allclose(mine, its, CLOSE, CLOSE, err_msg=where)
    else:
        assert found == expected, where
