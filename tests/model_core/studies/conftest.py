import pytest

from model_core.decoding.tracer import Tracer
from model_core.models.own import OwnModel
from model_core.studies.batch import translate_batch
from tests.model_core.studies.sentences import SENTENCES, uneven
from tests.tiny import tiny_checkpoint


@pytest.fixture(scope="session")
def tracer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    return Tracer(OwnModel(tiny_checkpoint(folder, max_positions=20)))


@pytest.fixture(scope="session")
def batch(tracer):
    return uneven(tracer, translate_batch(tracer, SENTENCES))
