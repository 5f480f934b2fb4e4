"""A training goes on where it was."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import model_core
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointBroken, ConfigError
from model_core.training.loop import train
from model_core.training.run import training_folder
from tests.tiny_training import Whole, losses, tiny, write_words


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_words(tmp_path / "words")


# Where a training is saved, between how many seconds besides at each validation, after which
# update it is killed, and with which it goes on.
KILLS = [("at validations", 1e9, 7, 5), ("each time", 0.0, 6, 7)]
# A process of its own for each, which has imported everything already.
KILLED = """
import os, signal, sys
from pathlib import Path
import torch
from model_core.training.loop import train
from tests.tiny_training import tiny

torch.set_num_threads(1)
for out, autosave, kill, _ in {kills!r}:
    if (child := os.fork()) == 0:
        for progress in train(tiny(), Path(out), Path({data!r}), autosave_seconds=autosave):
            print(out, progress.update, progress.loss.hex(), sep="\\t", flush=True)
            if progress.update == kill:
                os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
"""


def test_after_kill_9_the_losses_are_the_same_to_the_last_bit(
    tmp_path: Path,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    whole: Whole,
) -> None:
    monkeypatch.chdir(tmp_path)
    folder, of_whole = whole
    killed = subprocess.run(
        [sys.executable, "-c", KILLED.format(kills=KILLS, data=str(data))],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(model_core.__file__).parent.parent)},
    )
    assert killed.returncode == 0, killed.stderr
    weights = open_checkpoint(folder).model.state_dict()
    for out, _, kill, resumed in KILLS:
        said = [line.split("\t")[1:] for line in killed.stdout.splitlines() if out in line]
        before = [(int(update), float.fromhex(loss)) for update, loss in said]
        after = losses(train(tiny(), tmp_path / out, data))
        assert after[0][0] == resumed
        assert before == [(update, loss) for update, loss, _ in of_whole[:kill]]
        assert after == of_whole[resumed - 1 :]
        found = open_checkpoint(tmp_path / out).model.state_dict()
        assert all(torch.equal(weights[name], found[name]) for name in weights)


def test_a_stopped_training_goes_on_with_the_next_update(
    tmp_path: Path, data: Path, whole: Whole
) -> None:
    steps = train(tiny(), tmp_path / "model", data)
    first = [next(steps) for _ in range(6)]
    steps.close()
    rest = losses(train(tiny(), tmp_path / "model", data))
    assert losses(iter(first)) + rest == whole[1]


def test_a_finished_training_has_nothing_left_to_do_until_updates_are_raised(
    tmp_path: Path, data: Path, whole: Whole
) -> None:
    for name in ("model", "model.training"):
        shutil.copytree(whole[0].with_name(name), tmp_path / name)
    assert list(train(tiny(), tmp_path / "model", data)) == []
    more = [p.update for p in train(tiny(updates=14), tmp_path / "model", data)]
    assert more == [13, 14]


def test_other_settings_are_refused_by_name(tmp_path: Path, data: Path) -> None:
    list(train(tiny(updates=4), tmp_path / "model", data))
    with pytest.raises(ConfigError, match=r"warmup was 5 and is now 6.*another --out"):
        next(train(tiny(warmup=6), tmp_path / "model", data))


def test_a_training_that_says_less_than_is_asked_now_is_refused(tmp_path: Path, data: Path) -> None:
    list(train(tiny(updates=4), tmp_path / "model", data))
    state = training_folder(tmp_path / "model") / "state.json"
    position = json.loads(state.read_text())
    del position["settings"]["consistency"]
    state.write_text(json.dumps(position))
    with pytest.raises(ConfigError, match=r"consistency was None and is now 0\.0"):
        next(train(tiny(), tmp_path / "model", data))


def test_other_sentences_are_refused(tmp_path: Path, data: Path) -> None:
    list(train(tiny(updates=4), tmp_path / "model", data))
    with (data / "train.tsv").open("a") as file:
        file.write("new\tneuf\n")
    with pytest.raises(ConfigError, match="data_sha256"):
        next(train(tiny(), tmp_path / "model", data))


def test_a_broken_state_says_which_folder_to_remove(tmp_path: Path, data: Path) -> None:
    list(train(tiny(updates=4), tmp_path / "model", data))
    folder = training_folder(tmp_path / "model")
    state = folder / "state.json"
    text = state.read_text()
    state.write_text(text[:20])
    with pytest.raises(CheckpointBroken, match=r"Remove .*model\.training"):
        next(train(tiny(), tmp_path / "model", data))
    state.write_text(json.dumps(json.loads(text) | {"settings": []}))
    with pytest.raises(CheckpointBroken, match=r"Remove .*model\.training"):
        next(train(tiny(), tmp_path / "model", data))
    state.write_text(text)
    tokenizer = (folder / "tokenizer.json").read_bytes()
    (folder / "tokenizer.json").unlink()
    with pytest.raises(CheckpointBroken, match=r"tokenizer\.json cannot be read"):
        next(train(tiny(), tmp_path / "model", data))
    (folder / "tokenizer.json").write_bytes(tokenizer)
    (folder / "state-4.safetensors").write_bytes(b"short")
    with pytest.raises(CheckpointBroken, match=r"Remove .*model\.training"):
        next(train(tiny(), tmp_path / "model", data))


def test_the_folder_holds_no_more_than_one_state_and_the_weights_of_the_average(
    tmp_path: Path, data: Path
) -> None:
    list(train(tiny(), tmp_path / "model", data, autosave_seconds=0.0))
    kept = sorted(path.name for path in training_folder(tmp_path / "model").iterdir())
    assert kept == [
        "state-12.safetensors",
        "state.json",
        "tokenizer.json",
        "weights-12.safetensors",
        "weights-8.safetensors",
    ]


def test_a_training_begins_with_the_weights_of_a_checkpoint(tmp_path: Path, data: Path) -> None:
    losses(train(tiny(), tmp_path / "first", data, command="COMMAND"))
    first = open_checkpoint(tmp_path / "first")
    more = tiny(updates=4, learning_rate=1e-9, seed=5)
    steps = train(more, tmp_path / "more", data, begin=first)
    assert [next(steps).update, next(steps).update] == [1, 2]
    steps.close()
    assert len(losses(train(more, tmp_path / "more", data, begin=first))) == 2
    second = open_checkpoint(tmp_path / "more")
    for name, value in first.model.state_dict().items():
        assert torch.allclose(second.model.state_dict()[name], value, atol=1e-3), name
    assert second.source_tokenizer.to_json() == first.source_tokenizer.to_json()
    begun = second.training.begun
    assert (begun.name, begun.fingerprint, begun.updates) == ("first", first.fingerprint, 12)
    assert "from the weights of an earlier `first`" in second.card and "    COMMAND" in second.card
    with pytest.raises(ConfigError, match=r"begin was '.*' and is now ''"):
        next(train(more, tmp_path / "more", data))
    wider = replace(tiny(), model=replace(tiny().model, feed_forward_width=64))
    with pytest.raises(ConfigError, match="feed_forward_width is 64, and that of first"):
        next(train(wider, tmp_path / "wider", data, begin=first))
