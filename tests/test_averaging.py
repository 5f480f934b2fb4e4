import shutil

import pytest
import torch

from model_core.__main__ import main
from model_core.averaging import average_checkpoints
from model_core.errors import CheckpointError
from model_core.store import open_checkpoint, save_checkpoint
from model_core.tokenizer import Tokenizer
from tests.tiny import small_corpus, tiny_checkpoint, trained_checkpoint


@pytest.fixture
def three(tmp_path):
    for seed, name in enumerate("abc"):
        trained_checkpoint(tmp_path / name, seed, tied="all")
    return [tmp_path / name for name in "abc"]


def test_every_weight_is_the_mean_of_the_weights(three, tmp_path):
    average_checkpoints(three, tmp_path / "mean", "the command")
    mean = open_checkpoint(tmp_path / "mean").model.state_dict()
    models = [open_checkpoint(folder).model.state_dict() for folder in three]
    for name, tensor in mean.items():
        expected = sum(model[name].double() for model in models) / 3
        torch.testing.assert_close(tensor.double(), expected, rtol=0, atol=2e-3)  # stored in half


def test_the_average_of_a_checkpoint_with_itself_is_that_checkpoint(three, tmp_path):
    shutil.copytree(three[0], tmp_path / "again")
    average_checkpoints([three[0], three[0]], tmp_path / "mean", "")
    one, mean = open_checkpoint(three[0]), open_checkpoint(tmp_path / "mean")
    for name, tensor in mean.model.state_dict().items():
        assert torch.equal(tensor, one.model.state_dict()[name].half().float())


def test_the_card_and_the_config_say_what_was_averaged(three, tmp_path, capsys):
    words = [*map(str, three), "-o", str(tmp_path / "mean")]
    assert main(["average", *words]) == 0
    assert str(tmp_path / "mean") in capsys.readouterr().out
    mean = open_checkpoint(tmp_path / "mean")
    assert "The weights are the average of a, b and c." in mean.card
    assert f"average {' '.join(words)}" in mean.card
    assert [origin["name"] for origin in mean.training["averaged"]] == ["a", "b", "c"]
    assert "evaluation" not in mean.training and "alignment_head" not in mean.training


def test_an_average_can_be_measured_like_any_checkpoint(three, tmp_path, capsys):
    average_checkpoints(three[:2], tmp_path / "mean", "command")
    data = small_corpus(tmp_path / "DIR")
    assert main(["card", str(tmp_path / "mean"), "--data", str(data)]) == 0
    assert "the average of a and b" in capsys.readouterr().out


def test_architectures_that_differ_are_named(three, tmp_path):
    trained_checkpoint(tmp_path / "wide", feed_forward_width=40, tied="all")
    with pytest.raises(CheckpointError, match="a and wide differ in feed_forward_width: 32 and 40"):
        average_checkpoints([three[0], tmp_path / "wide"], tmp_path / "mean", "")
    assert not (tmp_path / "mean").exists()


def test_tokenizers_that_differ_are_named(three, tmp_path):
    other = open_checkpoint(three[1])
    lines = ["Sphinx of black quartz, judge my vow.", "Pack my box with five dozen liquor jugs."]
    tokenizer = Tokenizer.train(lines, "bpe", other.source_tokenizer.size)
    assert tokenizer.size == other.source_tokenizer.size
    save_checkpoint(three[1], other.model, tokenizer, tokenizer, other.training, "")
    with pytest.raises(CheckpointError, match="a and b have different source tokenizers"):
        average_checkpoints(three, tmp_path / "mean", "")


def test_one_checkpoint_or_one_without_a_history_cannot_be_averaged(three, tmp_path):
    with pytest.raises(CheckpointError, match="at least two"):
        average_checkpoints(three[:1], tmp_path / "mean", "")
    tiny_checkpoint(tmp_path / "bare", tied="all")
    with pytest.raises(CheckpointError, match="bare does not say how it was trained"):
        average_checkpoints([three[0], tmp_path / "bare"], tmp_path / "mean", "")
