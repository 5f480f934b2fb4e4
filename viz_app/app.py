"""The page: places the tabs."""

from typing import Any

import gradio as gr

from viz_app.service import Service
from viz_app.stage.stage import style
from viz_app.tabs.translate import translate_tab
from viz_app.text import WORDS

# The stage brings its own margins; the page around it keeps quiet, in the stage's language: the
# host's own words follow the browser's.
_PAGE = """
body, gradio-app { background: #fbfaf7 !important; }
body.dark, .dark gradio-app { background: #111217 !important; }
.gradio-container > main, .gradio-container .app {
  padding: 0 !important; max-width: none !important;
}
.gradio-container { background: none !important; }
footer .show-api { font-size: 0 !important; }
footer .divider { display: none; }
"""
_FOOTER = "".join(
    f'html[lang^="{language}"] footer .show-api::before '
    f'{{ content: "{table["api_link"]}"; font-size: 14px; }}\n'
    for language, table in WORDS.items()
)


def build_app(service: Service) -> gr.Blocks:
    """The whole app; nothing is computed until a page asks."""
    with gr.Blocks(title=WORDS["en"]["title"], analytics_enabled=False, fill_width=True) as app:
        translate_tab(service)
    return app


def launch_settings() -> dict[str, Any]:
    """What `launch` needs besides address and port.

    Only the system's fonts, no history in the browser, no request to anyone.
    """
    system = ["system-ui", "sans-serif"]
    mono = ["ui-monospace", "monospace"]
    return {
        "theme": gr.themes.Base(font=system, font_mono=mono),
        "head": f"<style>{style()}{_PAGE}{_FOOTER}</style>",
        "footer_links": ["api"],
        "run_history": False,
        "enable_monitoring": False,
        "state_session_capacity": 1000,
        "show_error": True,
    }
