"""Edits and settings of a model of transformers mean the same wherever they are said."""

import json

import pytest

from model_core.__main__ import main as core
from model_core.decoding.tracer import Tracer
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe
from tests.model_core.models.hub.tiny import saved_hub
from viz_app import show
from viz_app.commands.export import run as export
from viz_app.server.endpoints import endpoints
from viz_app.server.service import Service

TEXT, PREFIX, EDITS = "the old cat", "on the ", ("dropout:3", "head-off:cross.1.2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A T5 that was taught a task, of few positions."""
    made = saved_hub(tmp_path_factory.mktemp("models") / "t5", "t5", n_positions=14)
    config = json.loads((made / "config.json").read_text())
    config["task_specific_params"] = {"task": {"prefix": PREFIX}}
    (made / "config.json").write_text(json.dumps(config))
    return made


@pytest.fixture(scope="module")
def wanted(folder):
    from model_core.models.hub.loading import open_hub  # which loads transformers

    settings = (("prefix", PREFIX),)
    recipe = Recipe("t5", TEXT, settings=settings, edits=read_edits(EDITS))
    recipe, decoding = Tracer(open_hub(folder, "t5")).edited(recipe.edits).extend(recipe, None)
    assert decoding.source.texts[:2] == ("on", "the") and len(recipe.target) > 1
    return recipe


def test_the_command_line_the_export_the_notebook_and_the_endpoints_agree(folder, wanted, tmp_path):
    said = [word for edit in EDITS for word in ("--edit", edit)]
    said += ["--set", f"prefix={PREFIX}", "--text", TEXT]
    written = tmp_path / "trace.json"
    assert core(["trace", "--model", str(folder), *said, "-o", str(written)]) == 0
    assert Recipe.from_json(json.loads(written.read_text())["recipe"]) == wanted
    page = tmp_path / "page.json"
    assert export(["--model", str(folder), *said, "-o", str(page)], tmp_path) == 0
    found = json.loads(page.read_text())
    assert Recipe.from_json(found["recipe"]) == wanted
    assert str(folder.parent) not in page.read_text()  # where it lies is private
    shown = show(str(folder), TEXT, edits=EDITS, settings={"prefix": PREFIX})
    assert shown.recipe == wanted
    translate = next(
        one for one in endpoints(Service(folder.parent)) if one.__name__ == "translate"
    )
    done = translate(TEXT, "t5", edits=list(EDITS), settings={"prefix": PREFIX})
    assert Recipe.from_json(done["recipe"]) == wanted
