"""How far a training is, for a program that looks on."""

import json
from pathlib import Path

import pytest

from model_core.checkpoints.history import PROGRESS, read_history
from model_core.training.loop import train
from model_core.training.watching.folder import FolderWatcher
from model_core.values.anatomy import anatomy_of
from tests.tiny_training import tiny


def test_the_folder_says_how_far_it_is_and_holds_the_notes_so_far(tmp_path: Path) -> None:
    preset, looked = tiny("reverse", strings=500, updates=4), tmp_path / "looked"
    looked.mkdir()
    now = [0.0]
    watcher = FolderWatcher(looked, lambda: now[0])
    steps = train(preset, tmp_path / "model", noted=(1, 3, 4))
    for _ in range(3):
        progress = next(steps)
        watcher.see(progress)
        now[0] += 2.0
    said = json.loads((looked / PROGRESS).read_text())
    assert said["update"] == 3 and said["updates"] == 4
    assert said["loss"] == progress.nats
    assert said["per_second"] == pytest.approx(0.5)
    sites = anatomy_of(preset.model).sites
    history = read_history(looked, "looked", sites, "")
    assert list(history.updates_N) == [0, 1, 3]
    for progress in steps:
        watcher.see(progress)
    assert list(read_history(looked, "looked", sites, "").updates_N) == [0, 1, 3, 4]
