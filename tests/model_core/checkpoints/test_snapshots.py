"""Snapshots of a training: models of their own names beside the checkpoint, each checked."""

import json
from pathlib import Path

import pytest
import torch

from model_core.__main__ import main as info
from model_core.checkpoints.folder import list_checkpoints, read_config
from model_core.checkpoints.snapshots import check_size, find_folder, wanted_updates
from model_core.checkpoints.store import open_checkpoint, save_checkpoint, weights_file
from model_core.checkpoints.training import MOST_SNAPSHOTS
from model_core.decoding.library import Library
from model_core.errors import CheckpointBroken, CheckpointMissing, ConfigError
from model_core.values.recipe import Recipe
from tests.tiny import tiny_checkpoint, tiny_model, trained_checkpoint
from viz_app.commands.export import run as export
from viz_app.files.notebook import show
from viz_app.menu.catalogue import models_of
from viz_app.server.service import Service


@pytest.fixture
def root(tmp_path):
    """A checkpoint with the weights of two other models as its snapshots."""
    folder = tmp_path / "tiny"
    made = trained_checkpoint(folder)
    size = made.source_tokenizer.size
    earlier = {
        update: weights_file(
            folder, tiny_model(update, source_vocabulary=size, target_vocabulary=size), "float16"
        )
        for update in (2, 1)
    }
    save_checkpoint(
        folder, made.model, *made.tokenizers, made.training, made.card, snapshots=earlier
    )
    return tmp_path


def test_a_snapshot_is_a_model_of_its_own_name_with_its_own_weights(root):
    library, whole = Library(root), open_checkpoint(root / "tiny")
    assert library.names() == list_checkpoints(root) == ["tiny"]
    found = open_checkpoint(root / "tiny@2")
    other = tiny_model(2, source_vocabulary=whole.config.source_vocabulary,
                       target_vocabulary=whole.config.target_vocabulary)  # fmt: skip
    for name, tensor in other.state_dict().items():
        assert torch.equal(found.model.state_dict()[name], tensor.half().float()), name
    assert found.name == "tiny@2" and found.training.update == 2
    assert found.training.evaluation is None  # what was measured of the last is not of this one
    said = {one["name"]: one for one in models_of(root)[0]}
    assert list(said) == ["tiny", "tiny@1", "tiny@2"]
    assert said["tiny@2"]["of"] == "tiny" and said["tiny"]["of"] is None
    prints = [library.tracer(name).model.fingerprint for name in said]
    assert prints == [one["fingerprint"] for one in said.values()] and len(set(prints)) == 3
    assert library.comparable("tiny@1") == ("tiny", "tiny@2")
    assert library.extend(Recipe("tiny@1", "cat"), 2)[0].model == "tiny@1"


def test_a_model_is_compared_with_itself_earlier_head_by_head(root):
    service = Service(root)
    recipe = {"model": "tiny", "source": "cat", "target": []}
    view = {"site": "decoder", "layer": 2, "head": 1}
    answer = service.answer({"room": "compare", "recipe": recipe} | view)
    assert [run["recipe"]["model"] for run in answer["runs"]] == ["tiny", "tiny@1"]
    assert [(place["layer"], place["head"]) for place in answer["places"]] == [(2, 1), (2, 1)]
    heads = service.answer({"room": "heads", "recipe": recipe | {"model": "tiny@1"}})
    assert heads["measured"] is None and heads["why"]["code"] == "heads_snapshot"


def test_an_update_that_is_not_kept_is_named_with_those_that_are(root):
    with pytest.raises(CheckpointMissing, match=r"update 3.*keeps those of: 1, 2"):
        open_checkpoint(root / "tiny@3")
    with pytest.raises(CheckpointMissing, match="there are: tiny"):
        Library(root).tracer("other@1")


def test_a_snapshot_is_named_by_its_path_too(root, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(root.parent)
    path = f"{root.name}/tiny@2"
    assert show(path, "The old cat.").recipe.model == "tiny@2"
    assert info(["info", "--model", path]) == 0 and "tiny@2: " in capsys.readouterr().out
    assert info(["heads", path]) == 1 and "tiny@2 is a snapshot" in capsys.readouterr().err
    out = tmp_path / "cat.json"
    assert export(["--model", path, "--text", "The old cat.", "-o", str(out)], tmp_path) == 0
    assert json.loads(out.read_text())["recipe"]["model"] == "tiny@2"


def test_a_model_of_transformers_has_no_snapshots(root):
    (root / "other").mkdir()
    (root / "other" / "config.json").write_text('{"model_type": "marian"}')
    with pytest.raises(CheckpointMissing, match="There is no model 'other@2'"):
        Library(root).tracer("other@2")


def test_a_snapshot_of_other_weights_than_listed_is_refused_and_the_checkpoint_opens(root):
    path = root / "tiny" / "update-1.safetensors"
    path.write_bytes((root / "tiny" / "update-2.safetensors").read_bytes())
    with pytest.raises(CheckpointBroken, match=r"update-1\.safetensors is truncated or damaged"):
        open_checkpoint(root / "tiny@1")
    path.unlink()
    assert open_checkpoint(root / "tiny").training.update == 3


@pytest.mark.parametrize(
    "wrong", [["a"], {"1": "0"}, {"../1": "0" * 64}, {str(n + 1): "0" * 64 for n in range(25)}]
)
def test_a_list_of_snapshots_that_is_none_is_refused(root, wrong):
    path = root / "tiny" / "config.json"
    values = json.loads(path.read_text())
    values["training"]["snapshots"] = wrong
    path.write_text(json.dumps(values))
    with pytest.raises(CheckpointBroken, match="snapshots"):
        read_config(root / "tiny")


def test_which_updates_are_kept_is_said_in_two_ways_and_bounded():
    assert wanted_updates("400,100", 800) == (100, 400)
    assert wanted_updates("every:200", 800) == (200, 400, 600)
    for text, match in (
        ("100,", "must name updates"),
        ("800", "ends with 800"),
        ("every:800", "ends with 800"),
        ("every:1", f"more than {MOST_SNAPSHOTS}"),
    ):
        with pytest.raises(ConfigError, match=match):
            wanted_updates(text, 800)
    with pytest.raises(ConfigError, match=r"keeps 24 files of 13\.6 MB, 326 MB together"):
        check_size(24, 6_800_000)


def test_a_name_is_that_of_a_model_under_the_root_and_anything_else_a_path(tmp_path, monkeypatch):
    tiny_checkpoint(tmp_path / "root" / "ours")
    for name in ("ours", "mine"):
        tiny_checkpoint(tmp_path / "here" / name)
    monkeypatch.chdir(tmp_path / "here")
    root = tmp_path / "root"
    assert find_folder("ours", root) == root / "ours"
    assert find_folder("ours@400", root) == root / "ours@400"
    assert find_folder("nowhere", root) == root / "nowhere"
    for path in ("mine", "./../here/ours", "..", str(tmp_path / "here" / "ours")):
        assert find_folder(path, root) == Path(path)
