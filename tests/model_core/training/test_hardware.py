import platform
import subprocess
import sys

import pytest

from model_core.training.hardware import keep_freed_memory

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
