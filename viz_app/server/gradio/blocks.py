"""The stage and the endpoints for programs as blocks of gradio."""

import inspect
import json
from functools import wraps
from typing import Any

from viz_app.server.answers.backend import Backend
from viz_app.server.document import ANSWER_PATH, unanswered
from viz_app.server.endpoints import Endpoint, endpoint_reply, endpoints, in_full
from viz_app.server.gradio.quick import gr
from viz_app.server.logs import logged
from viz_app.stage.bundle import bundle, whole_bundle
from viz_app.text import WORDS
from viz_app.values.colours import COLOURS
from viz_app.values.wire import Json

# gradio's own page is that of the endpoints; the stage behind it brings its own margins. The last
# language of the page of endpoints is MCP, which is closed.
_BACK = f"""
body, gradio-app {{ background: {COLOURS["light"]["paper"]} !important; }}
body.dark, .dark gradio-app {{ background: {COLOURS["dark"]["paper"]} !important; }}
"""
_PAGE = """
.gradio-container > main, .gradio-container .app {
  padding: 0 !important; max-width: none !important;
}
.gradio-container { background: none !important; }
html:has(> body.dark) { color-scheme: dark; }
@media print { .gradio-container footer { display: none !important; } }
.api-docs .snippets li:last-child { display: none; }
.api-docs .endpoint > p.padded:has(code ~ code) { display: none; } /* two requests, and uploads */
"""


def build_blocks(service: Backend, options: Json, with_script: bool = False) -> gr.Blocks:
    """The whole app, with the endpoints for programs: /models, /translate, /step, /trace, ...

    `options` are those of the stage. Nothing is computed until a page or a program asks.
    `with_script` is for another app, where no route of ours answers for the script.
    """
    from gradio.context import get_blocks_context  # after quick.py has imported gradio

    page: dict[str, Any] = {
        "title": WORDS["en"]["title"],
        "analytics_enabled": False,
        "fill_width": True,
    }
    with gr.Blocks(**page) as app:
        stage_component(service, options, with_script)
        for endpoint in endpoints(service):
            # How many use the models at once, and how many wait, is the service's to say. Without
            # gradio's queue one POST has its answer; clients that join the queue still may.
            made = gr.api(
                _called(service, endpoint),
                api_name=endpoint.__name__,
                queue=False,
                concurrency_limit=None,
            )
            function: Any = (get_blocks_context() or app).fns[
                made["id"]
            ]  # another app's, inside one
            names = inspect.signature(endpoint).parameters
            for part, name in zip(function.inputs, names, strict=True):
                part.label = name
            for part in function.outputs:
                part.label = "answer"
    return app


def page_settings() -> dict[str, Any]:
    """How gradio's page looks, and what it may do, whatever gradio's variables say.

    Only the system's fonts, no history in the browser, no request to anyone, no other server.
    """
    system = ["system-ui", "sans-serif"]
    mono = ["ui-monospace", "monospace"]
    return {
        "theme": gr.themes.Base(font=system, font_mono=mono),
        "head": f"<style>{_BACK}{_PAGE}</style>",
        "footer_links": ["api"],
        "run_history": False,
        "enable_monitoring": False,
        "show_error": True,
        "mcp_server": False,
        "ssr_mode": False,
    }


def _called(service: Backend, endpoint: Endpoint) -> Endpoint:
    """The endpoint, its VisualiserError as gradio's, so that the caller reads the message."""

    @wraps(endpoint)
    def called(*values: Any) -> Any:
        with logged(f"api {endpoint.__name__}", service.metrics) as outcome:
            reply = endpoint_reply(service, endpoint, lambda: in_full(endpoint, values))
            outcome.code = reply.code
        read = json.loads(reply.body)
        if reply.code != "ok":
            raise gr.Error(read["detail"], print_exception=False)
        return read

    return called


def stage_component(service: Backend, options: Json, with_script: bool = False) -> gr.HTML:
    """The stage. Its only way to the server is `answer`: JSON in, JSON out, errors included.

    `with_script`: the page holds the script, where no route of ours answers for it.
    """

    def answer(request: Any) -> Json:
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


def _on_load(options: Json, with_script: bool) -> str:
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
