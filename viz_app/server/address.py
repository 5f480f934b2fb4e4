"""Where and for whom an app is served: by options, by variables of Gradio, by what is free.

Everything that can be wrong with it is said before gradio is imported. No message here quotes a
password.
"""

import argparse
import errno
import ipaddress
import os
import re
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_core.errors import ServingError

HOST, PORT, PORTS = "127.0.0.1", 7860, 100
HIGHEST = 65535
VARIABLE = "VIZ_APP_AUTH"

_ORIGIN = re.compile(r"https?://(\*\.)?[\w.-]+(:\d{1,5})?", re.ASCII)
Accounts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Address:
    """Where and for whom an app is served."""

    host: str = HOST
    port: int | None = None  # None: the first free one of `ports` from `first_port` up
    root_path: str = ""  # the prefix that a proxy puts in front, or its whole address
    accounts: Accounts = ()  # names and passwords; none: everybody
    certificate: Path | None = None  # PEM; with it the page is served over https
    key: Path | None = None  # PEM; None: it is in the certificate's file
    share: bool = False  # a public link through a tunnel of gradio's
    open_browser: bool = False
    first_port: int = PORT  # 1 to 65535
    ports: int = PORTS  # at least 1
    framed_by: tuple[str, ...] = ()  # origins whose pages may frame this one; see application.py
    for_strangers: bool = False  # whatever it listens on, a proxy say brings them

    def __post_init__(self) -> None:
        for port in (self.first_port, self.port):
            if port is not None and not 1 <= port <= HIGHEST:
                raise ServingError(f"The port is {port}; it must lie in 1 to {HIGHEST}.")
        for origin in self.framed_by:
            if not _ORIGIN.fullmatch(origin):
                raise ServingError(
                    f"--framed-by is {origin[:80]!r}; it must be an origin, such as "
                    "https://example.org."
                )
        _check_certificate(self.certificate, self.key)

    @property
    def is_own(self) -> bool:
        """Whether everybody who is to reach it sits at this computer."""
        opened = self.share or self.root_path or self.for_strangers
        return is_this_computer(self.host) and not opened

    def url(self, port: int) -> str:
        """The address of the page, at a port, for a browser of this computer."""
        host = self.host.strip("[]")
        host = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        return f"http{'' if self.certificate is None else 's'}://{host}:{port}/"


def is_this_computer(host: str) -> bool:
    """Whether a name or a number without its port means the computer that asks."""
    with suppress(ValueError):  # a name
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    return host.lower().removesuffix(".") == "localhost"


def address_of(
    options: argparse.Namespace, accounts: Accounts, environment: Mapping[str, str]
) -> Address:
    """The address; an option counts before its variable.

    ServingError where a variable holds what it cannot.
    """
    return Address(
        options.host or environment.get("GRADIO_SERVER_NAME") or HOST,
        options.port,
        options.root_path or environment.get("GRADIO_ROOT_PATH", ""),
        accounts,
        options.ssl_certfile,
        options.ssl_keyfile,
        options.share or _switch("GRADIO_SHARE", environment),
        options.open,
        _number("GRADIO_SERVER_PORT", environment, PORT),
        _number("GRADIO_NUM_PORTS", environment, PORTS),
        tuple(options.framed_by),
        options.demo,
    )


def bound_socket(address: Address) -> socket.socket:
    """A socket of the first free port, in the order in which they are tried.

    Who connects waits until the application answers.

    ServingError where the port that is asked for is in use, or all of them are.
    """
    if address.port is not None:
        return _bound(address.host, address.port)
    last = min(address.first_port + address.ports - 1, HIGHEST)
    for port in range(address.first_port, last + 1):
        with suppress(_InUse):
            return _bound(address.host, port)
    raise ServingError(
        f"Ports {address.first_port} to {last} of {address.host} are all in use. Choose another "
        "with --port."
    )


def any_socket() -> socket.socket:
    """A socket of whichever port of this computer is free."""
    return _bound(HOST, 0)


class _InUse(ServingError):
    """The port is taken."""


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; ServingError where this process cannot listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends at once only on sockets that say that they are TCP; others wait 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two listen at one port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host.strip("[]"), port))
        bound.listen()  # until then another program could bind it too
        return bound
    except OSError as error:
        bound.close()
        raise _unheard(host, port, error) from error


def _unheard(host: str, port: int, error: OSError) -> ServingError:
    """Why the server cannot listen there, and what to do."""
    if isinstance(error, PermissionError):
        return ServingError(
            f"This user may not listen on port {port}. Choose one above 1023 with --port."
        )
    if isinstance(error, socket.gaierror):
        return ServingError(
            f"There is no host {host!r} on this machine. Try --host 127.0.0.1, or 0.0.0.0 for the "
            "whole network."
        )
    if error.errno == errno.EADDRINUSE:
        return _InUse(
            f"{host}:{port} cannot be listened on: the port is in use. Stop what uses it, or "
            "choose another port with --port."
        )
    return ServingError(
        f"{host}:{port} cannot be listened on: the address is not this machine's. Try --host "
        "127.0.0.1, or 0.0.0.0 for the whole network."
    )


def _number(name: str, environment: Mapping[str, str], otherwise: int) -> int:
    text = environment.get(name, "").strip()
    if not text:
        return otherwise
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= HIGHEST):
        raise ServingError(
            f"{name} is {text[:40]!r}; it must be a whole number from 1 to {HIGHEST}."
        )
    return int(text)


def _switch(name: str, environment: Mapping[str, str]) -> bool:
    text = environment.get(name, "").strip().lower()
    if text not in ("", "true", "false"):
        raise ServingError(f"{name} is {text[:40]!r}; it must be True or False.")
    return text == "true"


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


def accounts_of(option: str | None, path: Path | None, environment: Mapping[str, str]) -> Accounts:
    """The accounts; none where nothing is given.

    An option counts before a file, and a file before the variable.
    """
    if option is not None:
        return (_account(option, "--auth"),)
    if path is not None:
        return _accounts_in(path)
    text = environment.get(VARIABLE)
    return () if text is None else (_account(text, VARIABLE),)


def _accounts_in(path: Path) -> Accounts:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ServingError(
            f"The accounts in {path} cannot be read. Give a text file with USER:PASSWORD in each "
            "line."
        ) from error
    accounts = tuple(
        _account(line, f"line {number} of {path}")
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.startswith("#")
    )
    if not accounts:
        raise ServingError(f"There is no account in {path}. Write USER:PASSWORD in each line.")
    return accounts


def _account(text: str, place: str) -> tuple[str, str]:
    name, colon, password = text.strip().partition(":")
    if not (name and colon and password):
        raise ServingError(f"{place} must be USER:PASSWORD, and neither may be empty.")
    return name, password
