"""The Translate tab: the stage, and the same actions as named endpoints for programs."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import gradio as gr

from model_core.errors import VisualiserError
from viz_app.service import Service
from viz_app.stage.component import stage_component

_AT_ONCE = 8  # calls of one endpoint; how many use the model at once is bounded below


def translate_tab(service: Service) -> None:
    """Place the tab, and the endpoints /translate, /step and /trace, which work on recipes."""
    stage_component(service)
    for endpoint in (service.translate, service.step, service.trace):
        gr.api(_told(endpoint), api_name=endpoint.__name__, concurrency_limit=_AT_ONCE)


def _told(endpoint: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The endpoint, its VisualiserError as gradio's, so that the caller reads the message."""

    @wraps(endpoint)
    def told(*arguments: Any, **keywords: Any) -> dict[str, Any]:
        try:
            return endpoint(*arguments, **keywords)
        except VisualiserError as error:
            raise gr.Error(str(error), print_exception=False) from error

    return told
