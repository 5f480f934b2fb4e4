"""What a window needs before anything is started: the package, and no options of a server."""

import argparse
import logging
from typing import Any

from model_core.errors import ServingError
from model_core.folders import installing

_OF_A_SERVER = (
    *("demo", "host", "port", "root_path", "ssl_certfile", "ssl_keyfile", "framed_by"),
    *("share", "auth", "auth_file", "open", "ray", "local"),
)


def web_view() -> Any:
    """The package that opens windows; ServingError names it where it is missing."""
    try:
        import webview
    except ImportError as error:
        raise ServingError(
            "A window of its own needs the package pywebview. Install it with "
            f"{installing('desktop')}, or leave out --desktop."
        ) from error
    # It tries one kind of window after the other; the error at the end says that there is none.
    logging.getLogger("pywebview").addFilter(lambda one: "cannot be loaded" not in one.getMessage())
    return webview


def check_options(parsed: argparse.Namespace) -> None:
    """Raise ServingError where an option is about others, who cannot reach a window."""
    for name in _OF_A_SERVER:
        if getattr(parsed, name) not in (None, False, []):
            option = name.replace("_", "-")
            raise ServingError(
                f"--desktop serves one window on this machine; leave out --{option}."
            )
