"""What is written about requests: kind, milliseconds and outcome, never what a visitor typed.

Messages of exceptions may quote a request, so only their types and places are written.
"""

import asyncio
import logging
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from model_core.errors import Bug, Left, VisualiserError

if TYPE_CHECKING:
    from viz_app.server.answers.metrics import Metrics

_LOG = logging.getLogger("viz_app.requests")


def log_requests() -> None:
    """Write one line per request to the standard error stream, from now on."""
    writer = logging.StreamHandler(sys.stderr)
    writer.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    _LOG.handlers[:] = [writer]
    _LOG.setLevel(logging.INFO)
    _LOG.propagate = False


def keep_words_out_of_tracebacks() -> None:
    """Make all that handles requests write types and places of exceptions, and no messages.

    That is: what logs under the names of `_HANDLING`. Other libraries, and what this process prints
    by itself, stay as they are.
    """
    logging.setLogRecordFactory(_record_without_words)


_HANDLING = {"viz_app", "model_core", "gradio", "uvicorn", "starlette", "fastapi", "anyio"}
_HANDLING |= {"asyncio", "httpx", "concurrent", "kaleido", "choreographer"}


def _record_without_words(name: str, *values: Any, **more: Any) -> logging.LogRecord:
    record = logging.LogRecord(name, *values, **more)
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    if error is not None and name.partition(".")[0] in _HANDLING:
        record.msg = f"{name}: {places_of(error)}"
        record.args = record.exc_info = None
    return record


class RequestEnd:
    """How a request ended: "ok" until something else is put there."""

    def __init__(self) -> None:
        self.code = "ok"


@contextmanager
def logged(kind: str, metrics: "Metrics | None" = None) -> Iterator[RequestEnd]:
    """One line when the request is over, its time and its outcome's code in it."""
    outcome, began = RequestEnd(), time.perf_counter()
    try:
        yield outcome
    except asyncio.CancelledError:
        outcome.code = Left.code
        raise
    except BaseException as error:
        outcome.code = error.code if isinstance(error, VisualiserError) else Bug.code
        raise
    finally:
        seconds = time.perf_counter() - began
        log_line(kind, 1000 * seconds, outcome.code)
        if metrics is not None:
            metrics.observe(kind, seconds, outcome.code)


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
