import pytest
import torch

from model_core.errors import ConfigError
from model_core.training.hardware import device_of


def test_a_gpu_that_is_not_there_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match=r"no GPU.*--device cpu"):
        device_of("cuda")


@pytest.mark.parametrize(("found", "device"), [(True, "cuda"), (False, "cpu")])
def test_auto_is_a_gpu_where_there_is_one(
    found: bool, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: found)
    assert device_of("auto") == torch.device(device)
