"""A site whose pages compute, written once for all tests that open it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from model_core.decoding.library import Library
from tests.browser.files.live import HUB, LARGE, OTHER, SMALL
from tests.conftest import CHECKPOINTS
from tests.model_core.models.hub.tiny import saved_hub
from viz_app.live.pieces import Pieces
from viz_app.rooms.examples import EXAMPLES
from viz_app.site.building import site_files, write_site


@pytest.fixture(scope="session")
def live_folder(
    made_once: Callable[[str, Callable[[Path], None]], Path], compiled_modules: bytes
) -> Path:
    """The site of `live_models`."""

    def make(path: Path) -> None:
        _write(path / "models", path / "of mine", compiled_modules)

    return made_once("live", make) / "of mine"


@pytest.fixture
def live_models(live_folder: Path) -> Path:
    """Two small models, one that translates, and one of transformers."""
    return live_folder.parent / "models"


def _write(models: Path, site: Path, modules: bytes) -> None:
    for name in (SMALL, OTHER, LARGE):
        shutil.copytree(CHECKPOINTS / name, models / name)
    saved_hub(models / HUB, "marian")
    with pytest.MonkeyPatch.context() as patch:
        for languages, sentences in EXAMPLES.items():  # more of one kind show nothing new
            patch.setitem(EXAMPLES, languages, sentences[1:4:2])  # those of a lesson, in one
        pieces = Pieces.of(models, modules=modules)
        made = site_files(Library(models, threads=1), pieces=pieces)
    write_site(site, made)
