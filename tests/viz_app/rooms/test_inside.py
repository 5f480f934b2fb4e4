import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from model_core.studies.batch import translate_batch
from model_core.studies.head import study_head
from model_core.studies.norms import study_norms
from model_core.studies.path import study_path
from model_core.studies.spread import study_spread
from model_core.values.recipe import Recipe
from tests.answered import floats
from tests.tiny import tiny_checkpoint
from viz_app.figures.look import Look
from viz_app.rooms.examples import EXAMPLES
from viz_app.rooms.inside import ROOM
from viz_app.rooms.inside.view import InsideView
from viz_app.server.service import Service

RECIPE = {"model": "tiny", "source": "The old cat.", "target": [{"token": t} for t in (5, 9, 40)]}
CELL = {"view": "cell", "site": "cross", "layer": 1, "head": 3, "query": 2}
WAY = {"view": "way", "side": "target", "position": 1}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny")
    tiny_checkpoint(root / "roomy", max_positions=64)  # which reads its examples too
    return Service(root)


def ask(service, **request):
    answer = service.answer({"room": "inside", "recipe": RECIPE} | request)
    json.dumps(answer, allow_nan=False)
    return answer


def evaluated(service):
    return service.library.extend(Recipe.from_json(RECIPE), 0)[1]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_a_cell_arrives_in_float32_as_the_model_computed_it(service, site):
    answer = ask(service, **CELL | {"site": site, "head": 1})
    model = service.library.tracer("tiny").model
    study = study_head(model, evaluated(service), site, 1, 1, 2)
    for name in ("q_E", "k_KE", "products_KE", "scores_K", "weights_K", "weighted_KE", "shares_HD"):
        expected = getattr(study, name)
        assert expected.dtype == np.float32
        assert np.array_equal(floats(answer[name]), expected.ravel())
    assert answer["keys"]["pieces"] == list(study.keys.pieces)
    assert answer["allowed_K"] == study.allowed_K.tolist()
    assert np.array_equal(floats(answer["sublayer"]["passed_D"]), study.sublayer.passed_D)
    assert answer["norm"]["spread"] == study.norm.spread


def test_the_way_of_a_target_token_ends_in_candidates_of_the_full_softmax(service):
    answer = ask(service, **WAY)
    model = service.library.tracer("tiny").model
    way = study_path(model, evaluated(service), "target", 1)
    assert [s["name"] for s in answer["sublayers"]] == [s.name for s in way.sublayers]
    assert np.array_equal(floats(answer["output_D"]), way.output_D)
    prediction = answer["prediction"]
    assert len(prediction["logits"]) == 10 and prediction["V"] == len(way.logits_V)
    assert prediction["logits"] == sorted(prediction["logits"], reverse=True)
    divided = np.exp(np.array(prediction["logits"]) - prediction["log_sum"])
    np.testing.assert_allclose(divided, prediction["probabilities"], rtol=1e-5)
    assert prediction["chosen"] == 9


def test_a_source_token_has_no_logits(service):
    assert ask(service, **WAY | {"side": "source"})["prediction"] is None


def test_a_cell_says_what_its_keys_are_made_of_and_what_no_scale_would_make(service):
    answer = ask(service, **CELL)
    model = service.library.tracer("tiny").model
    study = study_head(model, evaluated(service), "cross", 1, 3, 2)
    for name in ("read_KD", "unscaled_scores_K", "unscaled_weights_K"):
        expected = getattr(study, name)
        assert expected.dtype == np.float32
        assert np.array_equal(floats(answer[name]), expected.ravel())
    own = model.transformer.encode(torch.tensor([study.keys.ids])).memory_BSD[0]
    assert np.array_equal(floats(answer["read_KD"]), own.detach().numpy().ravel())


def test_a_way_says_its_hidden_units_and_the_best_tokens_of_every_stage(service):
    answer = ask(service, **WAY)
    model = service.library.tracer("tiny").model
    way = study_path(model, evaluated(service), "target", 1)
    for sublayer, sent in zip(way.sublayers, answer["sublayers"], strict=True):
        if sublayer.hidden_F is None:
            assert sent["hidden_F"] is None
        else:
            assert np.array_equal(floats(sent["hidden_F"]), sublayer.hidden_F)
    lens, S = answer["lens"], len(way.lens_SV)
    assert 2 + len(way.sublayers) == S
    token_SR = np.argsort(-way.lens_SV, axis=1, kind="stable")[:, :3]
    assert lens["tokens"]["ids"] == token_SR.ravel().tolist()
    assert np.array_equal(floats(lens["token_SR"]), token_SR.ravel())
    logit_SR = np.take_along_axis(way.lens_logits_SV, token_SR, axis=1)
    assert np.array_equal(floats(lens["logit_SR"]), logit_SR.ravel())
    best = answer["prediction"]["probabilities"][:3]
    assert floats(lens["probability_SR"])[-3:].tolist() == best


def test_a_source_token_predicts_nothing_at_any_stage(service):
    answer = ask(service, **WAY | {"side": "source"})
    assert answer["lens"] is None
    assert [table["name"] for table in answer["tables"]["way"]] == ["way", "hidden"]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_the_spread_of_a_head_arrives_with_its_counts_and_its_row(service, site):
    answer = ask(service, **CELL | {"view": "spread", "site": site, "head": 1})
    model = service.library.tracer("tiny").model
    study = study_spread(model, evaluated(service), site, 1, 1, 2)
    for name in ("before", "after"):
        of = getattr(study, name)
        assert floats(answer[name]["counts_B"]).tolist() == of.counts_B.tolist()
        assert answer[name]["deviation"] == of.deviation
        assert of.counts_B.sum() == answer["pairs"]
    assert np.array_equal(floats(answer["plain"]["weights_K"]), study.plain.weights_K)
    assert answer["divided"]["bits"] == study.divided.bits
    assert (answer["divides"], answer["is_divided"]) == ("d_k", True)
    assert [table["name"] for table in answer["tables"]["spread"]] == ["spread", "row", "products"]


def test_the_picture_of_the_spread_says_both_spreads_and_the_root(service):
    tracer = service.library.tracer("tiny")
    view = InsideView(view="spread", site="decoder", layer=1, head=1, query=2)
    answer = ROOM.answer(tracer, Recipe.from_json(RECIPE), view)
    figure = ROOM.figure("spread", answer, Look(), "about")
    under = [figure.layout[name].title.text for name in ("xaxis", "xaxis2")]
    for text, name in zip(under, ("before", "after"), strict=True):
        assert f"spread {answer[name].deviation:.3f}" in text
    assert any("√dₖ = √6 = 2.449" in one.text for one in figure.layout.annotations)
    upright = [trace for trace in figure.data if trace.orientation != "h"]
    assert [sum(trace.y) for trace in upright] == [answer["pairs"]] * 2


@pytest.mark.parametrize(
    ("known", "product", "made"),
    [
        ({}, "q · k", "softmax("),
        ({"similarity": "bilinear"}, "q W · k", "softmax("),
        ({"similarity": "additive"}, "a · tanh(q + k)", "softmax("),
        ({"attention": "hard"}, "q · k", "onehot(argmax "),
    ],
)
def test_the_picture_of_the_spread_names_what_the_model_adds_up(service, known, product, made):
    tracer = service.library.tracer("tiny")
    view = InsideView(view="spread", site="decoder", layer=1, head=1, query=2)
    answer = ROOM.answer(tracer, Recipe.from_json(RECIPE), view)
    answer = replace(answer, values=answer.values | known)
    said = json.dumps(
        ROOM.figure("spread", answer, Look(), "about").to_dict(), ensure_ascii=False, default=str
    )
    assert f"{product}: spread" in said
    assert f"{made}{product}): largest weight" in said


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_both_norms_arrive_in_float32_for_the_sentence_and_a_shorter_one(service, site):
    recipe = RECIPE | {"model": "roomy"}
    answer = ask(service, view="norms", site=site, layer=1, recipe=recipe)
    tracer = service.library.tracer("roomy")
    sentences = (RECIPE["source"], min(EXAMPLES["en", "fr"], key=len))
    batch = translate_batch(tracer, sentences, Recipe.from_json(recipe))
    study = study_norms(tracer.model, batch, site, 1)
    assert [one["ids"] for one in answer["tokens"]] == [list(one.ids) for one in study.tokens]
    assert np.array_equal(floats(answer["entered_NF"]), study.entered_ND.ravel())
    of_layer = study.layered
    for got, expected in (
        (answer["layered"]["left_NF"], of_layer.left_ND),
        (answer["layered"]["mean_N"], of_layer.mean_N),
        (answer["whole"]["left_NF"], study.whole.left_ND),
        (answer["padded"]["deviation_F"], study.padded.deviation_N),
        (answer["alone"]["left_NF"], study.alone.left_ND),
    ):
        assert np.array_equal(floats(got), expected.ravel().astype("<f4"))
    assert answer["layered"]["count"] == answer["D"] == of_layer.count
    assert answer["whole"]["count"] == (~study.is_pad_N).sum()


def test_the_picture_of_the_norms_has_what_enters_and_both_results(service):
    tracer = service.library.tracer("tiny")
    view = InsideView(view="norms", site="encoder", layer=1)
    answer = ROOM.answer(tracer, Recipe.from_json(RECIPE), view)
    entered, layered, batched = (
        panel.values_RC for panel in ROOM.sheets("norms", answer).panels[0]
    )
    assert entered.shape == layered.shape == batched.shape == (len(answer["is_pad_N"]), 24)
    real_N = ~answer["is_pad_N"]
    np.testing.assert_allclose(layered.mean(axis=1), 0, atol=1e-5)
    np.testing.assert_allclose(batched[real_N].mean(axis=0), 0, atol=1e-5)
