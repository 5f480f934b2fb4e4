"""What is printed, whatever the system takes for the encoding of a file or a pipe."""

import io
import sys


def print_utf8() -> None:
    """Write standard output and standard error in UTF-8 from here on; Windows would not."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=stream.errors)
