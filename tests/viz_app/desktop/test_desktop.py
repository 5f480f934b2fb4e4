"""A window of its own: who gets in, how it ends, and what is said where there is none.

The window is a stand-in that asks as a browser would; the server, its door and its end are real.
"""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest
from starlette.requests import Request

from viz_app.__main__ import main
from viz_app.desktop.door import Lock
from viz_app.desktop.package import web_view

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def desktop(models, tmp_path):
    """Starts the program with a stand-in for the window; gives the process and its report."""
    started = []

    def start(**more):
        report = tmp_path / "report.json"
        here = {"PYTHONPATH": f"{Path(__file__).parent}:{ROOT}", "DESKTOP_REPORT": str(report)}
        command = [sys.executable, "-m", "viz_app", "--desktop", "--checkpoints", str(models)]
        started.append(
            subprocess.Popen(
                command,
                cwd=tmp_path,
                env=os.environ | here | more,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        return started[-1], report

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_the_window_alone_gets_in_and_closing_it_ends_the_program(desktop):
    process, report = desktop()
    said, _ = process.communicate(timeout=180)
    assert process.returncode == 0, said
    told = json.loads(report.read_text())
    assert set(told["before"]) == set(told["after"]) == {403} and told["again"] == 403
    assert set(told["window"][:4]) == {200}
    assert "Attention Visualiser" in told["enters"]
    ((_, traits),) = told["cookies"]
    assert {"HttpOnly", "SameSite"} <= set(traits)
    address = told["made"]["address"]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/enter/[\w-]{40,}", address)
    assert address.rpartition("/")[2] not in said  # no terminal and no log shows the way in
    assert told["made"]["exposed"] == "save"
    saved = {path.name: path.read_bytes() for path in report.parent.glob("report.json.*")}
    assert saved == {
        "report.json.30.map.csv": b"weight\n0.5\n",
        "report.json.30.map.png": b"\x89PNG",
    }
    assert Path(told["icon"]).read_bytes().startswith(b"\x89PNG")


def test_it_ends_at_a_signal_though_the_window_has_the_main_thread(desktop):
    process, report = desktop(DESKTOP_STAYS="1")
    deadline = time.monotonic() + 180
    while not (report.exists() and report.read_text().endswith("}")):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)  # between two looks
    process.send_signal(signal.SIGINT)  # as SIGTERM: see test_ending.py
    assert process.wait(60) == 0


def test_without_a_screen_the_program_says_what_to_install_and_ends(desktop):
    process, _ = desktop(DESKTOP_FAILS="1")
    said, _ = process.communicate(timeout=180)
    assert process.returncode == 1
    assert "No window can be opened: no screen." in said and "pywebview[qt]" in said


def test_without_the_package_it_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "webview", None)
    assert main(["--desktop"]) == 1
    assert "needs the package pywebview" in capsys.readouterr().err


def test_a_kind_of_window_that_is_missing_is_no_error_where_another_is_there(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "webview", types.ModuleType("webview"))
    web_view()
    for text in ("GTK cannot be loaded", "The page cannot be shown"):
        logging.getLogger("pywebview").error(text)
    assert caplog.messages == ["The page cannot be shown"]


def test_options_of_a_server_are_refused(capsys):
    assert main(["--desktop", "--host", "0.0.0.0"]) == 1
    assert "leave out --host" in capsys.readouterr().err


def request(cookie=None):
    headers = [] if cookie is None else [(b"cookie", cookie.encode("latin-1"))]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": headers})


def test_the_way_in_works_once():
    lock = Lock()
    way = lock.path
    assert lock.enters("/enter/") is None and lock.enters(way + "x") is None
    assert lock.enters("/enter/None") is None
    cookie = lock.enters(way)
    assert cookie is not None and lock.enters(way) is None and lock.enters("/enter/None") is None
    assert lock.opens(request(f"a=b; attention-visualiser-window={cookie}"))
    for other in ("", "x", cookie[:-1], cookie + "é"):
        assert not lock.opens(request(f"attention-visualiser-window={other}"))
    assert not lock.opens(request())
    assert Lock().path != Lock().path
