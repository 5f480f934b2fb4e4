"""The stage as a gradio component: what fetches its script, and one server function behind it."""

import json
from typing import Any

from viz_app.server.answers.backend import Backend
from viz_app.server.document import ANSWER_PATH, unanswered
from viz_app.server.gradio.quick import gr
from viz_app.stage.bundle import bundle, whole_bundle


def stage_component(
    service: Backend, options: dict[str, Any], with_script: bool = False
) -> gr.HTML:
    """The stage. Its only way to the server is `answer`: JSON in, JSON out, errors included.

    `with_script`: the page holds the script, where no route of ours answers for it.
    """

    def answer(request: Any) -> dict[str, Any]:
        return service.answer(request)

    return gr.HTML(
        "",
        html_template='<div class="stage-host"></div>',
        js_on_load=_on_load(options, with_script),
        server_functions=[answer],
        apply_default_css=False,
    )


# gradio fetches its page of the endpoints when its link is pressed. By the address alone that page
# would be open and empty, so a first press closes it.
_OPEN_API = """
const view = new URLSearchParams(window.location.search).get("view");
const openApi = () => {
  const link = document.querySelector("footer .show-api");
  if (!link) return setTimeout(openApi, 50);
  if (view === "api") link.click();
  return link.click();
};
if (view) openApi();
"""


def _on_load(options: dict[str, Any], with_script: bool) -> str:
    """The script that gradio runs. The address holds the path that a proxy puts in front."""
    begin = f"""
const root = new URL(window.gradio_config?.root ?? "", window.location.href).pathname
  .replace(/\\/+$/, "");
const begin = import(`${{root}}{bundle().path}`)
  .then(({{ start }}) => start(host, options, `${{root}}{ANSWER_PATH}`));"""
    if with_script:
        begin = f"""
const script = new Blob([{json.dumps(whole_bundle())}], {{ type: "text/javascript" }});
const begin = import(URL.createObjectURL(script))
  .then(({{ mount }}) => mount(host, options, (request) => server.answer(request)));"""
    return f"""const host = element.querySelector(".stage-host");
const options = {json.dumps(options)};{begin}
begin.catch(() => {{ host.textContent = {json.dumps(unanswered())}; }});
{"" if with_script else _OPEN_API}"""
