"""What a process that serves many asks of its system."""

import os

from model_core.glibc import M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, glibc

# Of glibc's mallopt, with what it is set to.
_OPTIONS = (
    (M_ARENA_MAX, 2),  # threads share what they free
    (M_MMAP_THRESHOLD, 32 * 2**20),  # bytes: a layer of a long text is taken from the heap
    (M_TRIM_THRESHOLD, 128 * 2**20),  # bytes: which keeps so much at hand for the next layer
)
_LONG = 0.5  # seconds of a turn that may have left much behind


def allow_files(count: int) -> int:
    """Raise the limit on open files to `count`, as far as the system allows.

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
        glibc("mallopt", option, value)


def give_memory_back(seconds: float) -> None:
    """Give the system what is free after a turn that took so long; glibc would keep it for ever."""
    if seconds > _LONG:
        glibc("malloc_trim", 0)
