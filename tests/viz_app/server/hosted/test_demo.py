"""`python -m viz_app --demo` as a process of its own: its limits, its log, its end."""

import json
import os
import re
import shlex
import socket
import sys
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from tests.conftest import ROOT
from tests.process import running
from tests.serving import ask
from viz_app.__main__ import main
from viz_app.limits import DEMO

FILES = 64  # that may be open
SECRET = "heliotrope"  # in everything that a visitor types below


@pytest.fixture(scope="module")
def demo(models, tmp_path_factory):
    """Its address, the process, and its log; few files may be open, and its usual port is taken."""
    log = tmp_path_factory.mktemp("demo") / "log"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        serving = f"-m viz_app --demo --checkpoints {shlex.quote(str(models))}"
        command = ["bash", "-c", f"ulimit -n {FILES}; exec {sys.executable} {serving}"]
        here = os.environ | {"GRADIO_SERVER_PORT": str(port), "GRADIO_DEBUG": "1"}
        with running(command, None, log, ROOT, here) as (address, process):
            yield address, process, log


def recipe(source="The old cat."):
    return {"model": "tiny", "source": source}


def post(address, path, body):
    """What is answered to a JSON body, whatever the status."""
    return ask(address, path, "POST", json.dumps(body), {"content-type": "application/json"})[2]


def test_its_first_line_says_which_port_it_has_and_why(demo):
    address, _, log = demo
    said = re.search(r" on (\S+)/ \(port (\d+) is in use", log.read_text().splitlines()[0])
    assert said[1] == address and 0 < urlsplit(address).port - int(said[2]) < 100


def test_the_demo_translates_within_its_limits(demo):
    client = Client(demo[0], verbose=False)
    assert client.predict(recipe(), api_name="/translate")["finished"] in ("end", "limit")
    with pytest.raises(AppError, match=rf"{DEMO.characters} characters; yours has"):
        client.predict(recipe("a" * (DEMO.characters + 1)), api_name="/translate")


def test_the_model_is_opened_while_nobody_asks(demo):
    address = demo[0]
    Client(address, verbose=False).predict(recipe(), api_name="/step")
    health = json.load(urllib.request.urlopen(address + "/health"))
    assert health["ready"] is True and health["models"] == ["tiny"]


def test_the_log_has_a_line_a_request_and_no_word_of_a_visitor(demo):
    address, _, log = demo
    client = Client(address, verbose=False)
    client.predict(recipe(f"{SECRET} one"), api_name="/translate")
    for wrong in (recipe(SECRET * 60), {"model": SECRET, "source": SECRET}, {SECRET: SECRET}):
        with pytest.raises(AppError):
            client.predict(wrong, api_name="/translate")
    for path, body in (
        # Too few and too many inputs, which gradio quotes in what it prints.
        ("/gradio_api/call/step", {"data": [SECRET], "session_hash": "a"}),
        ("/gradio_api/call/step", {"data": [SECRET] * 5, "session_hash": "b"}),
        ("/gradio_api/queue/join", {"data": [SECRET], "fn_index": 1, "session_hash": "e"}),
        ("/api/step", [SECRET] * 20),
        ("/api/step", {SECRET: SECRET}),
        ("/api/room", {"name": SECRET, "request": {"view": SECRET}}),
        ("/api/file", {"link": SECRET}),
        ("/gradio_api/call/trace", {"data": [SECRET], "session_hash": "d"}),
        ("/gradio_api/call/step", {"data": SECRET}),
        (f"/gradio_api/call/{SECRET}", {"data": []}),
        (f"/gradio_api/{SECRET}", {}),
        ("/gradio_api/queue/join", {"data": [SECRET], "fn_index": 99, "session_hash": SECRET}),
        ("/stage/answer", SECRET),
        ("/stage/answer", {SECRET: 1}),
        ("/stage/answer", {"room": SECRET, "recipe": {"model": SECRET}}),
    ):
        post(address, path, body)
    for session in "abde":  # what was printed is printed when the answer is there
        urllib.request.urlopen(f"{address}/gradio_api/queue/data?session_hash={session}").read()
    written = log.read_text()
    assert SECRET not in written
    line = re.compile(r"[-\d]+ [:,\d]+ (\w+ )+\d+ ms \w+")
    lines = [text for text in written.splitlines() if " ms " in text]
    assert all(line.fullmatch(text) for text in lines), lines
    assert any(text.endswith(" ms ok") and "api translate" in text for text in lines)
    assert any(text.endswith((" ms tokens", " ms characters")) for text in lines)
    assert any("closed" in text and text.endswith("404") for text in lines)


def test_idle_connections_beyond_what_the_system_allows_keep_nobody_out(demo):
    address, _, log = demo
    place = urlsplit(address).hostname, urlsplit(address).port
    for _ in range(2):  # it has recovered from the first crowd when the second one comes
        held = [socket.create_connection(place) for _ in range(2 * FILES)]
        assert "recipe" in post(address, "/api/step", {"text": "The old cat.", "model": "tiny"})
        for one in held:
            one.close()
        assert ask(address, "/health")[0] == 200
    assert "OSError" not in log.read_text()


def test_a_program_that_is_told_to_end_ends(demo):
    _, process, log = demo
    process.terminate()
    assert process.wait(120) == 0, log.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--auth", "secret"], "--auth must be USER:PASSWORD"),
        (["--checkpoints", "nowhere"], "There is no checkpoint in nowhere"),
        (["--auth-file", "nowhere"], "cannot be read"),
        ([], "GRADIO_SERVER_PORT is 'eighty'"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(words, message, monkeypatch, capsys):
    if not words:
        monkeypatch.setenv("GRADIO_SERVER_PORT", "eighty")
    assert main(words) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: ") and message in said
    assert said.count("\n") == 1 and "secret" not in said
