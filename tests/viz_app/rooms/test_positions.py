import numpy as np
import pytest

from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.studies.order import effect, translation
from model_core.studies.positions import position_sum, position_table, rotation
from model_core.values.recipe import Recipe
from tests.answered import floats
from tests.tiny import tiny_checkpoint
from viz_app.rooms.positions.moved import CANDIDATES
from viz_app.rooms.swapping import swaps, tokens_in
from viz_app.server.service import Service

RECIPE = {
    "model": "tiny",
    "source": "The old cat.",
    "target": [{"token": 9, "how": "forced"}, {"token": 33, "how": "forced"}],
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny")
    tiny_checkpoint(root / "odd", head_width=5)
    tiny_checkpoint(root / "learned", positions="learned")
    tiny_checkpoint(root / "orderless", positions="none")
    return Service(root)


def ask(service, study, **changes):
    return service.answer({"room": "positions", "study": study, "recipe": RECIPE} | changes)


@pytest.fixture(scope="module")
def model(service):
    return service.library.tracer("tiny").model


@pytest.fixture(scope="module")
def source(model):
    return model.source(RECIPE["source"], 0)


def test_the_table_travels_to_the_last_bit(service, model):
    answer = ask(service, "table")
    table = position_table(model, "sinusoidal")
    assert answer["own"] and answer["kind"] == "sinusoidal"
    assert np.array_equal(floats(answer["table"], *answer["shape"]), table.table_PD)
    assert answer["wavelengths"] == table.wavelengths_D.tolist()
    for name in ("similarity", "products", "distances"):
        assert np.array_equal(floats(answer[name], 24, 24), getattr(table, f"{name}_PP"))


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_cosines_have_a_scale_of_their_own_where_none_is_negative(service, kind):
    answer = ask(service, "table", kind=kind)
    lowest = floats(answer["similarity"], -1).min()
    low = answer["similarity_from"]
    assert low == -1 if lowest < 0 else low <= lowest < low + 0.1


@pytest.mark.parametrize("kind", ["learned", "rotary", "none"])
def test_a_table_for_comparison_says_so(service, kind):
    answer = ask(service, "table", kind=kind)
    assert not answer["own"] and answer["models_kind"] == "sinusoidal"
    assert ask(service, "table", kind=kind, recipe=RECIPE | {"model": "learned"})["own"] == (
        kind == "learned"
    )


@pytest.mark.parametrize("side", ["source", "target"])
def test_the_sum_adds_up_in_what_is_sent(service, model, source, side):
    answer = ask(service, "sum", side=side)
    embedding, position, total = (
        floats(answer[part], *answer["shape"]) for part in ("embedding", "position", "sum")
    )
    assert np.array_equal(embedding + position, total)
    study = position_sum(model, source, [1, 9, 33], side)
    assert np.array_equal(total, study.sum_TD)
    assert answer["tokens"]["ids"] == list(study.tokens.ids)


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_order_sends_the_weights_of_one_head_in_all_runs(service, model, source, site):
    S = len(source)
    order = [2, 1, 0, *range(3, S)]
    answer = ask(service, "order", order=order, site=site, layer=1, head=1)
    for name, positions in (("on", True), ("off", False)):
        study = effect(model, source, [1, 9, 33], order, positions=positions)
        for when in ("before", "after"):
            weights_QK = getattr(study, when).weights_LHQK(site)[1, 1]
            assert np.array_equal(floats(answer[name][when], *weights_QK.shape), weights_QK)
        compared = study.comparison
        assert answer[name]["predictions"] == compared.predictions.largest_T.tolist()
        largest = [change["largest"] for change in answer[name]["changes"]]
        assert largest == [change.largest for change in compared.weights]
        for when in ("before", "after"):
            log_probabilities_V = getattr(study, when).log_probabilities_TV[answer["at"]]
            best = np.argsort(-log_probabilities_V, kind="stable")[:CANDIDATES].tolist()
            candidates = answer[name][f"candidates_{when}"]
            assert [one["token"] for one in candidates] == best
            np.testing.assert_allclose(
                [one["probability"] for one in candidates], np.exp(log_probabilities_V[best])
            )
    assert answer["at"] == np.argmax(answer["on"]["predictions"])
    assert ask(service, "order", order=order, at=0)["at"] == 0


def test_the_outcome_is_the_translations_and_the_proof(service, model, source):
    order = list(range(len(source)))[::-1]
    answer = ask(service, "outcome", order=order)
    assert answer["double_off"] < 1e-12 and answer["double_off_prediction"] < 1e-12
    assert answer["translations"]["off"][0] == answer["translations"]["off"][1]
    assert answer["translations"]["on"][1] == translation(model, source, order).text


def test_a_moved_position_is_answered_like_a_moved_word(service, source):
    S = len(source)
    answer = ask(service, "order", rows=[0, 5, *range(2, S)])
    assert answer["order"] == list(range(S))
    assert max(change["largest"] for change in answer["on"]["changes"]) > 1e-3
    assert max(change["largest"] for change in answer["off"]["changes"]) == 0


@pytest.mark.parametrize("site", ["encoder", "decoder"])
def test_the_rotation_travels_to_the_last_bit(service, model, source, site):
    answer = ask(service, "rotary", site=site, layer=1, head=1, query=2, key=1)
    study = rotation(model, source, [1, 9, 33], site, 1, 1, 2, 1)
    for name in ("q", "k", "turned_q", "turned_k"):
        array_QE = getattr(study, f"{name}_QE")
        assert np.array_equal(floats(answer[name], *answer["shape"]), array_QE)
    P = answer["positions"]
    assert np.array_equal(floats(answer["placed_scores"], P, P), study.placed_scores_PP)
    assert not answer["own"] and answer["verdict"] == "proven"


def test_an_end_token_is_never_fed_in(service, model):
    ended = [*RECIPE["target"], {"token": model.config.end_id, "how": "greedy"}]
    answer = ask(service, "sum", side="target", recipe=RECIPE | {"target": ended})
    assert answer["tokens"]["ids"] == [1, 9, 33]


@pytest.mark.parametrize("last", [0, 99])
def test_an_order_must_name_every_token_once(service, source, last):
    order = [*range(len(source) - 1), last]
    assert "order" in ask(service, "order", order=order)["error"]["message"]


def test_rows_are_positions_of_the_model(service, source):
    rows = [24] * len(source)
    assert "0 to 23" in ask(service, "order", rows=rows)["error"]["message"]


@pytest.mark.parametrize("name", ["tiny", "orderless"])
def test_left_open_two_words_change_places_so_that_the_translation_changes(service, name):
    recipe = {"model": name, "source": "The old cat."}
    open_order = ask(service, "order", recipe=recipe)
    one = service.library.tracer(name).model
    source = one.source(recipe["source"], 0)
    every = [tokens_in(order, open_order["words"]) for order in swaps(open_order["words"], source)]
    typed = translation(one, source, range(len(source)))
    changing = [
        order for order in every if translation(one, source, order).written.ids != typed.written.ids
    ]
    assert open_order["order"] in every
    assert (open_order["order"] in changing) == (changing != [])
    assert open_order["tried"] == (None if changing else len(every))
    asked = ask(service, "order", recipe=recipe, order=open_order["order"])
    assert asked["tried"] is None  # somebody chose it
    outcome = ask(service, "outcome", recipe=recipe)
    assert outcome["order"] == open_order["order"]
    for mode, both in outcome["translations"].items():
        before, after = zip(*outcome["words"][mode], strict=True)
        assert (before == after) == (both[0] == both[1])


def test_answering_leaves_the_models_translation_as_it_was(service):
    recipe = Recipe("tiny", "The old cat.")
    before = service.library.extend(recipe, 5)
    for study in ("table", "sum", "order", "outcome", "rotary"):
        assert "error" not in ask(service, study)
    model = service.library.tracer("tiny").model
    after = Tracer(model, Cache(0)).extend(recipe, 5)
    assert after[0] == before[0]
    assert np.array_equal(after[1].step.log_probabilities_V, before[1].step.log_probabilities_V)
