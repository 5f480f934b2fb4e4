"""Who may ask: no page of another address, nothing but JSON, and with accounts those in alone."""

import asyncio
import gc
import html
import inspect
import json
import re
from base64 import b64encode
from functools import partial, partialmethod
from urllib.parse import urlencode

import pytest
from gradio_client import Client
from starlette.testclient import TestClient

from model_core.errors import ServingError
from tests.process import free_port
from tests.serving import addresses_of, ask, serve
from tests.tiny import tiny_checkpoint
from viz_app.commands.space import APP
from viz_app.server.access import Guesses
from viz_app.server.address import HOST, Address
from viz_app.server.application import API, Application
from viz_app.server.service import Service
from viz_app.server.serving import serve as begin
from viz_app.stage.bundle import bundle, bundle_map
from viz_app.text import WORDS

NAMES = ("tiny", "unheard-of")
RECIPE = {"model": "tiny", "source": "The old cat."}
JSON = {"content-type": "application/json"}
EVIL = "https://evil.example"
PLAIN = "/api/translate"
# What is answered before anybody has logged in: the page that asks for the password and its files.
PUBLIC = r"/(assets/.*|static/.*|theme.css|favicon.ico|login/?)?"
PUBLIC += rf"|/monitoring/summary|{API}/mcp/schema"


@pytest.fixture(scope="module")
def open_to_all(models):
    with serve(models, address=Address(for_strangers=True)) as (address, _):
        yield address


@pytest.fixture(scope="module")
def own(models):
    """A server on this computer for who sits at it, as it is started without options."""
    with serve(models) as (address, _):
        yield address


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """The app with a password, its address, and the cookie of somebody who has logged in."""
    root = tmp_path_factory.mktemp("models")
    for name in NAMES:
        tiny_checkpoint(root / name)
    with pytest.MonkeyPatch.context() as patch:  # how long the pause is tells nothing here
        patch.setattr(Guesses, "__init__", partialmethod(Guesses.__init__, 0.01))
        app = begin(Service(root), Address(port=free_port(), accounts=(("ana", "a:b"),)))
    address = app.local_url.rstrip("/")
    yield app, address, cookie_of(address)
    app.close()


def cookie_of(address):
    """What somebody sends who has logged in."""
    status, headers, _ = log_in(address, "a:b")
    assert status == 200
    cookies = [value.split(";")[0] for name, value in headers if name == "set-cookie"]
    return {"cookie": "; ".join(cookies)}


def log_in(address, password, **more):
    form = {"content-type": "application/x-www-form-urlencoded", **more}
    body = urlencode({"username": "ana", "password": password})
    return ask(address, "/login", "POST", body, form)


def basic(account):
    """How a program names an account."""
    return {"authorization": f"Basic {b64encode(account).decode()}"}


def test_who_has_not_logged_in_sees_a_form_and_no_model(locked):
    _, address, cookie = locked
    for path in ("/", "/?view=api"):
        for language in ("en", "zh"):
            _, headers, page = ask(address, path, headers={"accept-language": language})
            assert 'type="password"' in page and NAMES[1] not in page
            assert html.escape(WORDS[language]["login_enter"]) in page
            assert "unsafe" not in dict(headers)["content-security-policy"]
    for known in (cookie, basic(b"ana:a:b")):
        _, headers, page = ask(address, "/", headers=known)
        assert f'"name":"{NAMES[1]}"' in page and bundle().path in page
        assert dict(headers)["cache-control"] == "private, no-cache"
        assert dict(headers)["content-security-policy"].endswith("frame-ancestors 'self'")
    assert "<gradio-app" in ask(address, "/?view=api", headers=cookie)[2]


def test_the_script_is_for_everybody_and_tells_nothing_of_the_models(locked):
    """It is the same file for all who ever install the app; the models are named in the page."""
    for path in (bundle().path, bundle_map().path):
        status, _, script = ask(locked[1], path)
        assert status == 200 and NAMES[1] not in script
    assert ask(locked[1], f"/stage/{'0' * 16}.js")[0] == 404


def test_a_client_of_gradios_logs_in(locked):
    client = Client(locked[1], auth=("ana", "a:b"), verbose=False)
    assert client.predict(RECIPE, api_name="/translate")["finished"] in ("end", "limit")
    with pytest.raises(Exception, match="Could not login"):
        Client(locked[1], auth=("ana", "wrong"), verbose=False)


def test_an_address_that_names_a_wrong_password_waits_before_the_next(monkeypatch):
    pauses, pause = [], 1.375  # what else runs in this process pauses as ever

    def locks():
        return sum(isinstance(one, asyncio.Lock) for one in gc.get_objects())

    async def attempt(right):
        pauses.append("right" if right else "wrong")
        return right

    async def waits(seconds, *result):
        if seconds != pause:
            return await real(seconds, *result)
        pauses.append(seconds)
        await real(0)

    async def ask():
        guesses = Guesses(pause)
        tried = [("a", False), ("a", False), ("a", True), ("a", False)]
        found = [guesses.tried(address, partial(attempt, right)) for address, right in tried]
        before = locks()
        found = await asyncio.gather(*found)
        return found, locks() - before  # of an address nothing is left

    real = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", waits)
    assert asyncio.run(ask()) == ([False, False, True, False], 0)
    assert pauses == ["wrong", pause, "wrong", pause, "right", "wrong", pause]
    assert inspect.signature(Guesses).parameters["pause"].default >= 1  # seconds


def test_a_wrong_password_is_refused_at_every_door_and_the_right_one_is_heard(locked, monkeypatch):
    _, address, _ = locked
    paused = []
    monkeypatch.setattr(Guesses, "tried", partialmethod(counted, paused, Guesses.tried))
    for password, status in (("wrong", 400), ("a:b", 200)):
        assert log_in(address, password)[0] == status
        found = ask(address, "/metrics", headers=basic(f"ana:{password}".encode()))[0]
        assert found == (200 if status == 200 else 401)
    assert paused == [False, False, True, True]


async def counted(self, paused, tried, address, attempt):
    right = await tried(self, address, attempt)
    paused.append(right)
    return right


class WithoutGradio:
    """In the place of gradio, for what it is not asked."""

    async def knows(self, request):
        return False


def client_of(models, address):
    """Asks an application that no server runs."""
    return TestClient(Application(Service(models), {}, WithoutGradio(), address))


def body_of(path):
    envelope = {"data": [RECIPE], "session_hash": "x", "event_id": "y", "fn_index": 0}
    return json.dumps({"text": "The old cat."} if path == PLAIN or "v2" in path else envelope)


def is_refused(status, text):
    return status == 403 or (status == 200 and json.loads(text)["error"]["code"] == "origin")


def test_no_page_is_told_that_it_may_send_more(open_to_all):
    asked = {"origin": EVIL, "access-control-request-method": "POST"}
    asked |= {"access-control-request-headers": "content-type"}
    for path in (PLAIN, "/stage/answer", f"{API}/info"):
        status, headers, _ = ask(open_to_all, path, "OPTIONS", headers=asked)
        assert status == 405
        assert not [name for name, _ in headers if name.startswith("access-control")]
    _, headers, _ = ask(open_to_all, "/config", headers={"origin": EVIL, "host": "a.example"})
    assert not [name for name, _ in headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "own",
    [
        {},  # a program
        {"sec-fetch-site": "same-origin", "origin": "https://behind.example"},
        {"origin": "https://a.example", "host": "a.example"},
        {"origin": "https://a.example", "x-forwarded-host": "A.example:443, b"},
        {"content-type": "application/json; charset=utf-8"},
    ],
    ids=str,
)
def test_pages_of_this_server_and_programs_are_answered(open_to_all, own):
    status, _, text = ask(open_to_all, PLAIN, "POST", body_of(PLAIN), JSON | own)
    assert status == 200 and json.loads(text)["finished"]


@pytest.mark.parametrize("name", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "["])
def test_a_server_for_its_own_computer_answers_to_no_other_name(own, name):
    """A page whose name is made to mean this computer would read what it answers."""
    page = {"host": name, "origin": f"http://{name}", "sec-fetch-site": "same-origin"}
    paths = ("/", "/config", f"{API}/info", "/health", "/metrics", "/openapi.json", bundle().path)
    asked = [*((path, "GET", None) for path in paths), (PLAIN, "POST", body_of(PLAIN))]
    for path, method, body in asked:
        status, _, text = ask(own, path, method, body, JSON | page)
        assert (status, json.loads(text)["error"]["code"]) == (403, "host"), path


def test_a_server_for_its_own_computer_answers_to_every_name_of_it(own):
    port = own.rpartition(":")[2]
    for name in (f"localhost:{port}", "LOCALHOST", "localhost.", "127.0.0.1", f"[::1]:{port}"):
        assert ask(own, "/health", headers={"host": name})[0] == 200


@pytest.mark.parametrize(
    "address",
    [
        Address(host="0.0.0.0"),
        Address(root_path="https://a.example/attention"),
        Address(accounts=(("ana", "a:b"),)),
        Address(for_strangers=True),
    ],
    ids=["network", "root path", "accounts", "strangers"],
)
def test_what_is_served_to_others_answers_to_the_name_that_their_proxy_has(models, address):
    assert client_of(models, address).get("/health", headers={"host": "a.example"}).is_success


@pytest.mark.parametrize(("trusted", "root"), [("127.0.0.1", "b"), ("10.0.0.1", "a")])
def test_the_name_of_a_host_is_believed_of_trusted_proxies_alone(
    models, monkeypatch, trusted, root
):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)
    with serve(models, address=Address(for_strangers=True, port=free_port())) as (url, _):
        said = {"host": "a.example", "x-forwarded-host": "b.example"}
        _, headers, page = ask(url, "/?view=api", headers=said)
        assert f'"root":"http://{root}.example' in page
        assert ("cache-control", "no-cache") in headers
        asked = said | JSON | {"origin": "http://b.example"}
        status = 200 if root == "b" else 403
        assert ask(url, PLAIN, "POST", body_of(PLAIN), asked)[0] == status


@pytest.mark.parametrize("trusted", ["127.0.0.1", "10.9.9.9"])
def test_no_visitor_names_the_server_in_the_page_of_the_next(models, monkeypatch, trusted):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)
    with serve(models, address=Address(for_strangers=True, port=free_port())) as (url, _):
        for path in ("/?view=api", "/config"):
            for said in ({"x-gradio-server": EVIL}, {"x-forwarded-proto": "https"}, {}):
                status, _, page = ask(url, path, headers=said)
                scheme = "https" if "x-forwarded-proto" in said and trusted == HOST else "http"
                root = f'"root":"{url.replace("http:", f"{scheme}:")}"'
                assert status == 200 and root in page and "evil" not in page, said


@pytest.mark.parametrize(
    "name", ["[::1", "a b", "", "a.example/b", "ana@a.example", "\x7f", "a:b", "["]
)
def test_a_forwarded_name_that_is_none_is_not_heard(open_to_all, name):
    status, _, page = ask(open_to_all, "/?view=api", headers={"x-forwarded-host": name})
    assert status == 200 and f'"root":"{open_to_all}"' in page


def test_an_origin_that_is_no_address_is_another_page(open_to_all, caplog):
    asked = JSON | {"origin": "http://[::1"}
    status, _, text = ask(open_to_all, PLAIN, "POST", body_of(PLAIN), asked)
    assert (status, json.loads(text)["error"]["code"]) == (403, "origin") and not caplog.text


def test_behind_a_proxy_that_hides_its_name_the_root_path_says_it(models):
    client = client_of(models, Address(root_path="http://a.example/attention"))
    for origin, status in (("http://a.example", 200), (EVIL, 403)):
        headers = JSON | {"origin": origin}
        assert client.post(PLAIN, content=body_of(PLAIN), headers=headers).status_code == status


def test_with_accounts_every_address_of_gradio_asks_for_one(locked):
    app, address, _ = locked
    addresses = [*addresses_of(app), *(("OPTIONS", path) for _, path in addresses_of(app))]
    assert len(addresses) > 120
    refused = set()
    for method, path in addresses:
        if re.fullmatch(PUBLIC, path):
            continue
        last = path.removeprefix(f"{API}/").replace("/word", "/translate")
        body = body_of(last) if method == "POST" else None
        status, _, text = ask(address, path, method, body, JSON)
        assert status in (401, 404, 405), (method, path, status, text[:200])
        if status == 401:
            refused.add(path)
    assert f"{API}/cancel" in refused  # gradio lets all in
    assert ask(address, "/stage/answer", "POST", "{}", JSON)[0] == 401


def test_a_client_that_has_logged_in_may_enter_everywhere_and_from_no_other_page(locked):
    _, address, cookie = locked
    for path in ("/config", f"{API}/info"):
        assert ask(address, path, headers=cookie)[0] == 200, path
    for path in (PLAIN, f"{API}/cancel"):
        asked = path, "POST", body_of(path)
        assert ask(address, *asked, JSON | cookie)[0] == 200, path
        status, headers, text = ask(address, *asked, JSON | cookie | {"origin": EVIL})
        assert is_refused(status, text)
        assert not [name for name, _ in headers if name.startswith("access-control")]


def test_health_names_the_models_to_those_alone_who_may_enter(locked):
    _, address, cookie = locked
    assert set(json.loads(ask(address, "/health")[2])) == {"status", "version", "ready"}
    for headers in (cookie, basic(b"ana:a:b")):
        assert json.loads(ask(address, "/health", headers=headers)[2])["models"] == [*NAMES]


def test_programs_may_name_their_account_where_numbers_and_answers_are(locked):
    _, address, _ = locked
    for asked in (("/metrics", "GET", None), (PLAIN, "POST", body_of(PLAIN))):
        assert ask(address, *asked, JSON)[0] == 401
        for account, expected in ((b"ana:a:b", 200), (b"ana:a", 401), (b"", 401), (b"\xff", 401)):
            assert ask(address, *asked, JSON | basic(account))[0] == expected
        assert ask(address, *asked, JSON | {"authorization": "Basic !"})[0] == 401
    for path in ("/health", "/ready"):  # for who watches it; nothing typed is in them
        assert ask(address, path)[0] in (200, 503)
    # gradio's own answers to its page and its clients, which log in.
    for path in ("/config", f"{API}/info"):
        assert ask(address, path, headers=basic(b"ana:a:b"))[0] == 401, path


def test_no_client_is_logged_in_or_out_by_another_page_or_a_link(locked):
    _, address, cookie = locked
    assert log_in(address, "a:b", origin=EVIL)[0] == 403
    assert ask(address, "/logout", headers=cookie)[0] == 405
    assert ask(address, "/logout", "POST", headers=cookie | {"origin": EVIL})[0] == 403
    assert ask(address, "/config", headers=cookie)[0] == 200
    elsewhere = cookie_of(address)  # on another computer
    assert ask(address, "/logout", "POST", headers=cookie)[0] == 302
    assert ask(address, "/config", headers=cookie)[0] == 401
    assert ask(address, "/config", headers=elsewhere)[0] == 200


@pytest.mark.parametrize(
    ("address", "frames"),
    [
        (Address(), ""),  # lectures embed it
        (Address(accounts=(("ana", "a:b"),)), "frame-ancestors 'self'"),
        (
            Address(accounts=(("ana", "a:b"),), framed_by=("https://a.example",)),
            "frame-ancestors 'self' https://a.example",
        ),
        (Address(framed_by=("https://a.example",)), "frame-ancestors 'self' https://a.example"),
    ],
)
def test_with_accounts_no_page_may_frame_this_one_but_those_that_are_named(models, address, frames):
    said = client_of(models, address).get("/", headers={"host": "localhost"})
    policy = said.headers["content-security-policy"]
    assert "object-src 'none'" in policy and policy.endswith(frames)
    assert ("frame-ancestors" in policy) == bool(frames)
    assert "--framed-by" in APP


@pytest.mark.parametrize(
    "origin", ["", "*", "example.org", "https://a b", "https://a; b", "'none'"]
)
def test_what_is_no_origin_is_refused(origin):
    with pytest.raises(ServingError, match="--framed-by"):
        Address(framed_by=(origin,))
