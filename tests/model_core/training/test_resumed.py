"""A training goes on where it was."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointBroken, ConfigError
from model_core.training.loop import train
from model_core.training.run import training_folder
from tests.tiny_training import Whole, losses, tiny, write_words


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_words(tmp_path / "words")


def killed(place: Path, data: Path, autosave: float, last: int) -> list[tuple[int, float, float]]:
    """The losses of a training that `kill -9` ends after an update.

    It leaves what is on the disk at this moment: nothing that is still to be written or put away.
    """
    steps = train(tiny(), place / "model", data, autosave_seconds=autosave)
    said = losses(next(steps) for _ in range(last))
    on_disk = shutil.copytree(place, place.with_suffix(".killed"))
    steps.close()
    shutil.rmtree(place)
    on_disk.rename(place)
    return said


# Between how many seconds it is saved besides at each validation, after which update it is killed,
# and with which it goes on.
@pytest.mark.parametrize(("autosave", "last", "resumed"), [(1e9, 7, 5), (0.0, 6, 7)])
def test_after_kill_9_the_losses_are_the_same_to_the_last_bit(
    tmp_path: Path, data: Path, whole: Whole, autosave: float, last: int, resumed: int
) -> None:
    place = tmp_path / "killed"
    place.mkdir()
    assert killed(place, data, autosave, last) == whole[1][:last]
    after = losses(train(tiny(), place / "model", data))
    assert after[0][0] == resumed
    assert after == whole[1][resumed - 1 :]
    weights = open_checkpoint(whole[0]).model.state_dict()
    found = open_checkpoint(place / "model").model.state_dict()
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
