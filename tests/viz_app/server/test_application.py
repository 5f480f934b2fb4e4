"""What is answered and what is not, seen from outside: addresses, large bodies, floods."""

import concurrent.futures
import dataclasses
import http.client
import json
import threading
from urllib.parse import urlsplit

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from model_core.decoding.queue import LEAVING
from model_core.errors import TooBusy
from tests.serving import addresses_of, ask, kind_at, routes_of, serve
from tests.tiny import tiny_checkpoint
from viz_app.limits import DEMO
from viz_app.server.service import Service
from viz_app.server.serving import Address
from viz_app.server.serving import serve as begin

# The same few places as the demo, and a body and a store small enough to fill.
LIMITS = dataclasses.replace(DEMO, request_bytes=20_000, unread=5, in_line=6, cache_bytes=2**20)
RECIPE = {"model": "tiny", "source": "The old cat."}
API = "/gradio_api"


@pytest.fixture(scope="module")
def app(models):
    service = Service(models, LIMITS)
    service.library.tracer("tiny")
    app = begin(service, Address())
    app.service = service
    yield app
    app.close()


@pytest.fixture
def served(app):
    return app.local_url.rstrip("/"), app.service


def ask_stage(address, request, **more):
    """What the page's stage is answered."""
    headers = {"content-type": "application/json", **more}
    return ask(address, "/stage/answer", "POST", json.dumps(request), headers)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/models", "POST"),
        ("GET", "/stage/answer", "POST"),
        ("PUT", "/", "GET, HEAD"),
        ("DELETE", "/config", "GET, HEAD"),
        ("POST", "/health", "GET, HEAD"),
    ],
)
def test_an_address_that_is_asked_with_another_method_names_its_own(served, method, path, allowed):
    status, headers, text = ask(served[0], path, method)
    assert (status, dict(headers)["allow"]) == (405, allowed)
    assert allowed in json.loads(text)["detail"]


@pytest.mark.parametrize("path", ["call/nothing", "call/v2/nothing", "run/nothing"])
def test_an_endpoint_that_there_is_not_is_named_with_those_that_there_are(served, caplog, path):
    body = json.dumps({"data": []})
    headers = {"content-type": "application/json"}
    status, _, text = ask(served[0], f"{API}/{path}", "POST", body, headers)
    assert status == 404 and not caplog.text
    assert "'nothing'" in json.loads(text)["detail"] and "translate" in text


def test_of_gradios_addresses_those_alone_are_answered_that_clients_need(app, served):
    ours, gradios = app.config.app, addresses_of(app)
    closed = [
        (method, path)
        for method, path in gradios
        if not kind_at(ours, method, path.rstrip("/") or "/")
    ]
    assert len(gradios) > 60 and len(closed) > 30
    odd = ("/docs", "/redoc", f"{API}/file/etc/passwd", "/nothing", "/api")
    for method, path in (*closed, *(("GET", path) for path in odd)):
        status, _, text = ask(served[0], path, method)
        assert status == 404, (method, path)
        said = '{"detail":"There is nothing at this address."}'
        assert text == ("" if method == "HEAD" else said)
    handed_on = {"file", "config", "names", "login", "join", "call", "fetch", "cancel", "page"}
    for method, path, kind in routes_of(app):
        assert kind not in handed_on or (method, path) in gradios, path


def test_health_says_what_is_served_and_nothing_else(served):
    status, _, text = ask(served[0], "/health")
    health = json.loads(text)
    assert status == 200
    assert set(health) == {"status", "version", "models", "ready"}
    assert health["status"] == "ok" and health["models"] == ["tiny"] and health["ready"] is True


def test_headers_protect_the_page_and_leave_frames_alone(served):
    for path in ("/", "/?view=api", "/health", f"{API}/upload"):
        headers = dict(ask(served[0], path)[1])
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "object-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors" not in headers["content-security-policy"]
        assert "x-frame-options" not in headers


def test_a_large_body_without_its_length_is_refused(served):
    place = urlsplit(served[0])
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    parts = (b"a" * 4000 for _ in range(10))
    headers = {"content-type": "application/json"}
    connection.request("POST", f"{API}/call/step", parts, headers, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_the_stage_is_answered(served):
    status, _, text = ask_stage(served[0], {"recipe": RECIPE, "extend": "end"})
    assert status == 200 and json.loads(text)["finished"] in ("end", "limit")


def test_answers_of_a_kilobyte_are_packed_on_their_way_to_another_computer(served):
    packs, proxied = {"accept-encoding": "gzip"}, {"via": "1.1 proxy"}
    for request, worth in (
        ({"status": "tiny"}, False),
        ({"recipe": RECIPE, "extend": "end"}, True),
    ):
        _, here, plain = ask_stage(served[0], request, **packs)
        assert "content-encoding" not in dict(here) and (len(plain) >= 1000) == worth
        _, headers, text = ask_stage(served[0], request, **packs, **proxied)
        assert text == plain and (("content-encoding", "gzip") in headers) == worth
        assert (int(dict(headers)["content-length"]) < len(plain)) == worth
    body = json.dumps({"text": "The old cat.", "model": "tiny"})
    asked = {"content-type": "application/json", **packs, **proxied}
    _, headers, _ = ask(served[0], "/api/step", "POST", body, asked)
    assert dict(headers)["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("codings", "packed"),
    [
        *(("gzip", True), ("br, GZIP;q=0.5", True), ("gzip;q=0.01", True)),
        *(("br", False), ("gzip;q=0", False), ("gzip; q=0.00, br", False)),
    ],
)
def test_a_page_is_packed_for_who_reads_it_packed(served, codings, packed):
    _, headers, _ = ask(served[0], "/", headers={"accept-encoding": codings})
    assert ("content-encoding" in dict(headers)) == packed


def test_forty_requests_at_once_are_answered_or_politely_refused(served):
    address, service = served
    start = threading.Barrier(40)

    def visit(number):
        start.wait()
        request = {"recipe": RECIPE | {"source": f"The old cat {number}."}, "extend": "end"}
        status, _, text = ask_stage(address, request)
        return number, status, json.loads(text)

    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        seen = list(pool.map(visit, range(40)))
    answered = [(number, answer) for number, _, answer in seen if "error" not in answer]
    assert all(status == (503 if "error" in answer else 200) for _, status, answer in seen)
    assert {answer["error"]["code"] for _, _, answer in seen if "error" in answer} <= {"busy"}
    places = service.limits.at_once + service.limits.in_line
    assert len(answered) >= places - places // 4  # what one address may have of them
    for number, answer in answered:
        assert answer["recipe"]["source"] == f"The old cat {number}."
    assert service.queue.waiting == 0
    assert service.library.cache.nbytes <= service.limits.cache_bytes


def test_forty_programs_at_once_are_answered_or_politely_refused(served):
    address, _ = served
    client = Client(address, verbose=False, httpx_kwargs={"timeout": 120})
    jobs = [
        client.submit(RECIPE | {"source": f"warm roof {number}"}, api_name="/translate")
        for number in range(40)
    ]
    answered = 0
    for number, job in enumerate(jobs):
        try:
            assert job.result(120)["recipe"]["source"] == f"warm roof {number}"
            answered += 1
        except AppError as error:
            assert "Try again in" in str(error)
    assert answered >= 1


def test_answers_that_are_not_fetched_are_forgotten(served):
    address, service = served
    headers = {"content-type": "application/json"}
    body = json.dumps({"data": [RECIPE, None]})
    calls = [
        json.loads(ask(address, f"{API}/call/step", "POST", body, headers)[2])["event_id"]
        for _ in range(4 * service.limits.unread)
    ]
    fetched = [ask(address, f"{API}/call/step/{call}")[2] for call in calls]
    kept = service.limits.unread
    assert not any(fetched[:-kept]) and all("event: complete" in one for one in fetched[-kept:])


def test_more_connections_than_there_may_be_are_refused_and_health_still_answers(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    limits = dataclasses.replace(LIMITS, connections=3)
    with serve(tmp_path, limits) as (address, _):
        place = urlsplit(address)
        held = [http.client.HTTPConnection(place.hostname, place.port) for _ in range(3)]
        for one in held:  # a body that does not come
            one.putrequest("POST", "/stage/answer")
            one.putheader("content-type", "application/json")
            one.putheader("content-length", "10")
            one.endheaders()
        status, _, text = ask(address, "/config")
        while status == 200:  # until all of those have arrived
            status, _, text = ask(address, "/config")
        error = json.loads(text)["error"]
        assert (status, error["code"], error["values"]["limit"]) == (503, "connections", 3)
        assert ask(address, "/health")[0] == 200
        for one in held:
            one.close()


def test_one_address_leaves_a_quarter_of_the_open_requests_to_the_others():
    LIMITS.check_connections(300, 300)
    LIMITS.check_connections(500, 200)
    for count, own in ((501, 1), (376, 376)):
        with pytest.raises(TooBusy, match=f"{count} requests are open, {own} of them"):
            LIMITS.check_connections(count, own)


def test_neighbours_who_ask_the_same_share_the_answer(served):
    address, service = served
    turns = []
    service.library.queue.turn, turn = lambda: turns.append(1) or turn(), service.queue.turn
    request = {"recipe": RECIPE | {"source": "shared"}, "extend": 1}
    first = ask_stage(address, request)[2]
    asked = len(turns)
    assert asked and ask_stage(address, request)[2] == first
    assert len(turns) == asked
    assert json.loads(first) == service.answer(request)
    service.library.queue.turn = turn


ODD = (0, -0.0, False, None, "", "0", [], {}, -1, 10**19, 0.5, "\ud800")
ENVELOPES = {  # what gradio reads around a request, without the request
    "queue/join": {"session_hash": "x", "fn_index": 0, "trigger_id": None, "batched": False},
    "call/translate": {"session_hash": "x"},
    "call/v2/translate": {},
    "cancel": {"session_hash": "x", "fn_index": 0, "event_id": "y"},
}


@pytest.mark.parametrize("path", ENVELOPES)
def test_no_odd_value_around_a_request_is_a_bug(served, path):
    envelope = ENVELOPES[path] | {"data": [RECIPE]}
    bodies = [envelope | {field: odd} for field in envelope for odd in ODD]
    for body in [*bodies, *ODD, {"recipe": 0}]:
        headers = {"content-type": "application/json"}
        status, _, text = ask(served[0], f"{API}/{path}", "POST", json.dumps(body), headers)
        answer = json.loads(text)
        assert status < 500, body
        error = answer.get("error")
        assert not isinstance(error, dict) or error["code"] != "bug", body


def test_an_envelope_that_names_nothing_here_is_an_error_with_a_name_and_no_bug(served, caplog):
    headers = {"content-type": "application/json"}
    status, _, text = ask(served[0], "/stage/answer", "POST", "[" * 10_000, headers)
    assert (status, json.loads(text)["error"]["code"]) == (200, "request")  # the stage can read it
    body = {"data": [RECIPE], "fn_index": 99, "session_hash": "x"}
    status, _, text = ask(served[0], f"{API}/queue/join", "POST", json.dumps(body), headers)
    assert (status, json.loads(text)["error"]["kind"]) == (400, "RecipeError") and not caplog.text


def test_a_bug_is_named_as_a_bug_and_its_words_stay_here(served, caplog, monkeypatch):
    address, service = served

    def fail(request):
        raise RuntimeError(f"cannot read {request}")

    monkeypatch.setattr(service, "_handle", fail)
    status, _, text = ask_stage(address, {"recipe": RECIPE | {"source": "An old cat."}})
    assert status == 200 and json.loads(text)["error"]["code"] == "bug"
    assert "old cat" not in text
    assert "RuntimeError at" in caplog.text and "old cat" not in caplog.text


def test_who_goes_away_is_noticed_and_a_full_line_has_a_status_that_proxies_read(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    began, left = threading.Event(), threading.Event()

    def wait(_):
        gone = threading.Event()
        with LEAVING.get().then(gone.set):
            began.set()
            if gone.wait(60):
                left.set()
        LEAVING.get().check()

    with serve(tmp_path, dataclasses.replace(DEMO, at_once=1, in_line=1)) as (address, service):
        service.queue.patience = 0.0
        with service.queue.place(), service.queue.place():
            status, headers, text = ask_stage(address, {"recipe": RECIPE, "extend": 1})
        assert (status, dict(headers)["retry-after"]) == (503, "1")
        assert json.loads(text)["error"]["code"] == "busy"

        service.translate = wait
        place = urlsplit(address)
        asking = http.client.HTTPConnection(place.hostname, place.port)
        headers = {"content-type": "application/json"}
        asking.request("POST", "/api/translate", json.dumps({"recipe": RECIPE}), headers)
        assert began.wait(60)
        asking.close()
        assert left.wait(60)
