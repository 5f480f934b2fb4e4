"""What a process that serves many asks of its system."""

import ctypes
import os
import sys

# Of glibc's mallopt, with what it is set to.
_OPTIONS = (
    (-8, 2),  # M_ARENA_MAX: threads share what they free
    (-3, 32 * 2**20),  # M_MMAP_THRESHOLD, bytes: a layer of a long text is taken from the heap
    (-1, 128 * 2**20),  # M_TRIM_THRESHOLD, bytes: which keeps so much at hand for the next layer
)
_LONG = 0.5  # seconds of a turn that may have left much behind


def allow_files(count: int) -> int:
    """Let the process open so many files, if the system allows as many: each connection is one.

    Returned is how many of them are not open yet.
    """
    try:
        import resource
    except ImportError:  # Windows, where there is no such limit
        return count
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    most = count if soft == resource.RLIM_INFINITY else min(count, soft)
    return most - len(os.listdir("/dev/fd"))


def share_memory() -> None:
    """Let threads share what they free, and the layers of a long text use the same memory in turn.

    To get it anew from the system for every layer takes as long as half of the arithmetic.
    """
    for option, value in _OPTIONS:
        _glibc("mallopt", option, value)


def give_memory_back(seconds: float) -> None:
    """Give the system what is free after a turn that took so long; glibc would keep it for ever."""
    if seconds > _LONG:
        _glibc("malloc_trim", 0)


def _glibc(name: str, *arguments: int) -> None:
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), name):
        getattr(libc, name)(*arguments)
