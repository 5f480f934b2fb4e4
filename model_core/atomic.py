"""Files replaced so that whenever the program is killed, each is the old one or the new one."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """What goes wrong inside names the file, which a full disk does not say."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def replace_file(path: Path, content: bytes) -> None:
    """Write a file, keeping the old one of that name until the new one is on the disk."""
    if path.exists() and not path.is_file():  # a device, such as /dev/stdout: nothing to keep
        path.write_bytes(content)
    else:
        replace_files({path.resolve(): content})


def replace_files(contents: Mapping[Path, bytes]) -> None:
    """Replace these files of one folder; only when all are on the disk does any take its place."""
    parts = {path: path.with_name(path.name + ".part") for path in contents}
    try:
        for path, part in parts.items():
            with naming(path):
                part.write_bytes(contents[path])
                flush(part)
        for path, part in parts.items():
            os.replace(part, path)
            flush(path.parent)
    except OSError:
        for part in parts.values():
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        raise


OPENS_FOLDERS = os.name != "nt"


def flush(path: Path) -> None:
    """Wait until a file, or the list of names in a folder, is on the disk.

    Windows opens no folder, and waits only for a file that is open for writing.
    """
    is_folder = path.is_dir()
    if is_folder and not OPENS_FOLDERS:
        return
    handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
