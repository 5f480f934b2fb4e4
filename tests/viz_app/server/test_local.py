"""What browsers fetch to answer by themselves: nothing before it is offered, and then for good."""

import json

import pytest

from tests.serving import ask, serve
from tests.tiny import tiny_checkpoint
from viz_app.server.local import Local

OFFERED = {"pieces.json": b"{}", "worker.js": b"//", "a.bin": b"\0"}


@pytest.fixture
def served(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    local = Local()
    with serve(tmp_path, local=local) as (address, _):
        yield address, local
    local.close()


def test_the_files_are_there_once_they_are_offered(served):
    address, local = served
    assert ask(address, "/local/about")[0] == 404
    local.offer({"version": "1"}, OFFERED)
    status, headers, body = ask(address, "/local/about")
    about = json.loads(body)
    assert (
        status == 200 and about["version"] == "1" and "no-store" in dict(headers)["cache-control"]
    )
    base = f"/{about['base']}"
    for name, content in OFFERED.items():
        status, headers, body = ask(address, base + name)
        assert (status, body) == (200, content.decode())
        assert "immutable" in dict(headers)["cache-control"]
    status, headers, _ = ask(address, f"{base}worker.js")
    assert dict(headers)["content-type"].startswith("text/javascript")
    assert "'wasm-unsafe-eval'" in dict(headers)["content-security-policy"]  # of the worker's own
    for other in (f"{base}absent.js", "/local/0123456789abcdef/worker.js", f"{base}..%2Fa"):
        assert ask(address, other)[0] == 404, other


def test_without_the_option_there_is_nothing_of_it(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    with serve(tmp_path) as (address, _):
        assert ask(address, "/local/about")[0] == 404
        assert '"local":false' in ask(address, "/")[2]


def test_what_pages_tell_of_themselves_is_counted_apart(served):
    address, _ = served

    def counted(count):
        body, kind = json.dumps({"local": count}), {"content-type": "application/json"}
        return ask(address, "/stage/answer", "POST", body, kind)

    for count in (0, 0, 7, 5):
        assert counted(count)[0] == 200
    for wrong in (-1, 10**6, "7", True, None):
        assert "error" in json.loads(counted(wrong)[2]), wrong
    lines = ask(address, "/metrics")[2].splitlines()
    assert "attention_visualiser_local_pages_total 2" in lines
    assert "attention_visualiser_local_answers_total 12" in lines
    assert not any(line.startswith("attention_visualiser_requests_total{") for line in lines)
