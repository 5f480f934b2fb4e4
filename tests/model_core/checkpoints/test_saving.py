"""Saving beside other folders, and opening while a save goes on."""

import hashlib
import json
import shutil

import pytest
import torch

from model_core.checkpoints import store
from model_core.checkpoints.folder import fingerprint
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointBroken, CheckpointError
from tests.model_core.checkpoints.test_store import change_tensors, save
from tests.tiny import tiny_model


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_saving_leaves_the_neighbours_alone(tmp_path):
    for name in ("tiny.old", "tiny.new", "notes"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.txt").write_text("mine")
    save(tmp_path / "other", tiny_model())
    shutil.copytree(tmp_path / "other", tmp_path / "tiny.old", dirs_exist_ok=True)
    before = {path.name: files_of(path) for path in tmp_path.iterdir()}
    for _ in range(2):
        save(tmp_path / "tiny", tiny_model())
    after = {path.name: files_of(path) for path in tmp_path.iterdir()}
    assert after.pop("tiny") and after == before


@pytest.mark.parametrize("name", ["fr.training", ".fr"])
def test_a_reserved_name_is_refused_by_name(tmp_path, name):
    with pytest.raises(CheckpointError, match=f"cannot be called '{name}'"):
        save(tmp_path / name, tiny_model())
    assert not list(tmp_path.iterdir())


def test_a_folder_of_somebodys_own_in_the_place_of_a_saves_is_kept(tmp_path):
    (tmp_path / ".tiny.saving").mkdir()
    (tmp_path / ".tiny.saving" / "mine.txt").write_text("mine")
    with pytest.raises(CheckpointError, match=r"needs the folder .*\.tiny\.saving"):
        save(tmp_path / "tiny", tiny_model())
    assert files_of(tmp_path / ".tiny.saving") == {"mine.txt": b"mine"}


# While it is opened


def replaced_meanwhile(monkeypatch, replace, times=1):
    """Call `replace` whenever the tokenizer of a checkpoint is to be read, so many times."""
    real, left = store.read_text_of, [times]

    def reading(path, *limit):
        if path.name == "tokenizer.json" and left[0]:
            left[0] -= 1
            replace()
        return real(path, *limit)

    monkeypatch.setattr(store, "read_text_of", reading)


def test_a_checkpoint_that_is_replaced_while_it_is_opened_is_the_new_one(tmp_path, monkeypatch):
    soft, hard = tiny_model(1), tiny_model(2, attention="hard")
    save(tmp_path / "tiny", soft, card="old")
    save(tmp_path / "later", hard, card="new")

    def replace():
        (tmp_path / "tiny").rename(tmp_path / "gone")
        (tmp_path / "later").rename(tmp_path / "tiny")
        shutil.rmtree(tmp_path / "gone")

    replaced_meanwhile(monkeypatch, replace)
    opened = open_checkpoint(tmp_path / "tiny")
    assert (opened.card, opened.config.attention) == ("new", "hard")
    for name, tensor in opened.model.state_dict().items():
        assert torch.equal(tensor, hard.state_dict()[name])


def test_a_card_that_is_written_while_a_checkpoint_is_opened_is_read(tmp_path, monkeypatch):
    save(tmp_path / "tiny", tiny_model(), card="old")
    config = (tmp_path / "tiny" / "config.json").read_text()

    def replace():
        for name, text in (
            ("config.json", config.replace('"update": 3', '"update": 4')),
            ("card.md", "new"),
        ):
            (tmp_path / "tiny" / f"{name}.part").write_text(text)
            (tmp_path / "tiny" / f"{name}.part").rename(tmp_path / "tiny" / name)

    replaced_meanwhile(monkeypatch, replace)
    opened = open_checkpoint(tmp_path / "tiny")
    assert (opened.card, opened.training.update) == ("new", 4)


def test_a_checkpoint_that_is_replaced_for_ever_is_given_up_by_name(tmp_path, monkeypatch):
    save(tmp_path / "tiny", tiny_model())
    replaced_meanwhile(monkeypatch, lambda: save(tmp_path / "tiny", tiny_model()), times=1000)
    with pytest.raises(CheckpointError, match="tiny is being replaced again and again"):
        open_checkpoint(tmp_path / "tiny")


# Numbers


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -1e30])
def test_weights_that_are_no_numbers_are_neither_saved_nor_opened(tmp_path, number):
    save(tmp_path / "tiny", tiny_model(), card="old")
    broken = tiny_model()
    with torch.no_grad():
        broken.logits.weight[3, 4] = number
    with pytest.raises(CheckpointError, match=r"logits\.weight has a weight that is not a finite"):
        save(tmp_path / "tiny", broken)
    assert open_checkpoint(tmp_path / "tiny").card == "old"
    change_tensors(tmp_path / "tiny", lambda t: t["logits.weight"][3].fill_(number))
    with pytest.raises(CheckpointBroken, match=r"logits\.weight has weights that are not finite"):
        open_checkpoint(tmp_path / "tiny")


def test_weights_too_large_for_half_precision_are_stored_whole(tmp_path):
    model = tiny_model()
    with torch.no_grad():
        model.logits.weight[3, 4] = 70_000
    save(tmp_path / "tiny", model, precision="float16")
    opened = open_checkpoint(tmp_path / "tiny").model.state_dict()
    for name, tensor in model.state_dict().items():
        assert torch.equal(opened[name], tensor)


@pytest.mark.parametrize("dtype", [torch.int32, torch.float8_e4m3fn, torch.bool])
def test_weights_of_another_type_are_named(tmp_path, dtype):
    save(tmp_path / "tiny", tiny_model())
    change_tensors(
        tmp_path / "tiny", lambda t: t.update({"logits.weight": t["logits.weight"].to(dtype)})
    )
    with pytest.raises(CheckpointBroken, match=r"logits\.weight is of type torch\."):
        open_checkpoint(tmp_path / "tiny")


# The checksum


def test_the_checksum_of_the_weights_is_kept_and_one_flipped_bit_is_found(tmp_path):
    folder = tmp_path / "tiny"
    save(folder, tiny_model())
    content = bytearray((folder / "model.safetensors").read_bytes())
    digest = hashlib.sha256(content).hexdigest()
    assert json.loads((folder / "config.json").read_text())["weights_sha256"] == digest
    assert fingerprint(folder) == digest[:8]
    content[-5] ^= 1
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(CheckpointBroken, match=r"model\.safetensors is truncated or damaged"):
        open_checkpoint(folder)
