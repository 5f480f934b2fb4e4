"""A window of its own: who gets in, how it ends, and what is said where there is none.

The window is a stand-in that asks as a browser would; the server, its door and its end are real.
"""

import json
import logging
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest
from starlette.requests import Request

from tests.conftest import ROOT
from viz_app.__main__ import main
from viz_app.desktop.lock import Lock
from viz_app.desktop.package import web_view

# A process of its own for each of these, which has imported everything already: its window closes,
# stays until a signal comes once it has written what it heard, or cannot be opened.
PROGRAM = """
import os, pathlib, signal, sys, time
import viz_app.desktop.window
from viz_app.__main__ import main

for name in ("closed", "stays", "fails"):
    os.environ["DESKTOP_REPORT"] = name
    if (child := os.fork()) == 0:
        os.environ[f"DESKTOP_{name.upper()}"] = "1"
        os.dup2(os.open(f"{name}.log", os.O_WRONLY | os.O_CREAT), 1)
        os.dup2(1, 2)
        sys.exit(main(sys.argv[1:]))
    while name == "stays" and not (os.path.exists(name) and open(name).read().endswith("}")):
        assert os.waitpid(child, os.WNOHANG) == (0, 0)
        time.sleep(0.1)  # between two looks
    if name == "stays":
        os.kill(child, signal.SIGINT)  # as SIGTERM: see test_ending.py
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture(scope="module")
def ended(models, tmp_path_factory):
    """How the program ended, what it said and the report of its window, as (code, log, path)."""
    folder = tmp_path_factory.mktemp("desktop")
    command = [sys.executable, "-c", PROGRAM, "--desktop", "--checkpoints", str(models)]
    here = os.environ | {"PYTHONPATH": f"{Path(__file__).parent}:{ROOT}"}
    done = subprocess.run(command, cwd=folder, env=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    codes = map(int, done.stdout.split())
    return {
        name: (code, (folder / f"{name}.log").read_text(), folder / name)
        for name, code in zip(("closed", "stays", "fails"), codes, strict=True)
    }


def test_the_window_alone_gets_in_and_closing_it_ends_the_program(ended):
    code, said, report = ended["closed"]
    assert code == 0, said
    seen = json.loads(report.read_text())
    assert set(seen["before"]) == set(seen["after"]) == {403} and seen["again"] == 403
    assert set(seen["window"][:4]) == {200}
    assert "Attention Visualiser" in seen["enters"]
    ((_, traits),) = seen["cookies"]
    assert {"HttpOnly", "SameSite"} <= set(traits)
    address = seen["made"]["address"]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/enter/[\w-]{40,}", address)
    assert address.rpartition("/")[2] not in said  # no terminal and no log shows the way in
    assert seen["made"]["exposed"] == "save"
    saved = {path.name: path.read_bytes() for path in report.parent.glob("closed.30.*")}
    assert saved == {"closed.30.map.csv": b"weight\n0.5\n", "closed.30.map.png": b"\x89PNG"}
    assert Path(seen["icon"]).read_bytes().startswith(b"\x89PNG")


def test_it_ends_at_a_signal_though_the_window_has_the_main_thread(ended):
    assert ended["stays"][0] == 0, ended["stays"][1]


def test_without_a_screen_the_program_says_what_to_install_and_ends(ended):
    code, said, _ = ended["fails"]
    assert code == 1
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
