"""What a server offers to the browsers of its visitors, which then answer by themselves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model_core.checkpoints.folder import standing
from viz_app.live.pieces import Pieces
from viz_app.menu.catalogue import models_of
from viz_app.rooms import ROOMS
from viz_app.server.answers.requests import may_open_others
from viz_app.version import VERSION

MOST_BYTES = 30 * 10**6  # of a model's files: what a visitor's browser may be asked to hold


def offered(
    checkpoints: Path, limits: str, modules: bytes | None = None
) -> tuple[dict[str, Any], Mapping[str, bytes]]:
    """The pieces of all models of a folder that are small enough, as they lie there now.

    What a page gets of them, in JSON, and the files by their names.

    `limits` names those that hold: an answer must not depend on who gives it. `modules` is the
    archive of ours; None: as source.
    """
    models = models_of(checkpoints).own
    own = [one["name"] for one in models if one["of"] is None]
    small = [name for name in own if _bytes_of(checkpoints / name) <= MOST_BYTES]
    pieces = Pieces.of(checkpoints, small, modules)
    fingerprints = {
        one["name"]: one["fingerprint"] for one in models if (one["of"] or one["name"]) in small
    }
    about = {
        "version": VERSION,
        "fingerprints": fingerprints,
        "sizes": {"shared": dict(pieces.shared), "models": dict(pieces.models)},
        "others": [room.name for room in ROOMS if may_open_others({"room": room.name})],
        "limits": limits,
    }
    return about, pieces.files


def _bytes_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in standing(folder).iterdir() if path.is_file())
