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


_HELD = """
import torch
from model_core.training.hardware import give_back_memory, keep_freed_memory

def held():  # bytes
    return 1024 * int(open("/proc/self/status").read().split("VmRSS:")[1].split()[0])

keep_freed_memory()
blocks = [torch.ones(2_000_000) for _ in range(100)]  # 800 MB
between = blocks[::2]  # nothing larger fits between those
del blocks
before = held()
give_back_memory()
print(before - held())
"""


@pytest.mark.skipif(platform.system() != "Linux", reason="reads /proc, which Linux has")
def test_what_is_free_between_blocks_in_use_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", _HELD], capture_output=True, text=True)
    given_back = int(done.stdout)
    assert platform.libc_ver()[0] != "glibc" or given_back > 300_000_000


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert keep_freed_memory() is False
