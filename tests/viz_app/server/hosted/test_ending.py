"""Ctrl+C, or the signal of a host, at every moment: while it starts, serves or draws."""

import subprocess
import sys
import threading

import plotly.graph_objects as go
import pytest

from model_core.errors import ExportError
from tests.conftest import ROOT
from tests.process import free_port
from viz_app.files.chromium import Chromium
from viz_app.server import ending

SECONDS = 600  # for all of it on a busy machine; one that does not end takes for ever

# Sends both signals when a module that is named is about to be imported, or right after a function
# was called; everything before that runs as it does for a user. Each time it is a process of its
# own that goes on and ends, and begins with what was imported until then.
PROGRAM = """
import importlib, os, signal, sys

moments = sys.argv[1].split()

def apart(moment, number):
    child = os.fork()
    if child == 0:
        return True
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended == 0, (moment, number, ended)
    return False

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name not in moments:
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            if apart(name, number):
                moments.clear()
                return os.kill(os.getpid(), number)
        if name == moments[-1]:
            os._exit(0)

sys.meta_path.insert(0, Finder())
from viz_app.__main__ import main

def place(moment):
    module, names = moment.split(":")
    *owners, name = names.split(".")
    thing = importlib.import_module(module)
    for owner in owners:
        thing = getattr(thing, owner)
    return thing, name

def ends_after(thing, name):
    real = getattr(thing, name)
    def then_send(*values, **more):
        answer = real(*values, **more)
        os.kill(os.getpid(), signal.SIGINT)
        return answer
    setattr(thing, name, then_send)
    sys.exit(main(sys.argv[2:]))

if ":" not in moments[0]:
    sys.exit(main(sys.argv[2:]))
for thing, name in list(map(place, moments)):
    if apart(name, signal.SIGINT):
        ends_after(thing, name)
"""
MOMENTS = (
    # Before anything of ours is imported; before gradio; in the middle of it.
    "model_core.terminal viz_app.server.address uvicorn",
    # built, not yet at its port; at its port; while a model is being opened, before it waits
    "gradio.routes:App.create_app viz_app.server.serving:Running.begin"
    " viz_app.server.service:Service.warm_up",
)


@pytest.mark.parametrize("moments", MOMENTS, ids=["imports", "built"])
def test_it_ends_at_every_moment_of_its_start(moments, models):
    words = [moments, "--checkpoints", str(models), "--port", str(free_port())]
    command = [sys.executable, "-c", PROGRAM, *words]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Ctrl+C stops it" not in ended.stdout


def test_no_picture_that_is_being_drawn_is_waited_for(monkeypatch):
    chromium = Chromium()
    monkeypatch.setattr("viz_app.files.chromium.CHROMIUM", chromium)
    monkeypatch.setattr(ending, "DRAWING_SECONDS", 0.1)
    drawn, go_on = threading.Event(), threading.Event()

    def find():
        drawn.set()
        go_on.wait(SECONDS)

    monkeypatch.setattr("viz_app.files.chromium.find_chromium", find)
    drawing = threading.Thread(target=draw, args=[chromium], daemon=True)
    drawing.start()
    assert drawn.wait(SECONDS)
    ends = threading.Thread(target=ending.end_drawing, daemon=True)
    ends.start()
    ends.join(SECONDS)
    left = ends.is_alive(), drawing.is_alive()
    go_on.set()
    drawing.join(SECONDS)
    assert left == (False, True)


def draw(chromium):
    with pytest.raises(ExportError):  # none is found
        chromium.draw(go.Figure(), "svg")
