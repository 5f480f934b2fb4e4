import platform
import subprocess
import sys

import pytest

from model_core.training.hardware import keep_freed_memory

MEASURED = """
import platform, resource, torch
from model_core.training.hardware import give_back_memory, keep_freed_memory

def faults():
    torch.ones(8_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        torch.ones(8_000_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def held():  # bytes, as Linux says it
    if platform.system() != "Linux":
        return 0
    return 1024 * int(open("/proc/self/status").read().split("VmRSS:")[1].split()[0])

print(faults(), keep_freed_memory(), faults())
blocks = [torch.ones(500_000) for _ in range(100)]  # 200 MB
between = blocks[::2]  # nothing larger fits between those
del blocks
before = held()
give_back_memory()
print(before - held())
"""
GLIBC = platform.libc_ver()[0] == "glibc"


@pytest.fixture(scope="module")
def measured() -> list[str]:
    """What a process of its own says: its memory is that of nothing else."""
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True)
    return done.stdout.split()


def test_blocks_that_are_freed_are_used_again_without_page_faults(measured: list[str]) -> None:
    at_first, kept, again, _ = measured
    assert kept == str(GLIBC)
    assert not GLIBC or int(again) * 10 < int(at_first)


@pytest.mark.skipif(platform.system() != "Linux", reason="reads /proc, which Linux has")
def test_what_is_free_between_blocks_in_use_is_given_back(measured: list[str]) -> None:
    assert not GLIBC or int(measured[3]) > 75_000_000


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert keep_freed_memory() is False
