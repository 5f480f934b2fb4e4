"""A boundary refuses by name: tables of what is wrong, and the code that each is refused with."""

from collections.abc import Callable
from typing import Any

from model_core.errors import VisualiserError


def refusal(ask: Callable[..., Any], *given: Any, **more: Any) -> VisualiserError:
    """The named error that this ends in; a test that gets anything else is told what was asked."""
    try:
        made = ask(*given, **more)
    except VisualiserError as error:
        return error
    except Exception as error:
        raise AssertionError(f"{given!r:.300} {more!r:.300} ended in {error!r:.300}") from error
    raise AssertionError(f"{given!r:.300} {more!r:.300} was not refused, but gave {made!r:.300}")
