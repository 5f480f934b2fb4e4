"""The room Heads: what it answers is what was measured; without a file it says what measures."""

import json
from dataclasses import replace

import numpy as np
import pytest

from model_core.checkpoints.store import open_checkpoint
from model_core.decoding.tracer import Tracer
from model_core.errors import CheckpointError, RecipeError
from model_core.models.own import OwnModel, open_own
from model_core.studies.head import head_vectors
from model_core.values.recipe import Choice, Recipe
from tests.tiny import measured_checkpoint, tiny_checkpoint
from viz_app.figures.look import Look
from viz_app.menu.catalogue import models_of
from viz_app.rooms.heads import ROOM
from viz_app.rooms.heads.view import HeadsView
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


def test_beside_the_weight_of_each_token_stands_the_length_of_what_it_hands_over(tracer, answer):
    decoding = tracer.evaluate(RECIPE)
    rest = answer["rest"]
    weights_QK = decoding.trace("cross", 1).weights_HQK[2]
    np.testing.assert_allclose(rest["weights"], weights_QK.mean(0), atol=1e-7)
    assert rest["keys"].ids == decoding.source.ids
    values_KD = head_vectors(tracer.model, decoding, "cross", 1, 2).v_KE
    output_ED = tracer.model.transformer.decoder[1].cross_attention.output.weight.T
    E = values_KD.shape[1]
    handed_KD = values_KD @ output_ED[2 * E : 3 * E].detach().numpy()
    np.testing.assert_allclose(rest["lengths"], np.linalg.norm(handed_KD, axis=1), rtol=1e-5)


@pytest.mark.parametrize("before", [[], ["causal-mask:none"]], ids=["", "all rows change"])
@pytest.mark.parametrize("kind", ["zero", "mean"])
def test_what_a_head_is_worth_here_is_what_the_edited_model_predicts(tracer, kind, before):
    edit = {"zero": "head-off", "mean": "head-mean"}[kind]
    kept, recipe = (
        Recipe.from_json({**RECIPE.to_json(), "edits": edits})
        for edits in (before, [*before, f"{edit}:cross.2.3"])
    )
    wanted_T = tracer.edited(recipe.edits).evaluate(recipe).log_probabilities
    tracer = tracer.edited(kept.edits)
    effect = ROOM.answer(tracer, kept, VIEW)["effect"]
    np.testing.assert_allclose(getattr(effect, f"{kind}_T"), wanted_T, atol=2e-6)
    np.testing.assert_allclose(effect.with_T, tracer.evaluate(kept).log_probabilities, atol=0)
    assert effect.chosen.ids == (9, 33)


@pytest.mark.parametrize("name", sorted(set(ROOM.views) - {"here"}))
def test_a_picture_says_on_what_was_measured(answer, name):
    said = ROOM.figure(name, answer, Look(), "about").layout.title.subtitle.text
    assert "3 sentences" in said and "mine" in said


def test_points_of_the_scatter_have_the_names_of_their_heads(answer):
    clouds = ROOM.figure("scatter", answer, Look(), "about").data
    assert [list(one.text)[:5] for one in clouds][-1] == ["L1H1", "L1H2", "L1H3", "L1H4", "L2H1"]
    assert all("%{text}" in one.hovertemplate for one in clouds)


@pytest.mark.parametrize("name", ["measure", "across", "order"])
def test_a_measure_that_no_head_has_is_refused_by_name(tracer, name):
    answer = ROOM.answer(tracer, RECIPE, HeadsView())
    assert (answer.view.measure, answer.view.across) == ("loss_zero", "entropy")
    assert answer.view.order == "loss_zero"  # what is lost most comes first
    for picture in ("measures", "scatter"):
        assert ROOM.figure(picture, answer, Look(), "about").data
    with pytest.raises(RecipeError, match=f"{name} is 'links'; choose one of .*entropy"):
        ROOM.answer(tracer, RECIPE, HeadsView(**{name: "links"}))


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
        bare.edited(VIEW_EDITS)


def test_a_model_without_a_folder_is_told_to_have_one_and_no_command(root):
    alone = OwnModel(replace(open_checkpoint(root / "tiny"), heads=None))
    said = ROOM.answer(Tracer(alone), RECIPE, HeadsView()).values["why"]
    assert (said["code"], said["values"]) == ("heads_no_folder", {"name": "tiny"})
    assert f"error_{said['code']}" in WORDS["zh"] and "tiny" in said["message"]


def test_every_head_on_this_sentence_is_what_a_head_alone_is_worth(tracer):
    here = ROOM.answer(tracer, RECIPE, replace(VIEW, view="here"))["here"]
    effect = ROOM.answer(tracer, RECIPE, VIEW)["effect"]
    alone = float(effect.with_T.mean() - effect.zero_T.mean())
    assert here["added"]["cross"][1, 2] == pytest.approx(alone, abs=2e-6)
    assert here["loss"] == pytest.approx(-float(effect.with_T.mean()), abs=2e-6)
    answer = ROOM.answer(tracer, RECIPE, replace(VIEW, view="here"))
    figure = ROOM.figure("here", answer, Look(), "about")
    lines = [list(one.y) for one in figure.data if one.type == "scatter"]
    assert np.float32(here["losses_N"]).tolist() in [np.float32(line).tolist() for line in lines]
    *_, together = answer.table("here")
    assert together.axes[0].tokens[1] == "{site} L{0}H{1}".format(
        here["order"][0]["layer"] + 1, here["order"][0]["head"] + 1, site=here["order"][0]["site"]
    )


def test_where_nothing_is_written_no_head_is_worth_anything_here(tracer):
    answer = ROOM.answer(tracer, replace(RECIPE, target=()), replace(VIEW, view="here"))
    assert answer["here"] is None
    with pytest.raises(RecipeError, match="Nothing is written"):
        ROOM.figure("here", answer, Look(), "about")


VIEW_EDITS = tuple(
    Recipe.from_json({"model": "bare", "source": "a", "edits": ["head-mean:cross.2.3"]}).edits
)


@pytest.mark.parametrize("least", [-0.01, 0.0])
def test_the_scale_of_a_picture_is_no_wider_than_its_numbers_and_neutral_at_0(tracer, least):
    answer = ROOM.answer(tracer, RECIPE, HeadsView())
    sites, look = answer["sites"], Look()
    numbers_LH = np.linspace(least, 0.04, 12).reshape(3, 4)
    made = {"cross": sites["cross"] | {"values": {"loss_zero": numbers_LH}}}
    answer = replace(answer, values=answer.values | {"sites": made})
    figure = ROOM.figure("measures", answer, look, "about")
    axis = figure.layout.coloraxis
    assert (axis.cmin, axis.cmax) == (least, 0.04)
    colours = np.array(
        [[int(one[1][at : at + 2], 16) for at in (1, 3, 5)] for one in axis.colorscale]
    )
    neutral = [int(look["scale-0"][at : at + 2], 16) for at in (1, 3, 5)]
    at_zero = round((len(colours) - 1) * -least / (0.04 - least))
    assert np.abs(colours[at_zero] - neutral).max() <= 8
    assert axis.colorscale[-1][1] == look.diverging[-1] or least == 0
    (cells,) = (trace for trace in figure.data if trace.type == "heatmap")
    printed = [text for row in cells.text for text in row]
    assert len(printed) == 12 and len(set(printed)) == 12  # each says something of its own
