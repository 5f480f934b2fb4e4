"""The app at an address: its accounts, over https, and what is said where it cannot be had."""

import shutil
import socket
import ssl
import subprocess
import sys
import urllib.parse
import urllib.request

import pytest

from model_core.errors import ServingError
from tests.conftest import ROOT
from tests.process import free_port
from tests.serving import serve
from viz_app.__main__ import options
from viz_app.server.address import (
    VARIABLE,
    Address,
    accounts_of,
    address_of,
    any_socket,
    bound_socket,
)
from viz_app.server.serving import serve as begin

# accounts


def test_accounts_come_from_an_option_a_file_or_the_environment(tmp_path):
    path = tmp_path / "accounts"
    path.write_text("# the class of 2026\nana:a:b\n\nbo:c\n")
    assert accounts_of(None, None, {}) == ()
    assert accounts_of(None, None, {VARIABLE: "eve:d"}) == (("eve", "d"),)
    assert accounts_of(None, path, {VARIABLE: "eve:d"}) == (("ana", "a:b"), ("bo", "c"))
    assert accounts_of("dan:e", path, {VARIABLE: "eve:d"}) == (("dan", "e"),)


@pytest.mark.parametrize("text", ["", "secret", ":secret", "secret:", " : "])
def test_a_malformed_account_is_named_by_its_place_and_never_quoted(text, tmp_path):
    path = tmp_path / "accounts"
    path.write_text(f"ana:b\n{text or '::'}\n")
    for option, file, environment, place in (
        (text, None, {}, "--auth"),
        (None, path, {}, "line 2"),
        (None, None, {VARIABLE: text}, VARIABLE),
    ):
        with pytest.raises(ServingError, match=place) as told:
            accounts_of(option, file, environment)
        assert "USER:PASSWORD" in str(told.value) and "secret" not in str(told.value)


def test_a_file_of_accounts_must_be_there_and_hold_one(tmp_path):
    with pytest.raises(ServingError, match="cannot be read"):
        accounts_of(None, tmp_path / "none", {})
    (tmp_path / "empty").write_text("# nobody\n")
    with pytest.raises(ServingError, match="no account"):
        accounts_of(None, tmp_path / "empty", {})


def test_a_file_of_accounts_may_begin_with_a_mark_and_have_remarks(tmp_path):
    (tmp_path / "accounts").write_text("# the class\nana:a:b\n", encoding="utf-8-sig")
    assert accounts_of(None, tmp_path / "accounts", {}) == (("ana", "a:b"),)


# over https


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A certificate for 127.0.0.1 and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.fail("there is no openssl: install it to test https")
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-keyout", str(key), "-out", str(certificate), "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


@pytest.mark.parametrize("joined", [False, True], ids=["two files", "one file"])
def test_with_a_certificate_the_page_is_served_over_https(models, pair, joined, tmp_path):
    certificate, key = pair
    if joined:
        both = tmp_path / "both.pem"
        both.write_text(key.read_text() + certificate.read_text())
        certificate, key = both, None
    with serve(models, address=Address(certificate=certificate, key=key)) as (url, _):
        assert url.startswith("https://")
        trust = ssl.create_default_context(cafile=pair[0])
        assert urllib.request.urlopen(url + "/health", context=trust).status == 200


def test_what_cannot_be_a_certificate_is_said(models, pair, tmp_path):
    certificate, key = pair
    junk = tmp_path / "junk.pem"
    junk.write_text("not a certificate")
    for given, message in (
        ({"certificate": tmp_path / "none.pem"}, "There is no file"),
        ({"certificate": certificate, "key": tmp_path / "none.pem"}, "There is no file"),
        ({"key": key}, "add --ssl-certfile"),
        ({"certificate": junk, "key": key}, "Both must be PEM"),
        ({"certificate": certificate, "key": junk}, "Both must be PEM"),
        ({"certificate": certificate}, "Both must be PEM"),
    ):
        with pytest.raises(ServingError, match=message):
            Address(**given)


# the address itself


def test_a_port_in_use_is_said_with_the_remedy():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ServingError, match=f"{port}.*choose another port with --port"):
            begin(None, Address(port=port))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"port": 0}, "1 to 65535"),
        ({"port": 70_000}, "1 to 65535"),
        ({"host": "192.0.2.1", "port": 7860}, "not this machine's"),
        ({"host": "192.0.2.1"}, "not this machine's"),
        ({"host": "no such host", "port": 7860}, "There is no host"),
    ],
)
def test_an_address_that_cannot_be_had_is_said(given, message):
    with pytest.raises(ServingError, match=message):
        begin(None, Address(**given))


def test_where_nothing_can_be_served_the_address_is_free_again():
    listening = any_socket()
    with pytest.raises(AttributeError):  # there is no service
        begin(None, Address(), listening=listening)
    assert listening.fileno() == -1


def test_answers_are_sent_at_once():
    """asyncio looks at this: otherwise each answer on a kept connection waits 40 ms."""
    with bound_socket(Address()) as bound:
        assert bound.proto == socket.IPPROTO_TCP


def test_without_a_port_the_first_free_one_is_taken(models):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        first = taken.getsockname()[1]
        with serve(models, address=Address(first_port=first)) as (url, _):
            assert first < urllib.parse.urlsplit(url).port < first + 100
        with pytest.raises(ServingError, match=f"Ports {first} to {first} .* all in use"):
            begin(None, Address(first_port=first, ports=1))


@pytest.mark.parametrize(
    ("host", "named"),
    [
        *(("127.0.0.1", "127.0.0.1"), ("example.org", "example.org")),
        *(("0.0.0.0", "localhost"), ("::", "localhost"), ("::1", "[::1]"), ("[::1]", "[::1]")),
    ],
)
def test_the_address_that_is_printed_is_one_that_a_browser_opens(host, named):
    assert Address(host).url(7860) == f"http://{named}:7860/"


# what Gradio's variables say


def address_from(words, **environment):
    return address_of(options().parse_args(words), (), environment)


def test_the_variables_of_gradio_are_honoured_and_options_come_first():
    said = address_from(
        [],
        GRADIO_SERVER_NAME="0.0.0.0",
        GRADIO_SERVER_PORT="8000",
        GRADIO_NUM_PORTS="5",
        GRADIO_ROOT_PATH="/attention",
        GRADIO_SHARE="True",
    )
    assert said == Address(
        host="0.0.0.0", root_path="/attention", share=True, first_port=8000, ports=5
    )
    words = ["--host", "::1", "--port", "9000", "--root-path", "/here"]
    given = address_from(words, GRADIO_SERVER_NAME="0.0.0.0", GRADIO_ROOT_PATH="/attention")
    assert given == Address(host="::1", port=9000, root_path="/here")
    assert address_from([]) == Address() == address_from([], GRADIO_SHARE="", GRADIO_SERVER_PORT="")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("GRADIO_SERVER_PORT", "eighty"),
        ("GRADIO_SERVER_PORT", "0"),
        ("GRADIO_SERVER_PORT", "70000"),
        ("GRADIO_NUM_PORTS", "-1"),
        ("GRADIO_NUM_PORTS", "²"),
        ("GRADIO_SHARE", "yes"),
    ],
)
def test_a_variable_that_holds_what_it_cannot_is_named(name, text):
    with pytest.raises(ServingError, match=f"{name} is '{text}'; it must be"):
        address_from([], **{name: text})


def test_the_port_that_is_asked_for_is_the_one_that_is_served(models):
    port = free_port()
    with serve(models, address=Address(port=port)) as (url, _):
        assert urllib.parse.urlsplit(url).port == port


def test_that_a_port_is_in_use_is_said_before_gradio_is_imported(models):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        program = "import sys; sys.modules['gradio'] = None; from viz_app.__main__ import main; "
        words = ["--checkpoints", str(models), "--port", str(port)]
        command = [sys.executable, "-c", f"{program} sys.exit(main({words}))"]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"error: 127.0.0.1:{port} cannot") and "in use" in ended.stderr
