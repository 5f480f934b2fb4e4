"""A site whose pages compute, written once for all tests that open it."""

import fcntl
import shutil
from pathlib import Path

import pytest

from model_core.decoding.library import Library
from tests.browser.files.live import HUB, LARGE, OTHER, SMALL
from tests.conftest import CHECKPOINTS
from tests.model_core.models.hub.tiny import saved_hub
from viz_app.live.compiling import modules
from viz_app.live.pieces import Pieces
from viz_app.rooms.examples import EXAMPLES
from viz_app.site.building import MARK, site_files, write_site


@pytest.fixture(scope="session")
def live_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The site of `live_models`; of several processes of tests the first one writes it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "live"
    folder.mkdir(exist_ok=True)
    site = folder / "of mine"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (site / MARK).exists():
            _write(folder / "models", site)
    return site


@pytest.fixture
def live_models(live_folder: Path) -> Path:
    """Two small models, one that translates, and one of transformers."""
    return live_folder.parent / "models"


def _write(models: Path, site: Path) -> None:
    for name in (SMALL, OTHER, LARGE):
        shutil.copytree(CHECKPOINTS / name, models / name)
    saved_hub(models / HUB, "marian")
    with pytest.MonkeyPatch.context() as patch:
        for languages, sentences in EXAMPLES.items():  # more of one kind show nothing new
            patch.setitem(EXAMPLES, languages, sentences[1:4])  # those of a lesson, in one
        pieces = Pieces.of(models, modules=modules())
        made = site_files(Library(models, threads=1), pieces=pieces)
    write_site(site.with_name("unfinished"), made)
    site.with_name("unfinished").rename(site)
