"""The stage as a gradio component: what fetches its script, and one server function behind it."""

import json
from typing import Any

from model_core.errors import Bug
from model_core.values.importing import LAYOUT_NAMES
from viz_app.server.catalogue import stage_options
from viz_app.server.gradio.quick import gr
from viz_app.server.logs import log_failure
from viz_app.server.service import Service
from viz_app.stage.bundle import bundle
from viz_app.text import WORDS


def stage_component(service: Service, with_script: bool = False) -> gr.HTML:
    """The stage. Its only way to the server is `answer`: JSON in, JSON out, errors included.

    `with_script`: the page holds the script, where no gate answers for it.
    """

    def answer(request: Any) -> dict[str, Any]:
        try:
            return service.answer(request)
        except Exception as error:
            log_failure(error)
            return {"error": Bug().to_json()}

    options = stage_options(service.checkpoints, service.limits, service.added)
    if service.opened_on:
        options |= {"model": service.opened_on, "opens": {}}
    return gr.HTML(
        "",
        html_template='<div class="stage-host"></div>',
        js_on_load=_on_load(
            options | {"address": True, "layouts": LAYOUT_NAMES if service.opens_paths else None},
            with_script,
        ),
        server_functions=[answer],
        apply_default_css=False,
        elem_id="stage",
    )


def _on_load(options: dict[str, Any], with_script: bool) -> str:
    """The script that gradio runs. The address holds the path that a proxy puts in front."""
    place = f"`${{root.replace(/\\/+$/, '')}}{bundle().path}`"
    if with_script:
        text = json.dumps(bundle().plain.decode("utf-8"))
        place = f'URL.createObjectURL(new Blob([{text}], {{ type: "text/javascript" }}))'
    failed = " ".join(table["error_network"] for table in WORDS.values())
    return f"""const host = element.querySelector(".stage-host");
const root = new URL(window.gradio_config?.root ?? "", window.location.href).pathname;
const options = {json.dumps(options)};
// Models that were opened since the page was made; asked for while the script is fetched.
const brought = options.layouts ? server.answer({{ brought: true }}).catch(() => ({{}})) : {{}};
Promise.all([import({place}), brought]).then(
  ([{{ mount }}, {{ models = [] }}]) => {{
    const known = options.models.map(({{ name }}) => name);
    options.models.push(...models.filter(({{ name }}) => !known.includes(name)));
    mount(host, options, (request) => server.answer(request));
  }},
  () => {{ host.textContent = {json.dumps(failed)}; }},
);
"""
