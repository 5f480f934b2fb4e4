"""What the page says of a model, from its files."""

import struct

import pytest

from model_core.checkpoints.folder import read_config
from model_core.checkpoints.parts import parameters_by_part
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointBroken
from tests.conftest import CHECKPOINTS
from tests.refusals import refusal
from tests.tiny import tiny_checkpoint
from viz_app.menu.card import model_card
from viz_app.menu.catalogue import models_of


@pytest.mark.parametrize(  # tied and not, with every kind of part that there is
    "name", ["en-fr-prenorm", "reverse-additive", "reverse-learned", "tutorial-convolutions"]
)
def test_the_parts_are_all_of_the_model_and_each_counts_once(name):
    model = open_checkpoint(CHECKPOINTS / name).model
    parts = parameters_by_part(CHECKPOINTS / name)
    assert sum(parts.values()) == sum(each.numel() for each in model.parameters())
    cross = sum(each.numel() for n, each in model.named_parameters() if "cross_attention" in n)
    assert parts["cross_attention"] == cross


def test_a_file_that_holds_no_weights_is_refused_and_the_card_goes_without(tmp_path):
    folder = tmp_path / "model"
    tiny_checkpoint(folder)
    for content in (
        b"",
        b"short",
        struct.pack("<Q", 2**60) + b"{",
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 15) + b'{"a": {"b": 1}}',
        struct.pack("<Q", 17) + b'{"a":{"shape":3}}',
        struct.pack("<Q", 26) + b'{"a":{"shape":[Infinity]}}',
        struct.pack("<Q", 20) + b'{"a":{"shape":[-1]}}',
    ):
        (folder / "model.safetensors").write_bytes(content)
        assert isinstance(refusal(parameters_by_part, folder), CheckpointBroken)
        (entry,) = models_of(tmp_path).own
        assert entry["card"]["parts"] == {}


def test_a_model_that_was_not_evaluated_has_no_scores(tmp_path):
    tiny_checkpoint(tmp_path / "model")
    card = models_of(tmp_path).own[0]["card"]
    assert card["scores"] == card["lengths"] == card["by_hand"] == [] and card["usual"] is None
    assert card["own"]["of"] == 0 and sum(card["parts"].values()) > 0


def test_the_usual_length_holds_99_of_100_scored_sentences():
    _, training = read_config(CHECKPOINTS / "en-fr")
    usual = model_card(training)["usual"]
    rows = training.evaluation.searches[-1].by_length
    within = [row for row in rows if row.longest is not None and row.longest <= usual]
    total = sum(row.sentences for row in rows)
    assert sum(row.sentences for row in within) >= 0.99 * total
    assert sum(row.sentences for row in within[:-1]) < 0.99 * total


def test_a_training_that_carried_on_names_the_updates_of_the_one_before():
    begun = {
        name: model_card(read_config(CHECKPOINTS / name)[1])["training"]["begun"]
        for name in ("en-fr", "en-fr-prenorm")
    }
    assert begun == {"en-fr": 11500, "en-fr-prenorm": None}
