"""The room Heads: what it answers is what was measured; without a file it says what measures."""

import json
from dataclasses import replace

import numpy as np
import pytest

from model_core.checkpoints.store import open_checkpoint
from model_core.decoding.tracer import Tracer
from model_core.errors import CheckpointError, RecipeError
from model_core.models.own import OwnModel, open_own
from model_core.values.recipe import Choice, Recipe
from tests.tiny import measured_checkpoint, tiny_checkpoint
from viz_app.figures.look import Look
from viz_app.figures.paper import Box
from viz_app.rooms.heads import ROOM
from viz_app.rooms.heads.figures import _labels
from viz_app.rooms.heads.view import HeadsView
from viz_app.server.catalogue import models_of
from viz_app.server.service import Service
from viz_app.text import WORDS

RECIPE = Recipe("tiny", "The cat sleeps.", (Choice(9, "forced"), Choice(33, "forced")))
VIEW = HeadsView(site="cross", layer=1, head=2, measure="loss_mean", across="coverage")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("heads")
    measured_checkpoint(folder / "tiny")
    tiny_checkpoint(folder / "bare")
    return folder


@pytest.fixture(scope="module")
def tracer(root):
    return Tracer(open_own(root / "tiny"))


@pytest.fixture(scope="module")
def answer(tracer):
    return ROOM.answer(tracer, RECIPE, VIEW)


def test_every_head_has_the_numbers_of_the_file_and_the_tables_name_them(tracer, answer):
    known = tracer.model.heads.sites["cross"]
    for name in ("entropy", "loss_zero", "exact_mean", "distance"):
        array_LH = answer["sites"]["cross"]["values"][name]
        np.testing.assert_array_equal(array_LH, known.measure_LH("cross", name))
    assert "links" not in answer["sites"]["cross"]["values"]  # no word was linked
    tables = {table.name: table for table in answer.table("measures")}
    assert set(tables) == {"encoder_heads", "decoder_heads", "cross_heads"}
    table_LH = tables["cross_heads"].values["loss_mean_LH"]
    np.testing.assert_array_equal(table_LH, known.measure_LH("cross", "loss_mean"))
    (distances,) = answer.table("distances")
    assert distances.axes[0].start == -12
    np.testing.assert_array_equal(distances.values["share_N"], known.distances_LHN[1, 2])
    json.dumps(answer.to_json(), allow_nan=False)


@pytest.mark.parametrize("before", [[], ["causal-mask:none"]], ids=["", "all rows change"])
@pytest.mark.parametrize("kind", ["zero", "mean"])
def test_what_a_head_is_worth_here_is_what_the_edited_model_predicts(tracer, kind, before):
    edit = {"zero": "head-off", "mean": "head-mean"}[kind]
    kept, recipe = (
        Recipe.from_json({**RECIPE.to_json(), "edits": edits})
        for edits in (before, [*before, f"{edit}:cross.2.3"])
    )
    wanted_T = tracer.evaluate(recipe).log_probabilities
    effect = ROOM.answer(tracer.edited(kept.edits), kept, VIEW)["effect"]
    np.testing.assert_allclose(getattr(effect, f"{kind}_T"), wanted_T, atol=2e-6)
    np.testing.assert_allclose(effect.with_T, tracer.evaluate(kept).log_probabilities, atol=0)
    assert effect.chosen.ids == (9, 33)


@pytest.mark.parametrize("name", list(ROOM.views))
@pytest.mark.parametrize("size", ["slide", "column"])
def test_a_picture_says_on_what_was_measured(answer, name, size):
    figure = ROOM.figure(name, answer, Look(size=size), "about")
    said = " ".join(note.text for note in figure.layout.annotations)
    assert "3 sentences" in said and "mine" in said


def test_points_of_the_scatter_are_named_where_nothing_else_stands():
    box, spans = Box(0, 0, 1000, 500), [[0, 1], [0, 1]]
    apart_LH = np.linspace(0.1, 0.9, 6).reshape(2, 3)
    names = ["L1H1", "L1H2", "L1H3", "L2H1", "L2H2", "L2H3"]
    points = {"cross": (apart_LH, apart_LH)}
    assert _labels(points, spans, box, Look()) == {"cross": names}
    at_one_LH = np.full((2, 3), 0.5)
    crowd = {"cross": (at_one_LH, at_one_LH), "decoder": (apart_LH, apart_LH)}
    told = _labels(crowd, spans, box, Look())
    assert sum(map(bool, told["cross"])) == 1 and told["decoder"] == names


def test_a_measure_that_no_head_has_makes_way_for_the_usual_one(tracer):
    answer = ROOM.answer(tracer, RECIPE, HeadsView(measure="links", across="links", order="links"))
    assert (answer.view.measure, answer.view.across) == ("loss_zero", "entropy")
    for name in ("measures", "scatter"):
        assert ROOM.figure(name, answer, Look(), "about").data


def test_the_menu_offers_the_edits_of_the_model_that_is_opened(root, tracer):
    entries = {entry["name"]: entry for entry in models_of(root)[0]}
    assert entries["tiny"]["anatomy"] == tracer.anatomy.to_json()
    assert "head-mean" in entries["tiny"]["anatomy"]["edits"]
    assert "head-mean" not in entries["bare"]["anatomy"]["edits"]


def test_without_a_file_the_room_names_the_command_and_an_edit_too(root):
    service = Service(root)
    asked = {"room": "heads", "recipe": {"model": "bare", "source": "The cat"}}
    said = service.answer(asked)
    assert said["measured"] is None
    assert said["why"]["values"]["command"] == "python -m model_core heads bare"
    assert "start the app again" in said["why"]["message"]
    bare = Tracer(open_own(root / "bare"))
    with pytest.raises(CheckpointError, match="heads bare"):
        ROOM.answer(bare, Recipe("bare", "The cat"), HeadsView()).table("measures")
    with pytest.raises(RecipeError, match="python -m model_core heads"):
        bare.evaluate(Recipe("bare", "The cat", edits=VIEW_EDITS))


def test_a_model_without_a_folder_is_told_to_have_one_and_no_command(root):
    alone = OwnModel(replace(open_checkpoint(root / "tiny"), heads=None))
    said = ROOM.answer(Tracer(alone), RECIPE, HeadsView()).values["why"]
    assert (said["code"], said["values"]) == ("heads_no_folder", {"name": "tiny"})
    assert f"error_{said['code']}" in WORDS["zh"] and "tiny" in said["message"]


VIEW_EDITS = tuple(
    Recipe.from_json({"model": "bare", "source": "a", "edits": ["head-mean:cross.2.3"]}).edits
)
