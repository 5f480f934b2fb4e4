"""The Translate tab: the stage, and the same actions as named endpoints for programs."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import gradio as gr

from model_core.errors import Bug, VisualiserError
from viz_app.logs import log_failure, logged
from viz_app.service import Service
from viz_app.stage.component import stage_component


def translate_tab(service: Service) -> None:
    """Place the tab, and the endpoints /translate, /step and /trace, which work on recipes."""
    stage_component(service)
    for endpoint in (service.translate, service.step, service.trace):
        # How many use the models at once, and how many wait, is the service's to say.
        gr.api(_told(service, endpoint), api_name=endpoint.__name__, concurrency_limit=None)


def _told(
    service: Service, endpoint: Callable[..., dict[str, Any]]
) -> Callable[..., dict[str, Any]]:
    """The endpoint, its VisualiserError as gradio's, so that the caller reads the message."""

    @wraps(endpoint)
    def told(*arguments: Any, **keywords: Any) -> dict[str, Any]:
        with logged(f"api {endpoint.__name__}") as outcome:
            try:
                answer = endpoint(*arguments, **keywords)
                service.limits.check_answer(answer)
                return answer
            except VisualiserError as error:
                outcome.code, message = error.code, str(error)
            except Exception as error:
                outcome.code, message = Bug.code, str(Bug())
                log_failure(error)
        raise gr.Error(message, print_exception=False)

    return told
