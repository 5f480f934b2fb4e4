"""The model that most tests of rooms and files ask."""

import pytest

from model_core.decoding.library import Library
from tests.tiny import measured_checkpoint


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library of one tiny model, "tiny", whose heads are measured; nothing may change it."""
    root = tmp_path_factory.mktemp("models")
    measured_checkpoint(root / "tiny")
    return Library(root)
