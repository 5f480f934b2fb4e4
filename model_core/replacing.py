"""Files replaced so that whenever the program is killed, each is the old one or the new one."""

import os
from collections.abc import Mapping
from pathlib import Path


def replace_files(contents: Mapping[Path, bytes]) -> None:
    """Replace these files of one folder; only when all are on the disk does any take its place."""
    parts = {path: path.with_name(path.name + ".part") for path in contents}
    for path, part in parts.items():
        part.write_bytes(contents[path])
        flush(part)
    for path, part in parts.items():
        os.replace(part, path)
        flush(path.parent)


def flush(path: Path) -> None:
    """Wait until a file, or the list of names in a folder, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
