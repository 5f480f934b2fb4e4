"""What lets a visitor's browser answer by itself: the files that it fetches, once they are made.

They come from packages above this one, while the server answers already; until then there are none,
and the page goes on asking the server. They lie in a folder of their own, so that a checkpoint that
is replaced meanwhile changes nothing in them.
"""

import hashlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from viz_app.server.answers.requests import to_json_bytes
from viz_app.server.ending import OUTLIVING
from viz_app.server.responses import plain_response

# A worker has a policy of its own: it is WebAssembly, and asks this server alone.
_POLICY = "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; connect-src 'self'"
_SCRIPTS = (".js", ".mjs")


class Local:
    """The files that are offered; none before `offer`."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(
            prefix="attention-visualiser-", ignore_cleanup_errors=True
        )
        OUTLIVING.add(self.close)
        self._digest = ""
        self._about: dict[str, Any] | None = None
        # What answers at which address.
        self.answers = {"/local/about": self._tell, "/local/{digest}/{name}": self._file}

    def offer(self, about: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
        """Write the files, and offer them from then on; `about` is what a page gets, in JSON."""
        digest = hashlib.sha256(files["pieces.json"]).hexdigest()[:16]
        for name, content in files.items():
            (Path(self._folder.name) / name).write_bytes(content)
        self._digest, self._about = digest, {"base": f"local/{digest}/", **about}

    def close(self) -> None:
        """Remove the files."""
        self._about = None
        self._folder.cleanup()
        OUTLIVING.discard(self.close)

    async def _tell(self, _: Request) -> Response:
        """What a page gets: where the files lie, and of which models they are."""
        if self._about is None:
            return plain_response(404, "Nothing is offered yet.")
        headers = {"content-type": "application/json", "cache-control": "no-store"}
        return Response(to_json_bytes(self._about), headers=headers)

    async def _file(self, request: Request) -> Response:
        """One of the files, which a browser keeps: another offer has another address."""
        digest, name = (request.path_params[part] for part in ("digest", "name"))
        path = Path(self._folder.name) / name
        if self._about is None or digest != self._digest or not path.is_file():
            return plain_response(404, "This file is of another version. Reload the page.")
        kind = "text/javascript" if name.endswith(_SCRIPTS) else "application/octet-stream"
        lasting = "public, max-age=31536000, immutable"
        headers = {"cache-control": lasting, "content-security-policy": _POLICY}
        return FileResponse(path, headers=headers, media_type=kind)
