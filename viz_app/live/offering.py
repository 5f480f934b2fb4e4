"""What a server offers to the browsers of its visitors, which then answer by themselves."""

from pathlib import Path

from model_core.checkpoints.folder import list_checkpoints
from model_core.checkpoints.snapshots import parted
from model_core.models.hub.folder import is_hub_folder
from viz_app.live.pieces import Pieces
from viz_app.menu.catalogue import models_of
from viz_app.rooms import ROOMS
from viz_app.server.answers.requests import may_open_others
from viz_app.server.local import Offer
from viz_app.version import VERSION

MOST_BYTES = 30 * 10**6  # of a model's files: what a visitor's browser may be asked to hold


def offered(checkpoints: Path, limits: str, modules: bytes | None = None) -> Offer:
    """The pieces of all models of a folder that are small enough, as they lie there now.

    `limits` names those that hold: an answer must not depend on who gives it. `modules` is the
    archive of ours; None: as source.
    """
    small = [name for name in list_checkpoints(checkpoints) if _is_small(checkpoints / name)]
    pieces = Pieces.of(checkpoints, small, modules)
    fingerprints = {
        one["name"]: one["fingerprint"]
        for one in models_of(checkpoints)[0]
        if parted(one["name"])[0] in small
    }
    about = {
        "version": VERSION,
        "fingerprints": fingerprints,
        "sizes": {"shared": dict(pieces.shared), "models": dict(pieces.models)},
        "others": [room.name for room in ROOMS if may_open_others({"room": room.name})],
        "limits": limits,
    }
    return Offer(about, pieces.files)


def _is_small(folder: Path) -> bool:
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    return size <= MOST_BYTES and not is_hub_folder(folder)
