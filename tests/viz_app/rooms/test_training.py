"""The room Training: what it answers is what was noted; without a history it is not there."""

import json
import re

import numpy as np
import pytest

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.own import open_own
from model_core.values.recipe import Recipe
from tests.conftest import CHECKPOINTS
from tests.tiny import noted_checkpoint, tiny_checkpoint
from viz_app.figures.look import Look
from viz_app.menu.catalogue import models_of
from viz_app.rooms.training import ROOM
from viz_app.rooms.training.view import TrainingView
from viz_app.server.service import Service
from viz_app.text import LANGUAGES, WORDS
from viz_app.values.sheets import Curves, Map

RECIPE = Recipe("tiny", "The cat sleeps.")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("training")
    noted_checkpoint(folder / "tiny")
    tiny_checkpoint(folder / "bare")
    return folder


@pytest.fixture(scope="module")
def tracer(root):
    return Tracer(open_own(root / "tiny"))


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_a_head_is_shown_at_every_note_as_it_was_noted(tracer, site):
    history = tracer.model.history
    answer = ROOM.answer(tracer, RECIPE, TrainingView(site=site, layer=1, head=1, note=1))
    levels_NQK = history.weights[site][0][:, 1, 1]
    np.testing.assert_allclose(255 * answer["weights_NQK"], levels_NQK, atol=1e-4)
    (table, curves) = answer.table("training")
    np.testing.assert_array_equal(table.values["weights_QK"], answer["weights_NQK"][1])
    np.testing.assert_array_equal(curves.values["loss_N"], history.loss_N)
    entropy_N = history.entropy_NLH[site][:, 1, 1]
    np.testing.assert_array_equal(curves.values["entropy_N"], entropy_N)
    assert ("copied_N" in curves.values) == (site == "cross")
    of_heads = answer["noted"]["of_heads"]
    np.testing.assert_array_equal(of_heads["entropy"][1, 1], entropy_N)
    assert of_heads["entropy"].shape == (*history.entropy_NLH[site].shape[1:], 3)
    assert (of_heads["copied"] is not None) == (site == "cross")
    json.dumps(answer.to_json(), allow_nan=False)


def test_the_first_note_over_one_half_is_named(tracer):
    history = tracer.model.history
    for layer, head in np.ndindex(*history.copied_NLH.shape[1:]):
        view = TrainingView(site="cross", layer=layer, head=head)
        found = ROOM.answer(tracer, RECIPE, view)["noted"]["over_half"]
        over = [note for note, one in enumerate(history.copied_NLH[:, layer, head]) if one > 0.5]
        assert found == (over[0] if over else None)


def test_the_picture_has_the_head_then_and_at_the_end_and_every_curve(tracer):
    answer = ROOM.answer(tracer, RECIPE, TrainingView(site="cross", layer=0, head=0, note=0))
    sheets = ROOM.sheets("training", answer)
    panels = [panel for row in sheets.panels for panel in row]
    maps = [panel for panel in panels if isinstance(panel, Map)]
    np.testing.assert_array_equal(maps[0].values_RC, answer["weights_NQK"][0])
    np.testing.assert_array_equal(maps[1].values_RC, answer["weights_NQK"][-1])
    (learnt, *others) = [panel for panel in panels if isinstance(panel, Curves)]
    assert len(others) == 5
    assert list(learnt.lines[0].x_N) == [1, 10]  # before the first update nothing is learnt
    ROOM.figure("training", answer, Look(), "").to_json()


@pytest.mark.parametrize("changes", [{"sentence": 1}, {"note": 3}, {"layer": 9}, {"head": 9}])
def test_what_there_is_not_is_named(tracer, changes):
    with pytest.raises(RecipeError, match="There is no"):
        ROOM.answer(tracer, RECIPE, TrainingView(**{"site": "cross", "layer": 0} | changes))


def test_a_model_without_a_history_has_no_such_room(root):
    models = {entry["name"]: entry for entry in models_of(root)[0]}
    assert "training" not in models["tiny"]["lacking"]
    assert models["bare"]["lacking"]["training"] == "history"
    recipe = {"model": "bare", "source": "The cat."}
    error = Service(root).answer({"room": "training", "recipe": recipe})["error"]
    assert error["code"] == "lacks_history"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_models_that_are_named_instead_are_those_that_have_one(language):
    said = WORDS[language]["error_lacks_history"]
    named = re.findall(r"en-fr(?:-prenorm)?|reverse-[a-z-]+", said)
    there = [path.parent.name for path in CHECKPOINTS.glob("*/history.safetensors")]
    assert sorted(named) == sorted(there)  # all of them, each once
