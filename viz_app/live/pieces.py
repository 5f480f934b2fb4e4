"""What a browser fetches to run the app by itself: the interpreter, NumPy, our modules, models.

A folder of it holds pieces.json, which names every piece with its size and its SHA-256, the scripts
of the worker, and the pieces, most of them under the hash of what is in them. The folder is served
by anything that serves files.
"""

import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_core.checkpoints.folder import list_checkpoints
from model_core.errors import ExportError
from model_core.models.hub.folder import is_hub_folder
from viz_app.live.packages import archive
from viz_app.version import VERSION

FORMAT = 1
_HERE = Path(__file__).parent
_VENDOR = _HERE / "vendor"
# Browsers import these by name; the worker is the first.
SCRIPTS = ("worker.js", "engine.js", "fetching.js", "line.js")
_INTERPRETER = ("pyodide.mjs", "pyodide.asm.js")
_ENDINGS = (".json", ".md", ".safetensors")  # of the files of a model
_KNOWN = ("config.json", "card.md")  # what every answer may need of every model
_LONG_AGO = (1980, 1, 1, 0, 0, 0)

Piece = dict[str, Any]  # path, bytes and sha256 of what is fetched; whether it is "packed": gzip


@dataclass(frozen=True, eq=False)
class Pieces:
    """What computes in the pages: its files below the folder `base`, and how many bytes a visitor
    fetches of the parts that all models share and of each model."""

    files: Mapping[str, bytes]
    shared: Mapping[str, int]
    models: Mapping[str, int]
    base: str = "live/"

    @classmethod
    def of(cls, checkpoints: Path, names: Iterable[str] | None = None) -> "Pieces":
        """Those of every model of a folder that can be opened without torch, or of `names`."""
        files = live_files(checkpoints, names)
        named = json.loads(files["pieces.json"])
        parts = {name: named[name] for name in ("interpreter", "packages")}

        def bytes_of(these: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
            return {
                name: sum(one["bytes"] for one in pieces.values()) for name, pieces in these.items()
            }

        scripts = sum(len(content) for name, content in files.items() if not name.endswith(".bin"))
        return cls(files, bytes_of(parts) | {"scripts": scripts}, bytes_of(named["models"]))


def live_files(checkpoints: Path, names: Iterable[str] | None = None) -> dict[str, bytes]:
    """The files of the folder by their names, those of `names` alone; None: of every model there.

    The same modules and models give the same bytes. ExportError where a model is not there, or the
    pieces of the interpreter are damaged.
    """
    there = [n for n in list_checkpoints(checkpoints) if not is_hub_folder(checkpoints / n)]
    chosen = there if names is None else list(names)
    if missing := sorted(set(chosen) - set(there)):
        known = ", ".join(there) or "none"
        raise ExportError(f"There is no model {missing[0]!r} in {checkpoints}; there are: {known}.")
    made = json.loads((_VENDOR / "made.json").read_text("utf-8"))
    files = {name: (_HERE / name).read_bytes() for name in SCRIPTS}
    files |= {name: gzip.decompress(_vendored(f"{name}.gz", made)) for name in _INTERPRETER}
    folders = {name: _model(checkpoints / name) for name in chosen}
    pieces = {
        "format": FORMAT,
        "version": VERSION,
        "lock": made["lock"],
        "interpreter": {
            "wasm": _add(files, _vendored("pyodide.asm.wasm.gz", made), packed=True),
            "library": _add(files, _vendored("python_stdlib.zip", made)),
        },
        "packages": {
            "numpy": _add(files, _vendored("numpy.zip", made)),
            "app": _add(files, archive()),
            "kernel": _add(files, (_HERE / "kernel" / "kernel.wasm").read_bytes()),
            "known": _add(files, _known(folders)),
        },
        "models": {
            name: {file: _packed(files, content) for file, content in folder.items()}
            for name, folder in folders.items()
        },
    }
    files["pieces.json"] = (json.dumps(pieces, indent=1) + "\n").encode()
    return files


def _vendored(name: str, made: dict[str, Any]) -> bytes:
    content = (_VENDOR / name).read_bytes()
    if hashlib.sha256(content).hexdigest() != made["sha256"][name]:
        raise ExportError(f"{_VENDOR / name} is damaged. Install the program once more.")
    return content


def _model(folder: Path) -> dict[str, bytes]:
    """The files of a checkpoint."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in _ENDINGS)
    return {path.name: path.read_bytes() for path in paths}


def _known(folders: dict[str, dict[str, bytes]]) -> bytes:
    """An archive of what is known of all models before any of them is fetched."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archived:
        for model, files in folders.items():
            for name in _KNOWN:
                entry = zipfile.ZipInfo(f"{model}/{name}", _LONG_AGO)
                archived.writestr(entry, files.pop(name), zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


def _packed(files: dict[str, bytes], content: bytes) -> Piece:
    return _add(files, gzip.compress(content, 9, mtime=0), packed=True)


def _add(files: dict[str, bytes], content: bytes, packed: bool = False) -> Piece:
    digest = hashlib.sha256(content).hexdigest()
    name = f"{digest[:16]}.bin"  # an ending that no server compresses or unpacks by itself
    files[name] = content
    return {"path": name, "bytes": len(content), "sha256": digest, "packed": packed}
