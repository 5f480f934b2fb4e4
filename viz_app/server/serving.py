"""From a service to a page that answers: our application, served on an address by uvicorn.

The page answers first; models are opened after that, in the background.
"""

import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.middleware import Middleware

from model_core.errors import ServingError
from model_core.folders import CHECKPOINTS
from viz_app.limits import LOCAL, Limits
from viz_app.server.address import HOST, Address, bound_socket
from viz_app.server.answers.backend import Backend
from viz_app.server.answers.process import allow_files, share_memory
from viz_app.server.application import Application
from viz_app.server.connections import Connections, protocol, wanted_files
from viz_app.server.document import page_options
from viz_app.server.gradio.blocks import build_blocks
from viz_app.server.gradio.mounted import Mounted
from viz_app.server.gradio.quick import gr
from viz_app.server.local import Local
from viz_app.server.middleware import TrustedProxies
from viz_app.server.service import Service

_WAITING = 2048  # connections that the system keeps until they are accepted
_ENDING_SECONDS = 5.0  # for the answers under way


class Running(uvicorn.Server):
    """An application that is served in a thread of its own until it is closed."""

    def __init__(
        self,
        config: uvicorn.Config,
        listening: socket.socket,
        address: Address,
    ):
        super().__init__(config)
        self._listening = listening
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.server_port: int = listening.getsockname()[1]
        self.local_url = address.url(self.server_port)

    def begin(self) -> None:
        """Return when it answers; ServingError where it does not come to that."""
        self._thread.start()
        self._is_up.wait()
        if not self.started:
            raise ServingError(f"{self.local_url} could not be served; the log says why.")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        # uvicorn accepts so many in one round as it lets the system keep waiting. Those in excess
        # would be turned away by the system, and try again after a second, then two, then four.
        self._listening.listen(_WAITING)
        self._is_up.set()

    def _run(self) -> None:
        try:
            self.run([self._listening])
        finally:
            self._is_up.set()

    def close(self) -> None:
        """Stop listening, and wait a while for the answers under way."""
        self.should_exit = True
        self._thread.join(_ENDING_SECONDS)


def serve(
    service: Backend,
    address: Address,
    before: Sequence[Middleware] = (),
    listening: socket.socket | None = None,
    local: Local | None = None,
) -> Running:
    """The running application; it goes on in threads of its own until it is closed.

    `before` are middlewares in front of all others; `listening` is a socket that is bound already;
    `local` is what lets browsers answer by themselves.
    Raises ServingError where the address cannot be had.
    """
    listening = listening or bound_socket(address)  # before anything is built
    with ExitStack() as unserved:
        unserved.callback(listening.close)
        options = page_options(service) | {"local": local is not None}
        gradio = Mounted(service, options, address)
        trusted = os.environ.get("FORWARDED_ALLOW_IPS", HOST)
        proxies = Middleware(TrustedProxies, trusted_hosts=trusted)
        application = Application(service, options, gradio, address, (proxies, *before), local)
        most = service.limits.connections
        connections = Connections(most, allow_files(wanted_files(most)))
        share_memory()
        key = address.key or address.certificate
        config = uvicorn.Config(
            application,
            http=protocol(connections),
            ws="none",
            backlog=connections.backlog,
            proxy_headers=False,  # the application's own middleware reads them
            access_log=False,
            log_level="warning",
            ssl_certfile=address.certificate,
            ssl_keyfile=key,
        )
        running = Running(config, listening, address)
        running.begin()
        unserved.pop_all()
    link = _shared_link(running.server_port, address) if address.share else None
    if address.open_browser:
        webbrowser.open(link or running.local_url)
    return running


def _shared_link(port: int, address: Address) -> str | None:
    """The public address of a tunnel through gradio's servers; None where there is none."""
    from gradio.networking import setup_tunnel

    try:
        link = setup_tunnel(address.host, port, secrets.token_urlsafe(32), None, None)
    except Exception as error:  # whatever fails on the way: the page is served without it
        print(f"There is no public link: {error}", flush=True)
        return None
    print(f"* Running on public URL: {link}", flush=True)
    return link


def mount(
    app: FastAPI,
    path: str = "/attention",
    checkpoints: Path | str = CHECKPOINTS,
    limits: Limits = LOCAL,
) -> FastAPI:
    """Your app, with the page under a path of it, with the same limits as when it runs alone.

        from fastapi import FastAPI
        from viz_app import mount

        app = mount(FastAPI(), "/attention")  # uvicorn yours:app

    What it listens on, https and passwords are your app's. Take `DEMO` of viz_app.limits for
    strangers. `blocks` is the same without limits of what is open.
    """
    service = Service(Path(checkpoints), limits)
    options = page_options(service)
    app.mount(path, Application(service, options, Mounted(service, options)))
    service.warm_up()
    return app


def blocks(checkpoints: Path | str = CHECKPOINTS, token: str | None = None) -> gr.Blocks:
    """The page as a `gr.Blocks`, for a Gradio app of yours; it may stand in a tab, say.

        import gradio as gr
        from viz_app import blocks

        gr.load("checkpoints", src=blocks).launch()  # or blocks().launch()

    All that gradio opens is open there. `token` is what `gr.load` passes on.
    """
    service = Service(Path(checkpoints))
    return build_blocks(service, page_options(service), with_script=True)
