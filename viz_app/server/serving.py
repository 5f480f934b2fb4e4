"""From a service to a page that answers: gradio behind its gate, on an address.

The page answers first; models are opened after that, in the background.
"""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.middleware import Middleware

from model_core.places import CHECKPOINTS
from viz_app.limits import LOCAL, Limits
from viz_app.server.address import HOST, Address, free_ports
from viz_app.server.app import build_app, launch_settings
from viz_app.server.desk.answering import Answering
from viz_app.server.desk.desk import Desk
from viz_app.server.desk.process import allow_files, share_memory
from viz_app.server.desk.sockets import Sockets, protocol, wanted_files
from viz_app.server.document import page_options
from viz_app.server.doors import FromProxies, answers_unshared
from viz_app.server.gate import Gate
from viz_app.server.gradio.inside import (
    bound_unread,
    keep_no_values,
    look_less_often,
    mend_the_page,
    speaking,
    tell_plain_curl,
)
from viz_app.server.gradio.quick import gr
from viz_app.server.service import Service

_IDLE_THREADS = 16  # for what asks no model, beside those at work and in line


def serve(service: Answering, address: Address, before: tuple[Middleware, ...] = ()) -> gr.Blocks:
    """The running app; it goes on in threads of its own until it is closed.

    `before` stands in front of the gate.
    Raises ServingError where the address cannot be had.
    """
    ports = free_ports(address)
    port = next(ports)  # before anything is built
    options = page_options(service)
    app = build_app(service, options)
    keep_no_values()
    mend_the_page()
    tell_plain_curl()
    gate = gate_of(app, service, options, address)
    limits = service.limits
    sockets = Sockets(limits.connections, allow_files(wanted_files(limits.connections)))
    counted = protocol(sockets)
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", HOST)
    from_proxies = partial(FromProxies, trusted_hosts=trusted)
    share_memory()
    certificate = None if address.certificate is None else str(address.certificate)
    while True:
        with (
            suppress(OSError),
            answers_unshared(),
            speaking(counted, sockets.backlog, from_proxies),
        ):  # somebody else was faster at this port
            app.launch(
                server_name=address.host,
                server_port=port,
                inbrowser=address.open_browser,
                root_path=address.root_path,
                auth=list(address.accounts) or None,
                share=address.share,
                ssl_certfile=certificate,
                ssl_keyfile=str(address.key or certificate) if certificate else None,
                ssl_verify=False,  # gradio asks itself whether it answers, by a name of its own
                prevent_thread_lock=True,
                # It asked for its start-up events already; asked again, it gives itself three
                # seconds to answer, which a busy machine may need for other work.
                _frontend=False,
                quiet=True,
                max_threads=limits.at_once + limits.in_line + limits.at_door + _IDLE_THREADS,
                app_kwargs={"middleware": [*before, gate]},
                **launch_settings(),
            )
            return app
        port = next(ports)


def gate_of(
    app: gr.Blocks, service: Answering, options: dict[str, Any], address: Address | None = None
) -> Middleware:
    """The gate in front of an app, for gradio to put it there; `options` are those of the page."""
    own_names_only = address is not None and address.is_own and not address.accounts
    address = address or Address()
    look_less_often(app)
    return Middleware(
        Gate,
        limits=service.limits,
        desk=Desk(service),
        options=options,
        after_join=bound_unread(app, service.limits.unread),
        root_path=address.root_path,
        shared=address.share,
        accounts=address.accounts,
        framed_by=address.framed_by,
        own_names_only=own_names_only,
    )


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

    What it listens on, https and passwords are your app's. Take `DEMO` of viz_app.limits for
    strangers. `blocks` is the same without the gate.
    """
    service = Service(Path(checkpoints), limits)
    options = page_options(service)
    blocks = build_app(service, options)
    settings = launch_settings()
    blocks.state_session_capacity = settings.pop("state_session_capacity")
    kept = {"middleware": [gate_of(blocks, service, options)]}
    with answers_unshared():
        mounted = gr.mount_gradio_app(app, blocks, path, app_kwargs=kept, **settings)
    service.warm_up()
    return mounted


def blocks(checkpoints: Path | str = CHECKPOINTS, token: str | None = None) -> gr.Blocks:
    """The page as a `gr.Blocks`, for a Gradio app of yours; it may stand in a tab, say.

        import gradio as gr
        from viz_app import blocks

        gr.load("checkpoints", src=blocks).launch()  # or blocks().launch()

    No gate stands before it: all that gradio opens is open. `token` is what `gr.load` passes on.
    """
    service = Service(Path(checkpoints))
    return build_app(service, page_options(service), with_script=True)
