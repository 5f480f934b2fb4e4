"""What is used of gradio that it does not promise to keep, each with a check.

A version that has changed it is refused by name, before anything is served.
"""

import json
import os
from importlib.metadata import version
from typing import Any

from model_core.errors import ServingError

# Variables of gradio with which it would answer past our routes, or start servers of its own.
_UNHEARD = (
    "GRADIO_DEBUG",
    "GRADIO_HOT_RELOAD",
    "GRADIO_MCP_SERVER",
    "GRADIO_NUM_WORKERS",
    "GRADIO_SSR_MODE",
    "GRADIO_VIBE_MODE",
    "GRADIO_WATCH_DIRS",
)


def keep_gradio_quiet() -> None:
    """Turn off gradio's analytics and its statistics of calls."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_ANALYTICS_CACHE_FREQUENCY"] = str(10**9)
    for name in _UNHEARD:
        os.environ.pop(name, None)


TRIED = "6.31"


def inside(thing: Any, *names: str) -> Any:
    """`thing.name.name`; ServingError where this gradio has no such attribute."""
    for name in names:
        if not hasattr(thing, name):
            raise ServingError(
                f"gradio {version('gradio')} has no {'.'.join(names)}, on which the limits of "
                f"this server stand; {TRIED} has. Run `python -m pip install 'gradio~={TRIED}.0'`."
            )
        thing = getattr(thing, name)
    return thing


def _given(endpoint: dict[str, Any]) -> str:
    """The parameters of an endpoint whose default is a value, as JSON between single quotes."""
    given = {
        part["parameter_name"]: part["parameter_default"]
        for part in endpoint["parameters"]
        if part["parameter_default"] is not None
    }
    return json.dumps(given).replace("'", "\\u0027")


def tell_plain_curl() -> None:
    """Show one POST per endpoint where gradio shows two, joined in a way that bash cannot read.

    Its own command, `gradio predict`, is shown without the ellipses in the place of values.
    """
    from gradio import routes

    own = inside(routes, "generate_code_snippets")

    def with_post(
        name: str, endpoint: dict[str, Any], root: str, *more: Any, **named: Any
    ) -> dict[str, str]:
        body = _given(endpoint)
        post = (
            f"curl -s {root.rstrip('/')}/api{name} -H 'Content-Type: application/json' -d '{body}'"
        )
        return own(name, endpoint, root, *more, **named) | {"bash": post}

    def with_what_is_said(endpoints: dict[str, dict[str, Any]]) -> dict[str, str]:
        return {
            name: f"gradio predict {{space_id}} {name} '{_given(endpoint)}'"
            for name, endpoint in endpoints.items()
        }

    inside(routes, "generate_cli_snippet")
    routes.generate_cli_snippet = with_what_is_said

    routes.generate_code_snippets = with_post
