"""What TensorBoard reads of a training."""

import sys
from pathlib import Path

import pytest

from model_core.errors import ConfigError
from model_core.training.loop import train
from model_core.training.watching.scalars import ScalarsWatcher
from tests.tiny_training import tiny


def test_tensorboard_reads_the_scalars_and_the_heads(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    watcher = ScalarsWatcher(tmp_path / "events")
    seen = []
    for progress in train(
        tiny("reverse", strings=500, updates=4, validate_every=2), tmp_path / "m"
    ):
        watcher.see(progress)
        seen.append(progress)
    watcher.close()
    found = EventAccumulator(str(tmp_path / "events")).Reload()
    losses = [(one.step, one.value) for one in found.Scalars("training/loss")]
    assert losses == [(one.update, pytest.approx(one.nats, rel=1e-6)) for one in seen]
    assert [one.step for one in found.Scalars("validation/exact match")] == [2, 4]
    heads = [name for name in found.Tags()["images"] if name.startswith("cross-attention/")]
    assert len(heads) == 2
    assert [one.step for one in found.Images(heads[0])] == [2, 4]
    assert found.Images(heads[0])[0].encoded_image_string.startswith(b"\x89PNG")


def test_without_the_package_it_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(ConfigError, match=r"needs the package tensorboard.*pip install"):
        ScalarsWatcher(tmp_path)
