"""The mean of the weights of two checkpoints."""

import torch

from model_core.__main__ import main
from model_core.checkpoints.store import open_checkpoint
from tests.tiny import tiny_checkpoint


def test_each_weight_lies_between_the_two_by_the_share(tmp_path):
    one, other = (tiny_checkpoint(tmp_path / str(seed), seed) for seed in (0, 1))
    named = [str(tmp_path / "0"), "--with", str(tmp_path / "1"), "-o", str(tmp_path / "mean")]
    assert main(["mean", *named, "--share", "0.75"]) == 0
    mean = open_checkpoint(tmp_path / "mean")
    for got, a, b in zip(*(of.model.parameters() for of in (mean, one, other)), strict=True):
        assert torch.allclose(got, 0.75 * a + 0.25 * b, atol=1e-3)  # as float16 stores it
    assert mean.training.weights.startswith("75% of those of `0` and 25%")
    assert mean.training.evaluation is None
    assert mean.source_tokenizer.to_json() == one.source_tokenizer.to_json()


def test_what_has_no_mean_is_refused_and_nothing_is_written(tmp_path, capsys):
    tiny_checkpoint(tmp_path / "0")
    tiny_checkpoint(tmp_path / "wide", width=32)
    named = ["mean", str(tmp_path / "0"), "-o", str(tmp_path / "mean"), "--with"]
    assert main([*named, str(tmp_path / "wide")]) == 1
    assert "differ in their shape or their vocabulary" in capsys.readouterr().err
    assert main([*named, str(tmp_path / "0"), "--share", "1.5"]) == 1
    assert "between 0 and 1" in capsys.readouterr().err
    taught = ["mean", "en-de", "--with", "en-de", "-o", str(tmp_path / "mean")]
    assert main(taught) == 1
    assert "was taught" in capsys.readouterr().err
    assert not (tmp_path / "mean").exists()
