"""The stage as a gradio component: our script in `js_on_load`, one server function behind it."""

import json
from typing import Any

import gradio as gr

from model_core.errors import Bug
from viz_app.catalogue import stage_options
from viz_app.logs import log_failure
from viz_app.service import Service
from viz_app.stage.stage import script


def stage_component(service: Service) -> gr.HTML:
    """The stage. Its only way to the server is `answer`: JSON in, JSON out, errors included."""

    def answer(request: Any) -> dict[str, Any]:
        try:
            return service.answer(request)
        except Exception as error:
            log_failure(error)
            return {"error": Bug().to_json()}

    return gr.HTML(
        "",
        html_template='<div class="stage-host"></div>',
        js_on_load=_on_load(stage_options(service.checkpoints, service.limits) | {"address": True}),
        server_functions=[answer],
        apply_default_css=False,
        elem_id="stage",
    )


def _on_load(options: dict[str, Any]) -> str:
    return f"""{script()}
const host = element.querySelector(".stage-host");
mountStage(host, {json.dumps(options)}, (request) => server.answer(request));
"""
