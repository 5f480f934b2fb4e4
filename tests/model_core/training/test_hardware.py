import platform
import subprocess
import sys

import pytest
import torch

from model_core.errors import ConfigError
from model_core.training.hardware import device_of, keep_freed_memory


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


_FAULTS = """
import resource, torch
from model_core.training.hardware import keep_freed_memory

def faults():
    torch.ones(8_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        torch.ones(8_000_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

given_back, kept = faults(), keep_freed_memory()
print(given_back, faults(), kept)
"""


def test_blocks_that_are_freed_are_used_again_without_page_faults() -> None:
    done = subprocess.run([sys.executable, "-c", _FAULTS], capture_output=True, text=True)
    given_back, again, kept = done.stdout.split()
    glibc = platform.libc_ver()[0] == "glibc"
    assert kept == str(glibc)
    assert not glibc or int(again) * 10 < int(given_back)


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert keep_freed_memory() is False
