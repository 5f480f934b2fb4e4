"""A site whose pages compute, written once for all tests that open it."""

import shutil
from pathlib import Path

import pytest

from model_core.decoding.library import Library
from tests.browser.files.live import LARGE, SMALL
from tests.conftest import CHECKPOINTS
from viz_app.live.compiling import modules
from viz_app.live.pieces import Pieces
from viz_app.rooms.examples import EXAMPLES
from viz_app.site.building import site_files, write_site


@pytest.fixture(scope="session")
def live_library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A small model, and one that translates."""
    root = tmp_path_factory.mktemp("models")
    for name in (SMALL, LARGE):
        shutil.copytree(CHECKPOINTS / name, root / name)
    return Library(root, threads=1)


@pytest.fixture(scope="session")
def live_folder(live_library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of that library."""
    path = tmp_path_factory.mktemp("site") / "of mine"
    with pytest.MonkeyPatch.context() as patch:
        for languages, sentences in EXAMPLES.items():  # more of one kind show nothing new
            patch.setitem(EXAMPLES, languages, sentences[1:4])  # those of a lesson, in one
        pieces = Pieces.of(live_library.root, modules=modules())
        write_site(path, site_files(live_library, pieces=pieces))
    return path
