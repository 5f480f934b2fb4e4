"""What a process that serves asks of its system, in a process of its own."""

import os
import subprocess
import sys

import pytest

from viz_app.server.answers.metrics import resident_bytes


def printed(program):
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout


def test_as_many_files_may_be_open_as_the_system_allows():
    program = """
import resource
from viz_app.server.answers.process import allow_files
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
left = 10 - allow_files(10)  # open ones
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
print(allow_files(128) == 128 - left and left > 2)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
allow_files(max(hard, 128) + 1)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] == (129 if hard == -1 else hard))
"""
    assert printed(program).split() == ["64", "True", "128", "True"]


def test_memory_serves_one_layer_after_the_other_and_goes_back_after_a_long_turn():
    program = """
import resource
from viz_app.server.answers.process import give_memory_back, share_memory
share_memory()
def resident():
    return int(open("/proc/self/status").read().split("VmRSS:")[1].split()[0]) // 1024
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
layer = 12 * 2**20
bytearray(layer)
before = faults()
for _ in range(20):
    bytearray(layer)
print(faults() - before < layer // 4096)  # one of them alone takes so many from the system
many = [bytearray(2**20) for _ in range(200)]
last = bytearray(2**20)  # what is behind the others keeps them from going back by themselves
full = resident()
del many
give_memory_back(0.1)
print(full - resident() < 50)
give_memory_back(10)
print(full - resident() > 150)
"""
    assert printed(program).split() == ["True", "True", "True"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say it")
def test_memory_is_counted_in_pages_as_large_as_the_systems(monkeypatch):
    sizes = {"SC_PAGE_SIZE": 1}
    monkeypatch.setattr(os, "sysconf", sizes.__getitem__)
    pages = resident_bytes()
    sizes["SC_PAGE_SIZE"] = 2**16
    assert 0.5 < resident_bytes() / (2**16 * pages) < 2
