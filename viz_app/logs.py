"""What is written about requests: kind, milliseconds and outcome, never what a visitor typed.

Messages of exceptions may quote a request, so only their types and places are written.
"""

import logging
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LOG = logging.getLogger("viz_app.requests")


def log_requests() -> None:
    """Write one line a request to the standard error stream, from now on."""
    writer = logging.StreamHandler(sys.stderr)
    writer.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    _LOG.handlers[:] = [writer]
    _LOG.setLevel(logging.INFO)
    _LOG.propagate = False


def keep_words_out_of_tracebacks() -> None:
    """Make this process write types and places of exceptions only, whoever writes them.

    gradio prints a failed call with `traceback.print_exc`, and the message may quote the inputs.
    """

    def print_places(*_: Any, **__: Any) -> None:
        error = sys.exception()
        if error is not None:
            print(places_of(error), file=sys.stderr)

    traceback.print_exc = print_places
    make = logging.LogRecord

    def make_without_words(*values: Any, **more: Any) -> logging.LogRecord:
        record = make(*values, **more)
        if isinstance(record.exc_info, tuple) and record.exc_info[1] is not None:
            record.msg = f"{record.name}: {places_of(record.exc_info[1])}"
            record.args = record.exc_info = None
        return record

    logging.setLogRecordFactory(make_without_words)


class Outcome:
    """How a request ended: "ok" until something else is put there."""

    def __init__(self) -> None:
        self.code = "ok"


@contextmanager
def logged(kind: str) -> Iterator[Outcome]:
    """One line when the request is over, its time and its outcome's code in it."""
    outcome, began = Outcome(), time.perf_counter()
    try:
        yield outcome
    except BaseException as error:
        outcome.code = type(error).__name__
        raise
    finally:
        log_line(kind, 1000 * (time.perf_counter() - began), outcome.code)


def log_line(kind: str, milliseconds: float, code: str | int) -> None:
    """Write one line, where lines are written."""
    _LOG.info("%s %.0f ms %s", kind, milliseconds, code)


def log_failure(error: BaseException) -> None:
    """Write the type and the places of an exception that is a bug."""
    logging.getLogger("viz_app.failures").error(places_of(error))


def places_of(error: BaseException) -> str:
    """An exception without its message: its type, and file, line and function, outermost first."""
    frames = [
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    return f"{type(error).__name__} at {' > '.join(frames) or 'an unknown place'}"
