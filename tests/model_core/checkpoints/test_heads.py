"""heads.safetensors: what is written is read, and a file from elsewhere is refused by name."""

import dataclasses
import json

import numpy as np
import pytest
import safetensors.numpy

from model_core.checkpoints.heads import HEADS, read_heads, write_heads
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing
from model_core.models.own import OwnModel
from model_core.training.evaluation.heads.corpus import HeadCorpus
from model_core.training.evaluation.heads.measuring import measure_heads
from model_core.values.head_measures import MEASURES, WORDS
from tests.refusals import refusal
from tests.tiny import tiny_checkpoint


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("heads") / "tiny"
    model = OwnModel(tiny_checkpoint(folder))
    measured = measure_heads(model, HeadCorpus("mine", (("The cat", "Le chat"), ("roof", "toit"))))
    content = write_heads(folder, measured).read_bytes()
    return folder, model, measured, content


def read(place):
    folder, model, _, _ = place
    return read_heads(folder, "tiny", model.anatomy.sites, model.fingerprint)


def changed(place, arrays=None, **facts):
    """The file with other arrays or facts in it."""
    folder, _, _, content = place
    tensors = {**safetensors.numpy.load(content), **(arrays or {})}
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    said = json.loads(header["__metadata__"]["heads"]) | facts
    said = {name: value for name, value in said.items() if value is not None}
    kept = {name: array for name, array in tensors.items() if array is not None}
    made = safetensors.numpy.save(kept, {"heads": json.dumps(said)})
    (folder / HEADS).write_bytes(made)


def test_what_is_written_is_read(place):
    folder, _, measured, _ = place
    write_heads(folder, measured)
    found = read(place)
    for name, value in vars(measured).items():
        if name != "sites":
            assert getattr(found, name) == value
    for site, one in measured.sites.items():
        for name, array in vars(one).items():
            np.testing.assert_array_equal(vars(found.sites[site])[name], array)


def test_a_file_of_other_weights_is_refused_by_name_and_so_is_none(place, tmp_path):
    folder, model, measured, _ = place
    write_heads(folder, dataclasses.replace(measured, fingerprint="12345678"))
    with pytest.raises(CheckpointError, match=f"12345678, not {model.fingerprint}.*heads tiny"):
        read(place)
    with pytest.raises(CheckpointMissing, match="python -m model_core heads tiny"):
        read_heads(tmp_path, "tiny", model.anatomy.sites, model.fingerprint)


def test_a_file_is_read_by_the_names_of_its_measures(place, monkeypatch):
    """One more measure and one more word than when it was written, in other places."""
    folder, _, measured, _ = place
    write_heads(folder, measured)
    before = {site: list(names) for site, names in MEASURES.items()}
    monkeypatch.setitem(MEASURES, "cross", ("surprise", *reversed(MEASURES["cross"])))
    monkeypatch.setitem(WORDS, "cross", ("surprised", *WORDS["cross"]))
    found = read(place).sites["cross"]
    for name in before["cross"]:
        wanted_LH = measured.sites["cross"].measures_LHM[..., before["cross"].index(name)]
        np.testing.assert_array_equal(found.measure_LH("cross", name), wanted_LH)
    assert np.isnan(found.measure_LH("cross", "surprise")).all()
    np.testing.assert_array_equal(found.word_LH, measured.sites["cross"].word_LH + 1)


HOSTILE = {
    "a number that is none": {"arrays": {"cross.means_LHE": np.full((3, 4, 6), np.nan, "f4")}},
    "heads that are not there": {"arrays": {"cross.measures_LHM": np.zeros((3, 5, 17), "f4")}},
    "a sentence that is not there": {"arrays": {"cross.best_LHC": np.full((3, 4, 10), 2, "i4")}},
    "other numbers": {"arrays": {"cross.word_LH": np.zeros((3, 4), "f4")}},
    "no words at all": {
        "words": {},
        "arrays": {
            f"{site}.word_LH": np.zeros((3, 4), "f4") for site in ("encoder", "decoder", "cross")
        },
    },
    "no sentences at all": {
        "sentences": [],
        "arrays": {
            f"{site}.best_LHC": np.zeros((3, 4, 10), "f4")
            for site in ("encoder", "decoder", "cross")
        },
    },
    "an array too many": {"arrays": {"site.more": np.zeros(3, "f4")}},
    "an array too few": {"arrays": {"cross.like_LH": None}},
    "a name that is no text": {"corpus": ["x"]},
    "a fact too many": {"more": 1},
    "sentences that are none": {"sentences": [["a"], 3]},
    "a loss without bounds": {"loss": 1e300},
    "another format": {"format": 2},
    "a name twice": {"measures": {"cross": ["links"] * 17}},
    "names that are none": {"words": {"cross": 3}},
    "names of another site alone": {"measures": {"encoder": ["links"]}},
    "words that are unknown": {"words": {"cross": ["a", "b", "c", "d", "e", "f"]}},
}


def test_a_damaged_file_is_named_and_the_model_opens_all_the_same(place):
    for what, changes in HOSTILE.items():
        changed(place, **changes)
        told = refusal(read, place)
        assert isinstance(told, CheckpointBroken) and HEADS in str(told), what
    assert isinstance(open_checkpoint(place[0]).heads, CheckpointBroken)
    changed(place, sentences=[["half of a letter: \ud83d", ""]] * 2)
    assert "truncated or not a file" in str(refusal(read, place))
    for content in (b"", b"{}", b"\xff" * 100, b"\x10" + b"\0" * 7 + b"[" * 16):
        (place[0] / HEADS).write_bytes(content)
        assert "truncated or not a file" in str(refusal(read, place))
    with (place[0] / HEADS).open("wb") as file:
        file.truncate(2**34)
    assert "at most" in str(refusal(read, place))
