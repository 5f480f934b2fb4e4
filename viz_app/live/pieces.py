"""What a browser fetches to run the app by itself: the interpreter, NumPy, our modules, models.

A folder of it holds pieces.json, which names every piece with its size and its SHA-256, the scripts
of the worker, and the pieces, most of them under the hash of what is in them. The folder is served
by anything that serves files. Every piece is compressed with gzip: weights plane by plane, the
first bytes of all numbers apart from the last ones.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_core.checkpoints.folder import read_settled
from viz_app.live.packages import archive, page_archive, together
from viz_app.live.vendored import made, packed, vendored
from viz_app.menu.catalogue import models_of
from viz_app.version import VERSION

FORMAT = 2
_HERE = Path(__file__).parent
# Browsers import these by name; the worker is the first.
SCRIPTS = ("worker.js", "archive.js", "interpreter.js", "fetching.js", "line.js")
_ENDINGS = (".json", ".md", ".safetensors")  # of the files of a model
_KNOWN = ("config.json", "card.md")  # what every answer may need of every model
_TRIED = 2**18  # bytes of a file of weights, to see in how many planes it takes least

# Path, bytes and SHA-256 of what is fetched; in how many planes it lies, once it is unpacked.
Piece = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Pieces:
    """What computes in the pages: its files below the folder `base`, and how many bytes a visitor
    fetches of the parts that all models share and of each model."""

    files: Mapping[str, bytes]
    shared: Mapping[str, int]
    models: Mapping[str, int]
    base: str = "live/"

    @classmethod
    def of(
        cls,
        checkpoints: Path,
        names: Iterable[str] | None = None,
        modules: bytes | None = None,
    ) -> "Pieces":
        """The pieces of every model of a folder that can be opened without torch, or of `names`.

        `modules` is the archive of ours; None: as source. The same modules and models give the same
        bytes. ExportError where the pieces of the interpreter are damaged.
        """
        if names is None:
            names = sorted(one["name"] for one in models_of(checkpoints).own if one["of"] is None)
        files = {name: (_HERE / name).read_bytes() for name in SCRIPTS}
        files["pyodide.mjs"] = vendored("pyodide.mjs")
        folders = {name: _model(checkpoints / name) for name in names}
        pieces: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "lock": made()["lock"],
            "interpreter": {
                "script": _add(files, packed("pyodide.asm.js")),
                "wasm": _add(files, packed("pyodide.asm.wasm")),
                "library": _add(files, packed("python_stdlib.zip")),
            },
            "packages": {
                "numpy": _add(files, packed("numpy.zip")),
                "app": _packed(files, archive() if modules is None else modules),
                "kernel": _packed(files, (_HERE / "kernel" / "kernel.wasm").read_bytes()),
                "known": _packed(files, _known(folders)),
            },
            "page": _packed(files, page_archive()),  # fetched when one is saved
            "models": {
                name: {file: _packed(files, content) for file, content in folder.items()}
                for name, folder in folders.items()
            },
        }
        files["pieces.json"] = (json.dumps(pieces, indent=1) + "\n").encode()

        def bytes_of(these: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
            return {
                name: sum(one["bytes"] for one in pieces.values()) for name, pieces in these.items()
            }

        parts = {name: pieces[name] for name in ("interpreter", "packages")}
        scripts = sum(len(content) for name, content in files.items() if not name.endswith(".bin"))
        return cls(files, bytes_of(parts) | {"scripts": scripts}, bytes_of(pieces["models"]))


def _model(folder: Path) -> dict[str, bytes]:
    """The files of a checkpoint."""

    def read(place: Path) -> dict[str, bytes]:
        paths = sorted(path for path in place.iterdir() if path.suffix in _ENDINGS)
        return {path.name: path.read_bytes() for path in paths}

    return read_settled(folder, read)


def _known(folders: dict[str, dict[str, bytes]]) -> bytes:
    """An archive of what is known of all models before any of them is fetched."""
    return together(
        {
            f"{model}/{name}": files.pop(name)
            for model, files in folders.items()
            for name in _KNOWN
            if name in files
        }
    )


def _packed(files: dict[str, bytes], content: bytes) -> Piece:
    planes = min((1, 2, 4), key=lambda planes: len(_gzip(parted(content[:_TRIED], planes))))
    return _add(files, _gzip(parted(content, planes)), planes)


def parted(content: bytes, planes: int) -> bytes:
    """The first bytes of all numbers, then all second bytes, and so on."""
    whole = len(content) - len(content) % planes
    return b"".join(content[plane:whole:planes] for plane in range(planes)) + content[whole:]


def _gzip(content: bytes) -> bytes:
    """Compressed, in weights without a search for what repeats where nothing does."""

    def by(strategy: int) -> bytes:
        packing = zlib.compressobj(9, zlib.DEFLATED, 31, 9, strategy)
        return packing.compress(content) + packing.flush()

    return min(by(zlib.Z_DEFAULT_STRATEGY), by(zlib.Z_HUFFMAN_ONLY), key=len)


def _add(files: dict[str, bytes], content: bytes, planes: int = 1) -> Piece:
    digest = hashlib.sha256(content).hexdigest()
    name = f"{digest[:16]}.bin"  # an ending that no server compresses or unpacks by itself
    files[name] = content
    return {"path": name, "bytes": len(content), "sha256": digest, "planes": planes}
