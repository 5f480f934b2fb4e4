"""What every test runs under, and the tiny checkpoints they share."""

import pytest
import torch

from model_core.store import Checkpoint
from tests.tiny import tiny_checkpoint
from viz_app.quiet import keep_gradio_quiet

torch.set_num_threads(1)  # tiny models only get slower with more


def pytest_configure() -> None:
    """Before any test imports gradio."""
    keep_gradio_quiet()


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(0)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    """A tiny checkpoint as it is opened by the app; nothing may change it."""
    return tiny_checkpoint(tmp_path_factory.mktemp("checkpoints") / "tiny")
