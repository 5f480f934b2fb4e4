"""What a process that serves many asks of its system."""

import ctypes
import sys

_ARENA_MAX = -8  # of glibc's mallopt
_ARENAS = 2
_MMAP_THRESHOLD = -3
_LARGE = 4 * 2**20  # bytes


def allow_files(count: int) -> None:
    """Let the process open so many files, if the system allows as many: each connection is one."""
    try:
        import resource
    except ImportError:  # Windows, where there is no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def share_memory() -> None:
    """Let threads share what they free, and give large arrays back to the system at once.

    glibc would keep much of it apart for each thread, and for ever what is as large as a layer of a
    long text.
    """
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_ARENA_MAX, _ARENAS)
        libc.mallopt(_MMAP_THRESHOLD, _LARGE)
