"""Files of a checkpoint, read only where they are files and no larger than they can be.

A folder from elsewhere may have a pipe, a device or a link to one in a file's place: opening it
would wait for ever, and reading it would never end.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from model_core.errors import CheckpointBroken, CheckpointMissing

# A pipe is opened without waiting for its other end; Windows must be asked for plain bytes.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def open_regular(path: Path, limit: int) -> Iterator[BufferedReader]:
    """The file, opened for reading bytes.

    Raises CheckpointMissing where there is none, and CheckpointBroken where it is no regular file,
    is larger than `limit` bytes or cannot be read.
    """
    try:
        handle = os.open(path, _FLAGS)
        with open(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise CheckpointBroken(f"{path} is not a regular file. Put the file itself there.")
            if found.st_size > limit:
                raise CheckpointBroken(
                    f"{path} has {found.st_size:,} bytes; at most {limit:,} are read."
                )
            yield file
    except FileNotFoundError as error:
        raise CheckpointMissing(f"The checkpoint {path.parent} has no {path.name}.") from error
    except OSError as error:
        raise CheckpointBroken(f"{path} cannot be read: {error.strerror}.") from error


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of the file; raises as `open_regular` does."""
    with open_regular(path, limit) as file:
        # To ask for `limit` at once would take that much memory, which a browser never gives back.
        size = os.fstat(file.fileno()).st_size
        content = file.read(size + 1)
        if len(content) > size:
            content += file.read(limit - size)
    if len(content) > limit:  # grew while it was read, or says nothing about its size
        raise CheckpointBroken(f"{path} has more than {limit:,} bytes; at most that many are read.")
    return content
