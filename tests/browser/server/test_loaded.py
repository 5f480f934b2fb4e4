"""The page inside a Gradio app of somebody else's, without the gate."""

import gradio as gr
from gradio_client import Client

from tests.browser.windows import open_context
from tests.process import free_port
from tests.tiny import tiny_checkpoint
from viz_app import blocks


def test_gradio_loads_the_page_and_its_endpoints_into_another_app(browser, tmp_path):
    tiny_checkpoint(tmp_path / "tiny", max_positions=64)
    with gr.Blocks(analytics_enabled=False) as mine:
        gr.Markdown("Mine")
        gr.load(str(tmp_path), src=blocks)
    mine.launch(server_port=free_port(), prevent_thread_lock=True, quiet=True, _frontend=False)
    try:
        done = Client(mine.local_url, verbose=False).predict("The cat.", api_name="/translate")
        assert done["finished"] in ("end", "limit")
        with open_context(browser) as context:
            page = context.new_page()
            page.goto(mine.local_url)
            page.wait_for_function(
                "() => document.querySelector('.stage-host')?.stage?.drawn?.()?.weights"
            )
    finally:
        mine.close(verbose=False)
