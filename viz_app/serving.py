"""From a service to a page that answers: gradio behind its gate, on an address.

The page answers first; models are opened after that, in the background.
"""

import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.utils import LRUCache
from starlette.middleware import Middleware

from model_core.errors import ServingError
from viz_app.app import build_app, launch_settings
from viz_app.gate import Gate
from viz_app.service import Service

_IDLE_THREADS = 16  # for what asks no model, beside those at work and in line


@dataclass(frozen=True)
class Address:
    """Where and for whom an app is served."""

    host: str = "127.0.0.1"
    port: int | None = None  # None: the first free one from 7860
    root_path: str = ""  # the prefix that a proxy puts in front, or its whole address
    accounts: tuple[tuple[str, str], ...] = ()  # name and password; none: everybody
    certificate: Path | None = None  # PEM; with it the page is served over https
    key: Path | None = None  # PEM; None: it is in the certificate's file
    share: bool = False  # a public link through a tunnel of gradio's
    open_browser: bool = False


def serve(service: Service, address: Address) -> gr.Blocks:
    """The running app; it goes on in threads of its own until it is closed.

    Raises ServingError where the address cannot be had.
    """
    if address.port is not None:
        _check_port(address.host, address.port)
    _check_certificate(address.certificate, address.key)
    app = build_app(service)
    # Answers that nobody fetches are kept for so many visitors only.
    queue = app._queue
    queue.pending_messages_per_session = LRUCache(service.limits.unread)

    def forget_unread() -> None:
        kept, known = queue.pending_messages_per_session, queue.pending_event_ids_session
        if len(known) > 2 * service.limits.unread:
            for session in [session for session in known if session not in kept]:
                known.pop(session, None)

    gate = Middleware(
        Gate,
        limits=service.limits,
        health=service.health,
        after_join=forget_unread,
        root_path=address.root_path,
        shared=address.share,
    )
    certificate = address.certificate
    try:
        app.launch(
            server_name=address.host,
            server_port=address.port,
            inbrowser=address.open_browser,
            root_path=address.root_path,
            auth=list(address.accounts) or None,
            share=address.share,
            ssl_certfile=None if certificate is None else str(certificate),
            ssl_keyfile=None if certificate is None else str(address.key or certificate),
            ssl_verify=False,  # gradio asks itself whether it answers, by a name of its own
            prevent_thread_lock=True,
            quiet=True,
            max_threads=service.limits.at_once + service.limits.in_line + _IDLE_THREADS,
            app_kwargs={"middleware": [gate]},
            **launch_settings(),
        )
    except OSError as error:
        raise _port_in_use(address.host, address.port or 7860) from error
    return app


def _check_port(host: str, port: int) -> None:
    if not 1 <= port <= 65535:
        raise ServingError(f"The port is {port}; it must lie in 1 to 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((host.strip("[]"), port))
    except PermissionError as error:
        raise ServingError(
            f"This user may not listen on port {port}. Choose one above 1023 with --port."
        ) from error
    except socket.gaierror as error:
        raise ServingError(
            f"There is no host {host!r} on this machine. Try --host 127.0.0.1, or 0.0.0.0 for the "
            "whole network."
        ) from error
    except OSError as error:
        raise _port_in_use(host, port) from error


def _port_in_use(host: str, port: int) -> ServingError:
    return ServingError(
        f"{host}:{port} cannot be listened on: the port is in use, or the address is not this "
        "machine's. Stop what uses it, or choose another port with --port."
    )


def _check_certificate(certificate: Path | None, key: Path | None) -> None:
    if certificate is None:
        if key is not None:
            raise ServingError("A key needs its certificate: add --ssl-certfile.")
        return
    for path in (certificate, key):
        if path is not None and not path.is_file():
            raise ServingError(f"There is no file {path}. Give the path of a PEM file.")

    def no_password() -> Any:
        raise ServingError(f"The key in {key or certificate} has a password; take one without.")

    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key, password=no_password)
    except (ssl.SSLError, OSError) as error:
        raise ServingError(
            f"{certificate} and {key or 'the key in it'} cannot be used as a certificate and its "
            "key. Both must be PEM files, and belong together."
        ) from error
