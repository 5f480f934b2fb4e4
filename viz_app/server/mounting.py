"""`mount`: the page as a part of a FastAPI app, beside its own pages or other apps of Gradio."""

from pathlib import Path

import gradio as gr
from fastapi import FastAPI

from viz_app.server.app import build_app, launch_settings
from viz_app.server.limits import LOCAL, Limits
from viz_app.server.service import Service
from viz_app.server.serving import gate_of

CHECKPOINTS = Path(__file__).resolve().parents[2] / "checkpoints"


def mount(
    app: FastAPI,
    path: str = "/attention",
    checkpoints: Path | str = CHECKPOINTS,
    limits: Limits = LOCAL,
) -> FastAPI:
    """Your app, with the page under a path of it, behind the same gate as when it runs alone.

        from fastapi import FastAPI
        from viz_app import mount

        app = mount(FastAPI(), "/attention")  # uvicorn yours:app

    What it listens on, https and passwords are your app's. Take `DEMO` of viz_app.server.limits for
    strangers. `build_app` of viz_app.server.app is the bare `gr.Blocks`, without the gate.
    """
    service = Service(Path(checkpoints), limits)
    blocks = build_app(service)
    settings = launch_settings()
    blocks.state_session_capacity = settings.pop("state_session_capacity")
    mounted = gr.mount_gradio_app(
        app, blocks, path, app_kwargs={"middleware": [gate_of(blocks, service)]}, **settings
    )
    service.warm_up()
    return mounted
