from pathlib import Path

import pytest

from model_core.checkpoints.imports.importing import import_checkpoint
from model_core.decoding.library import Library
from model_core.errors import CheckpointBroken, CheckpointMissing
from model_core.folders import CHECKPOINTS
from model_core.models.bringing import bring
from model_core.values.importing import Hints
from model_core.values.recipe import Recipe
from tests.model_core.checkpoints.imports.test_importing import saved
from tests.tiny import tiny_checkpoint


def test_a_file_that_is_brought_is_the_checkpoint_that_importing_it_would_write(tmp_path):
    path = saved(tmp_path)
    brought = bring(path, hints=Hints(heads=2))
    written = import_checkpoint(path, tmp_path / "theirs", hints=Hints(heads=2))
    assert (brought.name, brought.fingerprint) == ("theirs", written.fingerprint)
    assert brought.config == written.config and "source_start" in brought.anatomy.unusual
    library = Library(tmp_path / "none")
    library.add(brought.name, lambda: brought)
    _, decoding = library.extend(Recipe("theirs", "4 5 6"), None)
    assert decoding.finished is not None and library.names() == ["theirs"]


def test_a_folder_keeps_its_name_unless_it_is_taken(tmp_path):
    tiny_checkpoint(tmp_path / "my tiny")
    assert bring(tmp_path / "my tiny").name == "my-tiny"
    taken = ["my-tiny", "my-tiny-2"]
    assert bring(tmp_path / "my tiny", taken).name == "my-tiny-3"


def test_a_snapshot_is_brought_by_the_name_that_it_has_elsewhere():
    found = bring(CHECKPOINTS / "reverse-sinusoidal@50")
    assert found.name == "reverse-sinusoidal-50" and found.training.update == 50
    with pytest.raises(CheckpointMissing, match="51"):
        bring(CHECKPOINTS / "reverse-sinusoidal@51")


def test_what_cannot_be_opened_is_named(tmp_path):
    with pytest.raises(CheckpointMissing, match="nothing at"):
        bring(tmp_path / "none")
    with pytest.raises(CheckpointMissing, match=r"no config\.json"):
        bring(tmp_path)
    (tmp_path / "a.pt").write_bytes(b"junk")
    with pytest.raises(CheckpointBroken, match="not a file that torch saved"):
        bring(Path(tmp_path / "a.pt"))
    for name, remedy in (
        ("words.json", "beside the file of the weights"),
        ("a.npz", "viz_app open"),
    ):
        (tmp_path / name).write_text('{"a": 0}')
        with pytest.raises(CheckpointBroken, match=remedy):
            bring(tmp_path / name)


def test_a_file_of_a_checkpoint_opens_its_folder(tmp_path):
    tiny_checkpoint(tmp_path / "mine")
    assert bring(tmp_path / "mine" / "model.safetensors").name == "mine"
    whole = (tmp_path / "mine" / "model.safetensors").read_bytes()
    (tmp_path / "mine" / "model.safetensors").write_bytes(whole[:500])
    with pytest.raises(CheckpointBroken, match=r"model\.safetensors is truncated .* once more\."):
        bring(tmp_path / "mine" / "model.safetensors")
