"""What commands print: in UTF-8 whatever the system takes for it, and an error in one line."""

import functools
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec

from model_core.errors import VisualiserError
from model_core.folders import PROGRAM

_Given = ParamSpec("_Given")


def program(module: str) -> str:
    """How the program was started, for its help: by the name that pip gave it, or as a module."""
    own = Path(sys.argv[0]).stem
    return own if own == PROGRAM else f"python -m {module}"


def print_utf8() -> None:
    """Write standard output and standard error in UTF-8 from here on; Windows would not."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=stream.errors)


def reporting_errors(command: Callable[_Given, int]) -> Callable[_Given, int]:
    """The command with 1 as its status where it fails; what was wrong is on standard error."""

    @functools.wraps(command)
    def wrapped(*given: _Given.args, **named: _Given.kwargs) -> int:
        try:
            return command(*given, **named)
        except BrokenPipeError:  # the reader of our output has seen enough
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())  # Python flushes once more
            return 0
        except VisualiserError as error:
            print(f"error: {error}", file=sys.stderr)
        except OSError as error:
            place = error.filename2 or error.filename
            said = f"{place}: " if place else ""
            print(f"error: {said}{error.strerror or error}.", file=sys.stderr)
        return 1

    return wrapped
