import json
from dataclasses import replace

import numpy as np
import pytest

from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.own import OwnModel
from model_core.values.draw import draw
from model_core.values.recipe import Choice, Recipe, Strategy
from tests.answered import floats
from tests.tiny import tiny_checkpoint
from viz_app.rooms.translate.answer import to_page
from viz_app.rooms.translate.payload import CANDIDATES, payload
from viz_app.rooms.translate.sampling import step_numbers
from viz_app.rooms.translate.view import TranslateView
from viz_app.server.service import Service


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def tracer(models):
    return Tracer(OwnModel(tiny_checkpoint(models / "tiny")))


@pytest.fixture(scope="module")
def decoded(tracer):
    return tracer.extend(Recipe("tiny", "The old cat.", pads=2), 6)


def build(tracer, decoded, have=0):
    return payload(*decoded, tracer.model, have)


def test_every_row_is_the_models_own(tracer, decoded):
    _, decoding = decoded
    sent = build(tracer, decoded)
    for site, layers in (("decoder", 3), ("cross", 3)):
        values, place = floats(sent["attention"][site]["data"]), 0
        for t in range(len(decoding.steps)):
            K = t + 1 if site == "decoder" else len(decoding.source)
            row_LHK = values[place : place + layers * 4 * K].reshape(layers, 4, K)
            place += row_LHK.size
            for layer in range(layers):
                full_HQK = decoding.trace(site, layer).weights_HQK
                assert np.array_equal(row_LHK[layer], full_HQK[:, t, :K])
        assert place == len(values)


def test_encoder_is_layers_by_heads_by_queries_by_keys(tracer, decoded):
    _, decoding = decoded
    encoder = build(tracer, decoded)["attention"]["encoder"]
    S = len(decoding.source)
    assert encoder["shape"] == [2, 2, S, S]
    sent_LHSS = floats(encoder["data"]).reshape(encoder["shape"])
    for layer in range(2):
        expected_HSS = decoding.trace("encoder", layer).weights_HQK
        assert np.array_equal(sent_LHSS[layer], expected_HSS)


@pytest.mark.parametrize("text", ["The old cat.", "a", ""])
def test_the_answer_says_which_cell_of_each_head_of_the_encoder_to_open_on(tracer, text):
    decoded = tracer.extend(Recipe("tiny", text, pads=2), 0)
    best = build(tracer, decoded)["attention"]["encoder"]["best"]
    words = [at for at, kind in enumerate(decoded[1].source.kinds) if kind == "text"]
    pairs = [(q, k) for q in words for k in words if q != k]
    for layer, heads in enumerate(best):
        for weights_QK, cell in zip(decoded[1].encoder[layer].weights_HQK, heads, strict=True):
            if pairs:
                assert cell in pairs
                assert weights_QK[cell] == max(weights_QK[pair] for pair in pairs)
            else:
                assert weights_QK[cell] == weights_QK.max()


def test_pads_get_exactly_nothing(tracer, decoded):
    _, decoding = decoded
    sent = build(tracer, decoded)
    assert sent["source"]["kinds"][-2:] == ["pad", "pad"]
    S = len(decoding.source)
    assert not floats(sent["attention"]["cross"]["data"]).reshape(-1, S)[:, -2:].any()


def test_a_browser_that_holds_some_steps_gets_only_the_others(tracer, decoded):
    whole, rest = build(tracer, decoded), build(tracer, decoded, have=4)
    assert rest["steps"] == whole["steps"][4:] and rest["steps_from"] == 4
    assert rest["attention"]["encoder"] is None
    for site in ("decoder", "cross"):
        tail = floats(rest["attention"][site]["data"])
        assert np.array_equal(tail, floats(whole["attention"][site]["data"])[-len(tail) :])
    assert rest["chosen"] == whole["chosen"]


def test_heads_of_the_encoder_are_called_the_same_at_every_step(tracer, decoded):
    recipe, whole = decoded
    said = payload(recipe, whole, tracer.model)["roles"]
    begun = replace(recipe, target=recipe.target[:1])
    assert (
        payload(begun, tracer.evaluate(begun), tracer.model)["roles"]["encoder"] == said["encoder"]
    )
    alone = Tracer(tracer.model).evaluate(recipe)  # of which nothing has been said yet
    assert payload(recipe, alone, tracer.model)["roles"] == said


def test_candidates_have_probabilities_of_the_full_softmax(tracer, decoded):
    _, decoding = decoded
    for step, sent in zip(decoding.steps, build(tracer, decoded)["steps"], strict=True):
        assert np.exp(step.log_probabilities_V.astype(np.float64)).sum() == pytest.approx(
            1, abs=1e-5
        )
        assert len(sent["candidates"]) == CANDIDATES
        for candidate in sent["candidates"]:
            expected = float(step.log_probabilities_V[candidate["token"]])
            assert candidate["log_probability"] == expected
        order = [candidate["log_probability"] for candidate in sent["candidates"]]
        assert order == sorted(order, reverse=True)
        assert order[0] == step.log_probabilities_V.max()


def test_it_is_strict_json(tracer, decoded):
    text = json.dumps(build(tracer, decoded), allow_nan=False)
    assert json.loads(text)["recipe"]["source"] == "The old cat."


SAMPLING = [
    Strategy("sample", temperature=3.0, seed=7),
    Strategy("sample", temperature=0.7, top_k=4, seed=2**60),
    Strategy("sample", temperature=1.5, top_k=9, top_p=0.4, seed=1),
]


@pytest.mark.parametrize("strategy", SAMPLING, ids=str)
def test_a_step_says_the_very_numbers_that_it_was_drawn_with(tracer, strategy):
    recipe = Recipe("tiny", "The old cat.", strategy=strategy)
    decoded = tracer.extend(recipe, 12)
    sent = build(tracer, decoded)
    for step, said, taken in zip(
        decoded[1].steps, sent["steps"], [*sent["chosen"], None], strict=False
    ):
        drawn, sampling = draw(step, strategy, (0, 1)), said["sampling"]
        shown = [one["token"] for one in said["candidates"]]
        assert sampling["shares"] == [
            None if token in (0, 1) else drawn.part(token)[1] for token in shown
        ]
        assert (sampling["dart"], sampling["kept"]) == (drawn.dart, len(drawn.tokens_N))
        assert sampling["temperature"] == strategy.temperature
        named = tracer.labels([drawn.token])
        assert sampling["hit"]["token"] == drawn.token
        assert sampling["hit"]["text"] == named.texts[0]
        if taken is None:
            continue
        order = np.argsort(-step.log_probabilities_V, kind="stable").tolist()
        assert taken["rank"] == order.index(taken["token"]) and taken["token"] == drawn.token
        if taken["token"] in shown:
            assert sampling["beyond"] is None
        else:
            begin, share = drawn.part(drawn.token)
            assert sampling["beyond"] == {"token": drawn.token, "begin": begin, "share": share}
            assert begin <= drawn.dart < begin + share


def test_what_is_said_of_sampling_is_less_than_a_thousand_bytes_a_step(tracer):
    recipe = Recipe("tiny", "The old cat.", strategy=SAMPLING[0])
    steps = build(tracer, tracer.extend(recipe, 12))["steps"]
    assert any(step["sampling"]["beyond"] for step in steps)
    assert max(len(json.dumps(step["sampling"])) for step in steps) < 1000
    greedy = build(tracer, tracer.extend(Recipe("tiny", "The old cat."), 3))["steps"]
    assert "sampling" not in greedy[0]


def test_one_step_is_asked_for_all_that_its_draw_is_made_of(tracer, models):
    strategy = SAMPLING[1]
    target = tuple(Choice(token) for token in (9, 33))
    recipe = Recipe("tiny", "The old cat.", target, strategy=strategy)
    service = Service(models)
    question = {"room": "translate", "recipe": recipe.to_json()}
    for at in (0, 2):
        answer = service.answer(question | {"at": at})
        step = tracer.evaluate(recipe).steps[at]
        assert np.array_equal(floats(answer["log_probabilities_V"]), step.log_probabilities_V)
        assert answer["dart"] == draw(step, strategy, (0, 1)).dart
        assert (answer["seed"], answer["never"]) == (strategy.seed, [0, 1])
    assert service.answer(question | {"at": 3})["error"]["code"] == "place"


def test_the_numbers_of_a_step_name_every_token_that_a_temperature_of_the_slider_hits(tracer):
    strategy = Strategy("sample", top_p=0.97, seed=5)
    recipe = Recipe("tiny", "The old cat.", strategy=strategy)
    step = tracer.evaluate(recipe).steps[0]
    values = step_numbers(tracer, recipe, TranslateView(at=0)).values
    hits = {one["token"]: one["text"] for one in values["hits"]}
    tried = [replace(strategy, temperature=round(0.05 * i, 2)) for i in range(1, 101)]
    tokens = {draw(step, one, (0, 1)).token for one in tried}
    assert set(hits) == tokens and len(tokens) > 1
    for token, text in hits.items():
        assert tracer.labels([token]).texts == (text,)


def test_draws_are_listed_by_how_often_they_came(tracer):
    strategy = Strategy("sample", temperature=0.4, seed=5)
    recipe = Recipe("tiny", "The cat", strategy=strategy)
    found = to_page(tracer, recipe, TranslateView(draws=12)).values
    counts = [one["count"] for one in found["texts"]]
    assert sum(counts) == found["count"] == 12 and counts == sorted(counts, reverse=True)
    assert len({one["text"] for one in found["texts"]}) == len(counts)
    for one in found["texts"]:
        alone = replace(recipe, strategy=replace(strategy, seed=one["seed"]))
        assert tracer.text(tracer.extend(alone, None)[1]) == one["text"]
    with pytest.raises(RecipeError):
        to_page(tracer, Recipe("tiny", "The cat"), TranslateView(draws=12))
