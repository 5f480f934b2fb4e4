"""A training that several tests hold others against."""

import pytest

from model_core.training.loop import train
from tests.tiny_training import Whole, losses, tiny, write_words


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """The folder of a model that was trained to its end, which nothing may change, and its losses.

    Its data lie beside it, as "words".
    """
    place = tmp_path_factory.mktemp("whole")
    steps = train(tiny(), place / "model", write_words(place / "words"))
    return place / "model", losses(steps)
