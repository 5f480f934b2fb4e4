"""A small reverse proxy in front of a server, under the prefix /attention."""

import http.client
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PREFIX = "/attention"


class _Proxy(http.server.BaseHTTPRequestHandler):
    """Passes on what is under the prefix, with it (`keeps`) or without it; all else is 404."""

    protocol_version = "HTTP/1.1"
    behind, keeps = 0, False

    def do_GET(self) -> None:
        if not self.path.startswith(PREFIX):
            self.send_error(404)
            return
        path = self.path if self.keeps else self.path.removeprefix(PREFIX) or "/"
        connection = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=60)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name: text for name, text in self.headers.items() if name.lower() != "host"}
        headers |= {"host": f"127.0.0.1:{self.behind}", "x-forwarded-host": self.headers["host"]}
        connection.request(self.command, path, body or None, headers)
        answer = connection.getresponse()
        self.send_response(answer.status)
        for name, text in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection"):
                self.send_header(name, text)
        self.send_header("connection", "close")
        self.end_headers()
        while piece := answer.read1(65536):
            self.wfile.write(piece)
        connection.close()
        self.close_connection = True

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def proxy_of(url: str, keeps: bool) -> Iterator[str]:
    """The address, prefix included, under which the server at `url` is seen from outside."""
    handler = type("Handler", (_Proxy,), {"behind": int(url.rsplit(":")[-1]), "keeps": keeps})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{proxy.server_port}{PREFIX}"
        finally:
            proxy.shutdown()
