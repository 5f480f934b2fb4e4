"""What a process that serves asks of its system, in a process of its own."""

import subprocess
import sys


def printed(program):
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout


def test_as_many_files_may_be_open_as_the_system_allows():
    program = """
import resource
from viz_app.server.desk.process import allow_files
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
allow_files(10)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
allow_files(128)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
allow_files(max(hard, 128) + 1)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] == (129 if hard == -1 else hard))
"""
    assert printed(program).split() == ["64", "128", "True"]
