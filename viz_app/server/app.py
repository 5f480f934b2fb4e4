"""The page: the stage, and the same actions as named endpoints for programs."""

import inspect
import json
from functools import wraps
from typing import Any

from viz_app.server.component import stage_component
from viz_app.server.desk.answering import Answering
from viz_app.server.endpoints import Endpoint, answer_of, endpoints
from viz_app.server.gradio.quick import gr, unserved
from viz_app.server.logs import logged
from viz_app.text import WORDS
from viz_app.values.colours import COLOURS

# The stage brings its own margins; the page around it keeps quiet, in the stage's language: the
# host's own words follow the browser's. The last language of the page of endpoints is MCP, which is
# closed.
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
.gradio-container .app > footer, .gradio-container footer { margin: 0 !important;
  padding: 0 0 2px !important; min-height: 0 !important; line-height: 1.2 !important; }
@media (max-width: 640px) {
  .gradio-container footer { padding-bottom: 76px !important; }
}
footer .show-api { font-size: 0 !important; }
footer .divider { display: none; }
@media print { .gradio-container footer { display: none !important; } }
.api-docs .snippets li:last-child { display: none; }
.api-docs .endpoint > p.padded:has(code ~ code) { display: none; } /* two requests, and uploads */
"""
_FOOTER = "".join(
    f'html[lang^="{language}"] footer .show-api::before '
    f'{{ content: "{table["api_link"]}"; font-size: 12px; }}\n'
    for language, table in WORDS.items()
)


def first_words() -> str:
    """What the page says, in its place and colours, until the stage is there and takes it away."""
    light, dark = COLOURS["light"], COLOURS["dark"]
    said = {name: [table["title"], table["tagline"]] for name, table in WORDS.items()}
    return f"""<style>
html body {{ background: {light["paper"]}; color: {light["ink"]}; }}
@media (prefers-color-scheme: dark) {{
  html body {{ background: {dark["paper"]}; color: {dark["ink"]}; }}
}}
#first-words {{ position: absolute; left: 26px; top: 18px; font: 14px/1.3 system-ui, sans-serif; }}
#first-words b {{ display: block; font-size: 1.2em; font-weight: 650; letter-spacing: -0.01em; }}
#first-words small {{ font-size: 0.76em; opacity: 0.7; }}
</style><div id="first-words"><b></b><small></small></div><script>{{
  const said = {json.dumps(said)};
  const [title, tagline] = said[navigator.language.slice(0, 2)] ?? said.en;
  document.querySelector("#first-words b").textContent = title;
  document.querySelector("#first-words small").textContent = tagline;
}}</script>"""


def build_app(service: Answering, with_script: bool = False) -> gr.Blocks:
    """The whole app, with the endpoints for programs: /models, /translate, /step, /trace, ...

    Nothing is computed until a page or a program asks. `with_script` is for where no gate stands.
    """
    from gradio.context import get_blocks_context  # after quick.py has imported gradio

    page: dict[str, Any] = {
        "title": WORDS["en"]["title"],
        "analytics_enabled": False,
        "fill_width": True,
    }
    with unserved(), gr.Blocks(**page) as app:
        stage_component(service, with_script)
        for endpoint in endpoints(service):
            # How many use the models at once, and how many wait, is the service's to say. Without
            # gradio's queue one POST has its answer; clients that join the queue still may.
            called = gr.api(
                _told(service, endpoint),
                api_name=endpoint.__name__,
                queue=False,
                concurrency_limit=None,
            )
            function: Any = (get_blocks_context() or app).fns[
                called["id"]
            ]  # another app's, inside one
            names = inspect.signature(endpoint).parameters
            for part, name in zip(function.inputs, names, strict=True):
                part.label = name
            for part in function.outputs:
                part.label = "answer"
    return app


def launch_settings() -> dict[str, Any]:
    """What `launch` needs besides address and port.

    Only the system's fonts, no history in the browser, no request to anyone.
    """
    system = ["system-ui", "sans-serif"]
    mono = ["ui-monospace", "monospace"]
    return {
        "theme": gr.themes.Base(font=system, font_mono=mono),
        "head": f"<style>{_BACK}{_PAGE}{_FOOTER}</style>",
        "footer_links": ["api"],
        "run_history": False,
        "enable_monitoring": False,
        "state_session_capacity": 1000,
        "show_error": True,
    }


def _told(service: Answering, endpoint: Endpoint) -> Endpoint:
    """The endpoint, its VisualiserError as gradio's, so that the caller reads the message."""

    @wraps(endpoint)
    def told(*values: Any) -> Any:
        with logged(f"api {endpoint.__name__}", service.metrics) as outcome:
            answer = answer_of(service, endpoint, values)
            outcome.code = answer.code
        read = json.loads(answer.body)
        if answer.code != "ok":
            raise gr.Error(read["detail"], print_exception=False)
        return read

    return told
