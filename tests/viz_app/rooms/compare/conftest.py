"""Two tiny models that differ, and two that lack an attention."""

import pytest

from tests.made_up import MadeUp
from tests.tiny import tiny_checkpoint
from tests.viz_app.rooms.compare.asking import A
from viz_app.server.service import Service


@pytest.fixture(scope="package")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny", max_positions=20)
    tiny_checkpoint(root / "twin", seed=7, max_positions=20, norm_place="pre", final_norm=True)
    service = Service(root)
    for kind in ("encoder", "decoder"):
        service.add(MadeUp(kind))
    return service


@pytest.fixture(scope="package")
def recipe(service):
    return service.answer({"recipe": A, "extend": "end"})["recipe"]
