"""history.safetensors: what is written is read, and a file from elsewhere is refused by name."""

import dataclasses
import itertools
import json

import numpy as np
import pytest
import safetensors.numpy

from model_core.checkpoints.history import HISTORY, read_history, write_history
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing
from model_core.models.own import OwnModel
from model_core.values.history import noted_updates
from tests.tiny import made_up_history, tiny_checkpoint


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("history") / "tiny"
    model = OwnModel(tiny_checkpoint(folder))
    history = made_up_history(model)
    return folder, model, history, write_history(folder, history).read_bytes()


def changed(place, arrays=None, **facts):
    """The file with other arrays or facts in it."""
    folder, _, _, content = place
    tensors = {**safetensors.numpy.load(content), **(arrays or {})}
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    said = json.loads(header["__metadata__"]["history"]) | facts
    kept = {name: array for name, array in tensors.items() if array is not None}
    (folder / HISTORY).write_bytes(
        safetensors.numpy.save(kept, {"history": json.dumps(said, allow_nan=False)})
    )


def read(place):
    folder, model, _, _ = place
    return read_history(folder, "tiny", model.anatomy.sites, model.fingerprint)


def test_what_is_written_is_read_and_opens_with_the_model(place):
    folder, _, history, _ = place
    write_history(folder, history)
    for found in (read(place), OwnModel(open_checkpoint(folder)).history):
        for name in ("fingerprint", "score", "broken", "sentences"):
            assert getattr(found, name) == getattr(history, name)
        for name in ("updates_N", "learnt_N", "rate_N", "loss_N", "score_N", "copied_NLH"):
            np.testing.assert_array_equal(getattr(found, name), getattr(history, name))
        for site, entropy_NLH in history.entropy_NLH.items():
            np.testing.assert_array_equal(found.entropy_NLH[site], entropy_NLH)
            np.testing.assert_array_equal(found.weights[site][0], history.weights[site][0])


def test_a_history_of_other_weights_is_refused_by_name_and_so_is_none(place, tmp_path):
    folder, model, history, _ = place
    write_history(folder, dataclasses.replace(history, fingerprint="12345678"))
    with pytest.raises(CheckpointError, match=f"12345678, not {model.fingerprint}"):
        read(place)
    with pytest.raises(CheckpointMissing, match="--history 32"):
        read_history(tmp_path, "tiny", model.anatomy.sites, model.fingerprint)


@pytest.mark.parametrize(
    ("arrays", "facts"),
    [
        ({"updates_N": np.array([0, 10, 1], np.int32)}, {}),
        ({"updates_N": np.array([1, 2, 3], np.int32)}, {}),
        ({"updates_N": np.array([], np.int32)}, {}),
        ({"loss_N": np.array([0, np.nan, 1], np.float32)}, {}),
        ({"loss_N": np.zeros(3)}, {}),
        ({"cross.weights_0": None}, {}),
        ({"cross.weights_0": np.zeros((3, 1, 1, 2, 2), np.uint8)}, {}),
        ({"unheard": np.zeros(1, np.float32)}, {}),
        ({}, {"format": 2}),
        ({}, {"score": "luck"}),
        ({}, {"sentences": [[[1, 2], ["<b>", 2]]]}),
        ({}, {"sentences": [[[1, 2]]]}),
        ({}, {"sentences": [[list(range(200)), [1, 2]]]}),
        ({}, {"more": 1}),
    ],
)
def test_a_damaged_history_is_refused_and_the_model_opens_all_the_same(place, arrays, facts):
    changed(place, arrays, **facts)
    with pytest.raises(CheckpointBroken, match=f"{HISTORY} of tiny is damaged"):
        read(place)
    assert isinstance(open_checkpoint(place[0]).history, CheckpointBroken)


def test_tokens_that_the_vocabularies_lack_are_no_history(place):
    _, model, history, _ = place
    ((source, target),) = history.sentences
    beyond = model.anatomy.target_vocabulary
    changed(place, sentences=[[source, [*target[:-1], beyond]]])
    assert isinstance(open_checkpoint(place[0]).history, CheckpointBroken)


def test_what_is_no_file_of_tensors_is_no_history(place):
    (place[0] / HISTORY).write_bytes(b"{}")
    with pytest.raises(CheckpointBroken, match="truncated, or no history"):
        read(place)


def test_notes_lie_ever_farther_apart_and_the_last_update_is_noted():
    found = noted_updates(32, 800)
    assert found[0] == 1 and found[-1] == 800 and len(found) <= 32
    assert list(found) == sorted(set(found))
    late = np.diff(found)[5:]
    assert all(later >= one - 1 for one, later in itertools.pairwise(late))
    assert noted_updates(0, 800) == ()
