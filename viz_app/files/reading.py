"""Text files that a command names: sentences, recipes."""

from pathlib import Path

from model_core.checkpoints.regular_file import read_regular
from model_core.errors import CheckpointBroken, CheckpointMissing, ExportError

MOST_BYTES = 2**26


def read_text(path: Path) -> str:
    """The text of a file in UTF-8; ExportError where there is none.

    A pipe or a device is no file: reading it might never end.
    """
    try:
        return read_regular(path, MOST_BYTES).decode("utf-8-sig")
    except CheckpointMissing as error:
        raise ExportError(f"There is no file {path}.") from error
    except CheckpointBroken as error:
        raise ExportError(str(error)) from error
    except UnicodeDecodeError as error:
        raise ExportError(f"{path} cannot be read as text in UTF-8: {error}.") from error
