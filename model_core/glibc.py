"""What is set of glibc's memory, in this process. Other C libraries are left as they are."""

import ctypes
import platform

# Of mallopt, by the names of malloc.h.
M_TRIM_THRESHOLD = -1
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8


def glibc(name: str, *arguments: int) -> int:
    """What one of its functions returns; 0 where the C library is another one."""
    if platform.libc_ver()[0] != "glibc":
        return 0
    return int(getattr(ctypes.CDLL(None), name)(*arguments))
