import numpy as np
import pytest

from model_core.errors import CheckpointMissing, RecipeError
from model_core.values.recipe import Recipe
from tests.tiny import tiny_checkpoint
from viz_app.server.service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny")
    return Service(root)


RECIPE = {"model": "tiny", "source": "The old cat."}


def ask(service, **changes):
    return service.answer({"recipe": RECIPE, "extend": 1, "force": None, "have": 0} | changes)


def test_one_step_adds_one_token(service):
    first = ask(service)
    assert len(first["recipe"]["target"]) == 1 and len(first["steps"]) == 2
    second = ask(service, recipe=first["recipe"], have=2)
    assert len(second["recipe"]["target"]) == 2 and len(second["steps"]) == 1


def test_the_end_is_reached_or_the_limit(service):
    assert ask(service, extend="end")["finished"] in ("end", "limit")


def test_a_forced_token_is_taken_and_marked(service):
    answer = ask(service, force=17)
    assert answer["recipe"]["target"] == [{"token": 17, "how": "forced"}]
    assert answer["chosen"][0]["how"] == "forced"


def test_a_source_over_the_limit_says_both_numbers_and_the_remedy(service):
    error = ask(service, recipe=RECIPE | {"source": "cat " * 60})["error"]
    assert error["kind"] == "SourceTooLong"
    assert "24" in error["message"] and "Shorten it" in error["message"]


@pytest.mark.parametrize(
    "request_",
    [
        None,
        [],
        {},
        {"recipe": 3},
        {"recipe": RECIPE, "extend": 2},
        {"recipe": RECIPE, "extend": True},
        {"recipe": RECIPE, "extend": []},
        {"recipe": RECIPE, "force": "1"},
        {"recipe": RECIPE, "force": 10**9, "extend": 1},
        {"recipe": RECIPE, "force": 0, "extend": 1},
        {"recipe": RECIPE, "have": -1},
        {"recipe": RECIPE, "have": None},
        {"recipe": RECIPE | {"model": "../secrets"}},
        {"recipe": RECIPE | {"source": "\ud800"}},
        {"recipe": RECIPE | {"target": [{"token": -5}]}},
    ],
)
def test_bad_requests_get_a_message_and_never_an_exception(service, request_):
    answer = service.answer(request_)
    assert answer["error"]["message"].endswith((".", "!"))


def test_a_browser_that_claims_more_steps_than_there_are_gets_all(service):
    assert ask(service, have=50)["steps_from"] == 0


def test_trace_gives_the_arrays_of_the_decoding(service):
    recipe = service.step(RECIPE)["recipe"]
    traced = service.trace(recipe, "cross", 3)
    decoding = service.library.tracer("tiny").evaluate(Recipe.from_json(recipe))
    assert np.array_equal(traced["weights_HQK"], decoding.trace("cross", 2).weights_HQK)
    assert traced["keys"] == list(decoding.source.pieces)
    assert traced["queries"] == list(decoding.target.pieces)


@pytest.mark.parametrize(
    ("site", "layer"), [("side", 1), ("cross", 0), ("cross", 4), ("encoder", 3)]
)
def test_trace_names_what_there_is(service, site, layer):
    with pytest.raises(RecipeError, match=r"there are|layers 1 to"):
        service.trace(RECIPE, site, layer)


def test_an_unknown_model_is_answered_with_the_known_ones(service):
    with pytest.raises(CheckpointMissing, match="there are: tiny"):
        service.translate(RECIPE | {"model": "en-xx"})
