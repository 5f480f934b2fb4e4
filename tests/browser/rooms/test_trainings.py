"""Training watched in the page: begun, seen, paused, found again, laid beside another, and kept."""

import dataclasses
import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from model_core.checkpoints.history import HISTORY, write_history
from model_core.models.own import open_own
from tests.conftest import CHECKPOINTS
from tests.serving import serve
from viz_app.text import WORDS

ROOM = "#v=3&model=reverse-tiny&text=abc123&room=training"
# Says what a training says that is half done, and goes on until it is stopped.
STANDS_FOR_IT = """
import json, pathlib, shutil, signal, sys, time
words, trained, history = sys.argv, *map(pathlib.Path, sys.argv[1:3])
signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
told, out = (pathlib.Path(words[words.index(name) + 1]) for name in ("--progress", "--out"))
state = out.with_name(out.name + ".training")
shutil.copytree(trained, out, dirs_exist_ok=True)
state.mkdir(exist_ok=True)
shutil.copy(out / "tokenizer.json", state)
shutil.copy(history, told)
(told / "progress.json").write_text(json.dumps(
    {"update": 400, "updates": 800, "loss": 0.5, "per_second": 20.0}))
time.sleep(600)
"""


@pytest.fixture(scope="module")
def local_app(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    notes = tmp_path_factory.mktemp("notes")
    for name in ("reverse-tiny", "reverse-no-positions"):
        shutil.copytree(CHECKPOINTS / name, root / name)
    history = open_own(CHECKPOINTS / "reverse-leak").history
    write_history(notes, dataclasses.replace(history, fingerprint=""))
    begin = subprocess.Popen

    def started(words, **more):
        given = [str(CHECKPOINTS / "reverse-leak"), str(notes / HISTORY)]
        return begin([sys.executable, "-c", STANDS_FOR_IT, *given, *words[3:]], **more)

    with pytest.MonkeyPatch.context() as patch, serve(root, opens_paths=True) as served:
        patch.setattr("viz_app.server.trainings.process.subprocess.Popen", started)
        yield served
        served[1].close()


def test_a_training_is_begun_watched_paused_and_kept(local_app, look):
    stage = look(local_app, link=ROOM, until="() => document.querySelector('[data-live=begin]')")
    page = stage.page
    page.select_option("[data-setting=norm]", "post")
    page.locator("[data-live=begin]").press("Enter")
    stage.drawn("drawn.in_room?.ready")
    expect(page.locator("[data-training-site=cross]")).to_have_attribute("aria-selected", "true")
    for name in ("layer", "head"):
        assert page.locator(f".training-room [data-pick={name}]").input_value() == "0"
    status = page.locator(".training-standing [role=status]")
    expect(status).to_contain_text("400 of 800")
    expect(status).to_contain_text("20 updates per second")

    page.reload()  # the training goes on without the page
    page.wait_for_selector("[data-live=shown] option[value=run-1]", state="attached")
    page.select_option("[data-live=shown]", "run-1")
    page.locator("[data-live=pause]").click()
    page.locator("[data-live=go_on]").wait_for()
    assert "Paused after 400" in status.inner_text()

    page.select_option("[data-live=beside]", "model reverse-no-positions")
    named = stage.drawn("drawn.in_room.curves")["in_room"]["curves"]
    assert "norm after" in named and "reverse-no-positions" in named

    name = page.locator(".training-keep input")
    name.fill("reverse-tiny")
    name.press("Enter")
    taken = WORDS["en"]["error_training_taken"].replace("{name}", "reverse-tiny")
    page.get_by_text(taken).wait_for()
    name.fill("mine")
    name.press("Enter")
    page.get_by_text(WORDS["en"]["trains_kept"].replace("{name}", "mine")).wait_for()
    expect(page.get_by_text(taken)).to_have_count(0)
    page.locator("select.model").select_option("mine")
    stage.drawn("drawn.recipe?.model === 'mine'")
    page.locator("[data-live=remove]").click()
    page.wait_for_selector("[data-live=shown] option[value=run-1]", state="detached")
