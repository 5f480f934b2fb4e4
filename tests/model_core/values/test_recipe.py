import dataclasses
import json
import math

import pytest

from model_core.errors import RecipeError, SourceTooLong
from model_core.values.recipe import Choice, Recipe, Strategy
from tests.refusals import refusal

RECIPES = [
    Recipe("tiny", "Hello."),
    Recipe("tiny", "", (Choice(5, "greedy"), Choice(9, "forced"), Choice(2, "sampled")), 16),
    Recipe(
        "m",
        "👩‍👩‍👧 </script> \u202e ä\u0308 \x00",
        (),
        1,
        Strategy("sample", 0.5, 3, 0.9, 2**63 - 1),
    ),
    Recipe("m", "x", settings=(("from", "eng_Latn"), ("second", "</script> \u4e2d"))),
]


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_comes_back_from_json_equal(recipe):
    again = Recipe.from_json(json.loads(json.dumps(recipe.to_json())))
    assert again == recipe and hash(again) == hash(recipe)


def test_changing_the_json_does_not_change_the_recipe():
    recipe = RECIPES[1]
    recipe.to_json()["target"][0]["token"] = 99
    assert recipe.target[0].token == 5


def test_only_model_and_source_are_needed():
    assert Recipe.from_json({"model": "a", "source": "b"}) == Recipe("a", "b")
    short = {"model": "a", "source": "b", "target": [{"token": 4}], "strategy": {"top_k": 2}}
    wanted = Recipe("a", "b", (Choice(4, "forced"),), strategy=Strategy(top_k=2))
    assert Recipe.from_json(short) == wanted


def test_a_recipe_without_settings_says_nothing_of_them():
    assert "settings" not in RECIPES[0].to_json()
    said = Recipe.from_json({"model": "m", "source": "x", "settings": {"to": "b", "from": "a"}})
    assert said.settings == (("from", "a"), ("to", "b"))


def test_a_recipe_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        RECIPES[0].source = "other"


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


WRONG = [None, True, 3, -1, 1.5, math.nan, math.inf, 10**400, "x", "\ud800", [], [[]], {}, {"a": 1}]
WRONG += [nested(20_000), list(range(100_000)), "x" * 10**6, {"k" * 10**6: 1}, 10**10_000]
FITTING = {
    "version": [],
    "model": ["x"],
    "source": ["x"],
    "target": [[]],
    "pads": [3],
    "strategy": [{}],
    "settings": [{}],
    "token": [3],
    "how": [],
    "kind": [],
    "temperature": [3, 1.5],
    "top_k": [3],
    "top_p": [],
    "seed": [3],
    "width": [3],
    "surprise": [],
}


def fits(name, value):
    return not isinstance(value, bool) and value in FITTING[name]


def hostile():
    """JSON values none of which is a recipe."""
    good = {"model": "m", "source": "s"}
    for value in WRONG:
        yield value
        names = "version", "model", "source", "target", "pads", "strategy", "settings", "surprise"
        for name in names:
            if not fits(name, value):
                yield good | {name: value}
        for name in ("token", "how", "surprise"):
            if not fits(name, value):
                yield good | {"target": [{"token": 3} | {name: value}]}
        for name in ("kind", "temperature", "top_k", "top_p", "seed", "width", "surprise"):
            if not fits(name, value):
                yield good | {"strategy": {name: value}}
        if not isinstance(value, dict):
            yield good | {"target": [value]}
    yield {"model": "m"}
    yield {"source": "s"}
    yield good | {"model": ""}
    yield good | {"model": "m" * 201}
    yield good | {"source": "half \ud83d"}
    yield good | {"target": [{}]}
    yield good | {"target": [{"how": "greedy"}]}
    yield good | {"target": [{"token": 1_000_000}]}
    yield good | {"target": [{"token": 3}] * 1025}
    yield good | {"pads": 17}
    yield good | {"strategy": {"temperature": 0}}
    yield good | {"strategy": {"top_p": 0}}
    yield good | {"strategy": {"seed": 2**63}}
    yield good | {"version": 2}
    yield good | {"version": True}
    yield good | {"version": 1.0}


def test_hostile_json_is_a_recipe_error_with_a_short_message_and_nothing_else():
    for value in hostile():
        told = refusal(Recipe.from_json, value)
        assert isinstance(told, RecipeError) and 0 < len(str(told)) < 400
        str(told).encode()  # fit to be sent to a browser


def test_a_text_of_the_largest_size_is_read_and_one_more_character_is_not():
    assert Recipe("m", "x" * 1000).source
    with pytest.raises(SourceTooLong, match="1001 characters; 1000"):
        Recipe("m", "x" * 1001)


def test_what_is_outside_its_range_is_refused():
    for settings in (
        (("to", "b"), ("from", "a")),  # few short texts in order
        (("to", "a"), ("to", "b")),
        (("To", "a"),),
        (("", "a"),),
        (("to", 3),),
        (("to", "x" * 1001),),
        (("to", "\ud800"),),
        tuple((letter, "") for letter in "abcdefghi"),
    ):
        refusal(Recipe, "m", "x", settings=settings)
    for strategy in (
        {"kind": "hill"},
        {"kind": "beam", "width": 0},
        {"kind": "beam", "width": 17},
        {"temperature": math.nan},
        {"temperature": math.inf},
        {"temperature": 0.001},
        {"top_k": -1},
        {"top_p": math.nan},
        {"top_p": 1.1},
        {"seed": -1},
    ):
        refusal(Strategy, **strategy)
    for token in (-1, True, 3.0, "3", None, 10**400):
        assert "whole number" in str(refusal(Choice, token, "forced"))
