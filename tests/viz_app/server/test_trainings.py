"""Trainings that the page begins: the closed list, one at a time, who may, and what is kept."""

import json
import os
import signal
import sys
import time

import pytest

from model_core.checkpoints.store import open_checkpoint
from model_core.errors import RecipeError
from model_core.training.commands.train import add_arguments, chosen_preset
from model_core.values.anatomy import anatomy_of
from tests.refusals import refusal
from tests.tiny import tiny_checkpoint
from viz_app.server.bringing import FROM_HERE
from viz_app.server.document import page_options
from viz_app.server.service import Service
from viz_app.server.trainings.runs import FOLDER, MOST_RUNS, Runs
from viz_app.server.trainings.settings import CHOICES, TrainingSettings, offered
from viz_app.text import WORDS

# A program that takes what `train` takes, notes nothing, and goes on until it is stopped.
WAITS = """
import json, pathlib, signal, sys, time
words = sys.argv
folder = pathlib.Path(words[words.index("--progress") + 1])
signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
(folder / "progress.json").write_text(json.dumps(
    {"update": 200, "updates": 800, "loss": 1.5, "per_second": 10.0}))
time.sleep(60)
"""


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Trainings that a small program stands for."""
    import viz_app.server.trainings.process as process

    popen = process.subprocess.Popen

    def started(words, **more):
        return popen([sys.executable, "-c", WAITS, *words[3:]], **more)

    monkeypatch.setattr(process.subprocess, "Popen", started)
    tiny_checkpoint(tmp_path / "tiny")
    made = Runs(tmp_path)
    yield made
    made.close()


def until(runs, is_so):
    """What is listed of the only run, once that is so."""
    for _ in range(2400):
        (run,) = runs.answer({"do": "list"})["runs"]
        if is_so(run):
            return run
        time.sleep(0.05)
    raise AssertionError(run)


@pytest.mark.parametrize("name", CHOICES)
def test_each_choice_makes_a_training_that_the_command_line_reads(name, tmp_path):
    import argparse

    parser = argparse.ArgumentParser()
    add_arguments(parser)
    for choice in CHOICES[name]:
        settings = TrainingSettings.from_json({name: choice, "seed": 7})
        (_, *words) = settings.words(tmp_path, tmp_path / "model")
        preset = chosen_preset(parser.parse_args(words))
        assert anatomy_of(preset.model).sites == settings.sites
        assert preset.train.updates == settings.updates and preset.train.seed == 7
        assert preset.model.final_norm == (preset.model.norm_place == "pre")
        got = {
            "preset": choice,
            "norm": preset.model.norm_place,
            "scaled": preset.model.similarity == "scaled_dot",
            "warmup": preset.train.warmup_from < 1,
            "heads": preset.model.decoder_heads,
            "leak": preset.train.broken_causal_mask == "ahead",
        }
        assert got[name] == choice


def test_settings_outside_of_the_list_are_named_errors(runs):
    for settings in (
        None,
        [],
        {"preset": "en-fr"},
        {"preset": "../../etc"},
        {"preset": ["reverse-tiny"]},
        {"norm": "pre --out /tmp/x"},
        {"heads": True},
        {"heads": 2},
        {"heads": 1.0},
        {"scaled": 1},
        {"leak": "ahead"},
        {"seed": 0},
        {"seed": 10**9},
        {"seed": "1"},
        {"seed": True},
        {"updates": 10},
        {"out": "/tmp/x"},
        {"\ud800": 1},
    ):
        str(refusal(runs.answer, {"do": "start", "settings": settings})).encode()
    assert runs.answer({"do": "list"})["runs"] == []


def test_requests_that_name_nothing_there_are_refused(runs, tmp_path):
    for request in (
        None,
        "list",
        {},
        {"do": "delete"},
        {"do": ["list"]},
        {"do": "pause", "run": "../tiny"},
        {"do": "remove", "run": "tiny"},
        {"do": "remove", "run": None},
        {"do": "keep", "run": "run-1", "name": "x"},
        {"do": "look", "run": "run-99999"},
    ):
        refusal(runs.answer, request)
    assert (tmp_path / "tiny" / "config.json").exists()


def test_a_training_is_begun_paused_and_gone_on_with(runs, tmp_path):
    assert runs.answer({"do": "start", "settings": {"seed": 3}})["run"] == "run-1"
    run = until(runs, lambda one: one["update"] == 200)
    assert run["state"] == "running" and run["seconds_left"] == 60 and not run["can_keep"]
    with pytest.raises(RecipeError) as second:
        runs.answer({"do": "start", "settings": {}})
    assert second.value.code == "training_one"
    # Another server of the same folder sees it, begins none beside it, and may pause it.
    other = Runs(tmp_path)
    assert other.answer({"do": "list"})["runs"][0]["state"] == "running"
    with pytest.raises(RecipeError):
        other.answer({"do": "start", "settings": {}})
    (paused,) = other.answer({"do": "pause", "run": "run-1"})["runs"]
    assert paused["state"] == "paused" and paused["settings"]["seed"] == 3
    runs.answer({"do": "go_on", "run": "run-1"})
    until(runs, lambda one: one["state"] == "running")
    assert runs.answer({"do": "remove", "run": "run-1"})["runs"] == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals of POSIX")
def test_one_whose_settings_another_version_wrote_hides_no_other(tmp_path):
    for name, settings in (("run-1", {"colour": 1}), ("run-2", {}), ("run-3", {"preset": "gone"})):
        (tmp_path / FOLDER / name).mkdir(parents=True)
        (tmp_path / FOLDER / name / "settings.json").write_text(json.dumps(settings))
    assert [one["name"] for one in Runs(tmp_path).answer({"do": "list"})["runs"]] == ["run-2"]


def test_those_whose_settings_another_version_wrote_leave_room_for_new_ones(runs, tmp_path):
    for number in range(1, MOST_RUNS + 1):
        (tmp_path / FOLDER / f"run-{number}").mkdir(parents=True)
        (tmp_path / FOLDER / f"run-{number}" / "settings.json").write_text('{"colour": 1}')
    assert runs.answer({"do": "start", "settings": {}})["run"] == f"run-{MOST_RUNS + 1}"


def test_one_that_is_killed_is_paused_and_frees_its_place(runs, tmp_path):
    runs.answer({"do": "start", "settings": {}})
    until(runs, lambda one: one["update"] == 200)
    pid = json.loads((tmp_path / FOLDER / "running.json").read_text())["pid"]
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
    os.kill(pid, signal.SIGKILL)
    until(runs, lambda one: one["state"] == "paused")
    runs.answer({"do": "go_on", "run": "run-1"})
    until(runs, lambda one: one["state"] == "running")


def test_what_the_command_finds_wrong_is_said(runs, tmp_path):
    runs.answer({"do": "start", "settings": {}})
    runs.answer({"do": "pause", "run": "run-1"})
    (tmp_path / FOLDER / "run-1" / "log.txt").write_text("...\nerror: The loss is nan.\n")
    (run,) = runs.answer({"do": "list"})["runs"]
    assert (run["state"], run["why"]) == ("failed", "The loss is nan.")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (None, "training_name"),
        ("", "training_name"),
        ("../x", "training_name"),
        ("a/b", "training_name"),
        (".hidden", "training_name"),
        ("x" * 41, "training_name"),
        ("name.training", "training_name"),
        ("nul", "training_name"),
        ("ok\n", "training_name"),
        ("tiny", "training_taken"),
        ("TINY", "training_taken"),
        ("fine", "training_early"),
    ],
)
def test_a_result_is_kept_only_under_a_name_that_is_free(name, code, runs, tmp_path):
    runs.answer({"do": "start", "settings": {}})
    runs.answer({"do": "pause", "run": "run-1"})
    with pytest.raises(RecipeError) as refused:
        runs.answer({"do": "keep", "run": "run-1", "name": name})
    assert refused.value.code == code
    assert {one.name for one in tmp_path.iterdir()} == {"tiny", FOLDER}


def test_only_a_page_of_this_computer_trains(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    asked = {"training": {"do": "list"}}
    local, hosted = Service(tmp_path, opens_paths=True), Service(tmp_path)
    assert page_options(local)["trains"] == offered()
    assert page_options(hosted)["trains"] is None
    assert local.answer(asked)["error"]["code"] == "training_here"  # through a proxy
    token = FROM_HERE.set(True)
    try:
        assert local.answer(asked) == {"training": {"runs": []}}
        assert hosted.answer(asked)["error"]["code"] == "training_here"
    finally:
        FROM_HERE.reset(token)
    assert not (tmp_path / FOLDER).exists()


def test_a_run_is_trained_looked_at_and_kept(tmp_path, here, monkeypatch):
    """The real command, of few strings and updates."""
    shorter = ["--strings", "2000", "--updates", "40", "--validate-every", "4"]
    words = TrainingSettings.words
    monkeypatch.setattr(
        TrainingSettings, "words", lambda self, *where: words(self, *where) + shorter
    )
    monkeypatch.setattr("viz_app.server.trainings.process._NICE", 1)
    tiny_checkpoint(tmp_path / "tiny")
    service = Service(tmp_path, opens_paths=True)
    runs = service.runs
    try:
        service.answer({"training": {"do": "start", "settings": {"heads": 4, "leak": True}}})
        until(runs, lambda one: one["noted"] and one["can_keep"])
        runs.answer({"do": "pause", "run": "run-1"})
        look = {"do": "look", "run": "run-1", "site": "cross", "layer": 7, "head": 2}
        looked = service.answer({"training": look})["training"]["looked"]
        assert looked["place"] == {"site": "cross", "layer": 0, "head": 2}
        assert looked["noted"]["broken"] == "ahead" and looked["noted"]["updates"][0] == 0
        kept = service.answer({"training": {"do": "keep", "run": "run-1", "name": "mine"}})
        assert kept["training"]["kept"] == "mine"
        assert kept["training"]["runs"][0]["kept"] == "mine"
        entry = next(one for one in service.models if one["name"] == "mine")
        assert entry["group"] == "" and "training" not in entry["lacking"]
        mine = open_checkpoint(tmp_path / "mine")
        assert "--out checkpoints/mine " in mine.training.command
        assert mine.heads.fingerprint == mine.fingerprint
        assert mine.card.startswith("# mine\n") and "checkpoints/model" not in mine.card
        assert str(tmp_path) not in (tmp_path / "mine" / "config.json").read_text()
    finally:
        service.close()
    assert runs.answer({"do": "list"})["runs"][0]["state"] == "paused"


def test_every_refusal_has_words_in_both_languages():
    codes = ("here", "one", "many", "none", "early", "name", "taken", "folder")
    assert all(WORDS[language][f"error_training_{code}"] for code in codes for language in WORDS)
