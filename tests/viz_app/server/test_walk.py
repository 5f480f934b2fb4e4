"""One walk over every address that gradio and we open, with whatever a stranger may try there."""

import dataclasses
import json
import socket
import sys
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from model_core.checkpoints.heads import HEADS
from model_core.checkpoints.store import WEIGHTS
from tests.conftest import ROOT
from tests.process import free_port
from tests.serving import ask, routes_of
from tests.tiny import tiny_checkpoint
from viz_app.files.tables import FORMATS
from viz_app.limits import DEMO
from viz_app.server.address import Address
from viz_app.server.application import API
from viz_app.server.service import Service
from viz_app.server.serving import serve

LIMITS = dataclasses.replace(DEMO, request_bytes=20_000, seconds=1.0)
SECRET = "heliotrope"
EVIL = "https://evil.example"
JSON = {"content-type": "application/json"}
FOREIGN = (
    {"origin": EVIL},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},  # another program of this machine
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "origin": "http://localhost:3000"},
)
MARKUP = '"><script>alert(1)</script>'
# What asks for no account: files, which show nothing of a visitor's, and what monitoring asks.
FOR_ALL = {"health", "ready", "metrics", "page", "file", "script", "names", "empty"}
FOR_ALL |= {"described", "config"}


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    """The address of a demo, what it opens as (method, path, kind), and its folder.

    The weights of one of its models are cut, and what is known of the other's heads is damaged.
    """
    root = tmp_path_factory.mktemp("private")
    for name in ("tiny", "worn"):
        tiny_checkpoint(root / name)
    weights = root / "worn" / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:-1])
    (root / "tiny" / HEADS).write_bytes(b"{}")
    (root / "secret").write_text(SECRET)
    service = Service(root, LIMITS)
    app = serve(service, Address(port=free_port(), for_strangers=True))
    service.queue.seconds = 60.0  # that of a body stays short
    addresses = routes_of(app)
    assert len(addresses) > 20
    yield app.local_url.rstrip("/"), addresses, root
    app.close()


def posts(addresses):
    """Where a body is read."""
    return [
        (path.replace("/word", "/translate"), kind)
        for method, path, kind in addresses
        if method == "POST"
    ]


def code_of(text):
    """What the page reads of an error, whatever the status is."""
    return json.loads(text)["error"]["code"]


def test_no_page_of_another_address_is_answered_whatever_it_sends(host):
    address, addresses, _ = host
    own = [(method, path) for method, path, kind in addresses if kind not in FOR_ALL]
    assert len(own) >= 10
    for method, path in own:
        for origin in FOREIGN:
            for kind in (JSON, {"content-type": "text/plain"}):
                status, headers, text = ask(address, path, method, "{}", kind | origin)
                assert code_of(text) == "origin" and status in (403, 200), (path, origin)
                assert not [name for name, _ in headers if name.startswith("access-control")]


def test_what_any_page_may_send_unasked_is_not_taken_as_json(host):
    address, addresses, _ = host
    kinds = ({}, *({"content-type": kind} for kind in ("text/plain", "multipart/form-data")))
    for path, _ in posts(addresses):
        for headers in kinds:
            status = ask(address, path, "POST", "{}", headers)[0]
            assert status == 415, (path, headers)


def test_a_large_body_is_refused_before_it_is_read(host):
    address, addresses, _ = host
    for path, kind in posts(addresses):
        status, _, text = ask(address, path, "POST", b"[]" + b" " * 30_000, JSON)
        assert code_of(text) == "limit_request"
        assert status == (200 if kind == "stage" else 413)  # the stage reads it


def test_a_body_that_does_not_come_is_not_waited_for(host):
    address, addresses, _ = host
    place = urlsplit(address)
    asking = {}
    for path, _ in posts(addresses):
        asking[path] = socket.create_connection((place.hostname, place.port), timeout=60)
        head = f"POST {path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: 100\r\n"
        asking[path].sendall(f"{head}Content-Type: application/json\r\n\r\n[".encode())
    for path, one in asking.items():
        with one:
            assert b'"code":"seconds"' in one.recv(65536) + one.recv(65536), path


def test_no_address_becomes_a_socket(host):
    address, addresses, _ = host
    headers = {"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
    headers |= {"sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "origin": EVIL}
    for method, path, kind in addresses:
        if method == "GET":
            status = ask(address, path, headers=headers, wait=False)[0]
            assert status != 101 and (status == 403 or kind in FOR_ALL), path


def test_no_file_of_the_machine_comes_by_any_address(host):
    address, _, root = host
    file = str(root / "secret")
    up = "../" * 20 + file[1:]
    ways = (file, f"/{file}", f"file://{file}", up, up.replace("../", "....//"))
    ways += tuple(quote(way, safe="") for way in ways)
    ways += (up.replace("..", "%2e%2e"), up.replace("/", "%5c"), f"{up}%00.js")
    folders = ("", "assets/", "static/", "static/fonts/", "svelte/", "stage/", "theme.css/")
    folders += tuple(f"gradio_api/{name}" for name in ("file=", "file/", "proxy=", "theme.css/"))
    for folder in folders:
        for way in ways:
            status, _, text = ask(address, f"/{folder}{way}")
            assert SECRET not in text and status in (400, 403, 404), (folder, way, status)


def test_what_a_request_calls_this_host_is_never_markup(host):
    address, addresses, _ = host
    for method, path, _ in addresses:
        if method == "GET":
            for name in ("host", "x-forwarded-host", "x-forwarded-proto", "referer"):
                status, headers, text = ask(address, path, headers={name: MARKUP})
                is_page = dict(headers).get("content-type", "").startswith("text/html")
                assert not (is_page and MARKUP in text), (path, name)
                assert status != 500, (path, name)


def test_nothing_that_is_sent_names_a_place_on_this_machine(host, caplog):
    address, addresses, root = host
    tiny, worn = ({"model": name, "source": "The old cat."} for name in ("tiny", "worn"))
    files = ({"text": "The old cat.", "model": "tiny", "format": ending} for ending in FORMATS)
    asked = [("GET", path, None) for way, path, _ in addresses if way == "GET"]
    asked += [("POST", "/api/models", {}), *(("POST", "/api/file", file) for file in files)]
    asked += [("POST", f"/api/{name}", {"recipe": worn}) for name in ("translate", "step", "trace")]
    asked += [("POST", "/api/room", {"name": name, "recipe": tiny}) for name in ("heads", "inside")]
    compared = {"name": "compare", "recipe": tiny, "request": {"b": worn}}
    asked += [("POST", "/api/room", compared), ("POST", f"{API}/call/v2/step", {"recipe": worn})]
    answers = [
        ask(address, path, way, body and json.dumps(body), JSON) for way, path, body in asked
    ]
    event = json.loads(answers[-1][2])["event_id"]
    answers.append(ask(address, f"{API}/call/v2/step/{event}"))
    assert sum("cannot be opened on this server" in text for *_, text in answers) == 5
    places = {str(root), str(ROOT), sys.prefix, sys.base_prefix, f"{Path.home()}/"}
    for (_, path, _), (_, headers, text) in zip([*asked, asked[-1]], answers, strict=True):
        assert not [one for one in places if one in text or one in str(headers)], path
    assert str(root / "worn" / WEIGHTS) in caplog.text  # for who runs it
    assert "Error at" not in caplog.text  # to ask for a call that there is not is no bug
