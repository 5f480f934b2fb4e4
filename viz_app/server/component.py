"""The stage as a gradio component: what fetches its script, and one server function behind it."""

import json
from typing import Any

from model_core.values.importing import LAYOUT_NAMES
from viz_app.files.engine import why_undrawn
from viz_app.files.tables import FORMATS
from viz_app.menu.catalogue import stage_options
from viz_app.server.desk.answering import Answering
from viz_app.server.gradio.quick import gr
from viz_app.stage.bundle import bundle, whole_bundle
from viz_app.text import WORDS

_NAME = "stage"
_API = "/gradio_api/component_server/"


def stage_component(service: Answering, with_script: bool = False) -> gr.HTML:
    """The stage. Its only way to the server is `answer`: JSON in, JSON out, errors included.

    `with_script`: the page holds the script, where no gate answers for it.
    """

    def answer(request: Any) -> dict[str, Any]:
        return service.answer(request)

    service.told(service.first)  # the page begins with a model that is open
    options = stage_options(
        service.checkpoints, service.limits, [*service.menu.opened, *service.added]
    )
    if service.opened_on:
        options |= {"model": service.opened_on, "opens": {}}
    return gr.HTML(
        "",
        html_template='<div class="stage-host"></div>',
        js_on_load=_on_load(
            options
            | {"address": True, "layouts": LAYOUT_NAMES if service.opens_paths else None}
            | {"undrawn": why_undrawn(hosted=not service.opens_paths), "data": [*FORMATS]},
            with_script,
        ),
        server_functions=[answer],
        apply_default_css=False,
        elem_id=_NAME,
    )


def stage_of(app: gr.Blocks) -> int:
    """The id of the stage's component in an app."""
    return next(block._id for block in app.blocks.values() if getattr(block, "elem_id", 0) == _NAME)


def _on_load(options: dict[str, Any], with_script: bool) -> str:
    """The script that gradio runs. The address holds the path that a proxy puts in front."""
    place = f"`${{root.replace(/\\/+$/, '')}}{bundle().path}`"
    if with_script:
        text = json.dumps(whole_bundle())
        place = f'URL.createObjectURL(new Blob([{text}], {{ type: "text/javascript" }}))'
    failed = " ".join(table["error_network"] for table in WORDS.values())
    return f"""const host = element.querySelector(".stage-host");
const root = new URL(window.gradio_config?.root ?? "", window.location.href).pathname;
const options = {json.dumps(options)};
// gradio's own way to ask loses what an answer with another status than 200 says.
const stage = window.gradio_config?.components?.find(({{ props }}) => props?.elem_id === "{_NAME}");
const address = `${{root.replace(/\\/+$/, "")}}{_API}`;
const past = async (request, signal) => {{
  const to = {{ component_id: stage.id, fn_name: "answer", session_hash: "page" }};
  const headers = {{ "Content-Type": "application/json" }};
  const body = JSON.stringify({{ data: request, ...to }});
  const got = await fetch(address, {{ method: "POST", headers, body, signal }});
  const answer = await got.json();
  return got.ok || answer.error ? answer : undefined;
}};
const ask = {json.dumps(not with_script)} && stage ? past : (request) => server.answer(request);
// Models that were opened since the page was made; asked for while the script is fetched.
const brought = options.layouts ? ask({{ brought: true }}).catch(() => ({{}})) : {{}};
Promise.all([import({place}), brought]).then(
  ([{{ mount }}, {{ models = [] }}]) => {{
    const known = options.models.map(({{ name }}) => name);
    options.models.push(...models.filter(({{ name }}) => !known.includes(name)));
    return mount(host, options, ask);
  }},
).catch(() => {{
  host.textContent = {json.dumps(failed)};
}}).finally(() => document.getElementById("first-words")?.remove());
"""
