"""Ctrl+C at every moment: while it starts, while it serves, while it draws."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process import free_port

ROOT = Path(__file__).resolve().parents[4]
SECONDS = 60  # for all of it on a busy machine; one that does not end takes for ever

# Sends the signal when the module that is named is about to be imported, or right after a function
# was called; everything before that runs as it does for a user. Of several functions each has a
# process of its own, which begins with what they need imported.
PROGRAM = """
import importlib, os, signal, sys

moments, number = sys.argv[1].split(), int(sys.argv[2])

def send():
    os.kill(os.getpid(), number)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name in moments:
            send()

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
        send()
        return answer
    setattr(thing, name, then_send)
    sys.exit(main(sys.argv[3:]))

if ":" not in moments[0]:
    sys.exit(main(sys.argv[3:]))
from viz_app.server.gradio.inside import keep_gradio_quiet
keep_gradio_quiet()
for thing, name in list(map(place, moments)):
    child = os.fork()
    if child == 0:
        ends_after(thing, name)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, name
"""
MOMENTS = (
    "viz_app.server.address",  # nothing is there yet
    "uvicorn",  # in the middle of gradio
    # built, not yet at its port; at its port; before it waits
    "gradio.routes:App.create_app gradio.http_server:Server.run_in_thread"
    " viz_app.server.service:Service.warm_up",
    "torch",  # a model is being opened in the background
)


def end_at(moment, number, models):
    words = [moment, str(int(number)), "--checkpoints", str(models), "--port", str(free_port())]
    command = [sys.executable, "-c", PROGRAM, *words]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
    )


@pytest.mark.parametrize("moment", MOMENTS, ids=["first", "imports", "built", "opening"])
def test_it_ends_at_every_moment_of_its_start(moment, models):
    ended = end_at(moment, signal.SIGINT, models)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ("Ctrl+C stops it" in ended.stdout) <= (moment == "torch")


def test_its_host_ends_it_while_it_starts_too(models):
    ended = end_at("uvicorn", signal.SIGTERM, models)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_no_picture_that_is_being_drawn_is_waited_for():
    program = """
import threading
from viz_app.files.engine import ENGINE
from viz_app.server.ending import end_drawing, leave
ENGINE._lock.acquire()  # as while a picture is drawn
end_drawing()
leave()
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=50, check=False)
    assert ended.returncode == 0
