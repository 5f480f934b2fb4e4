from dataclasses import dataclass
from typing import Annotated, Literal

import pytest

from model_core.errors import ConfigError, RecipeError
from model_core.values.checked import Checked, Form, Items, OneOf, Reads, Within, shown


@dataclass(frozen=True)
class Example(Checked):
    count: int
    share: float = 0.5
    name: str = ""
    on: bool = False


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, "Example must be a JSON object"),
        ([], "Example must be a JSON object"),
        ({}, "Example lacks count"),
        ({"count": 1, "other": 2, "surprise": 3}, "does not know 'other', 'surprise'"),
        ({"count": True}, "count is True; it must be a whole number"),
        ({"count": 1.0}, "count is 1.0; it must be a whole number"),
        ({"count": "1"}, "count is '1'; it must be a whole number"),
        ({"count": 1, "share": True}, "share is True; it must be a number"),
        ({"count": 1, "share": 10**400}, "share is a number of more than 20 digits"),
        ({"count": 1, "name": None}, "name is None; it must be a text"),
        ({"count": 1, "on": 1}, "on is 1; choose one of true, false"),
    ],
)
def test_json_that_does_not_fit_is_a_config_error_that_names_the_key(values, message):
    with pytest.raises(ConfigError, match=message):
        Example.from_json(values)


def test_a_whole_number_may_stand_for_a_float():
    assert Example.from_json({"count": 3, "share": 1}) == Example(3, 1)


def test_a_value_is_shown_short_however_large_or_deep_it_is():
    deep = []
    for _ in range(50_000):
        deep = [deep]
    for value in (deep, 10**10_000, -(10**10_000), "x" * 10**6, list(range(10**5)), b"x" * 10**5):
        assert len(shown(value)) < 200
    assert shown(12) == "12" and shown("a") == "'a'"


@dataclass(frozen=True)
class Leaf(Checked, raises=RecipeError, code="place"):
    at: Annotated[int, Within(1, 4)] = 1


@dataclass(frozen=True)
class Tree(Checked, raises=RecipeError):
    share: Annotated[float, Within(above=0, most=1)] = 0.5
    colour: Literal["green", "red"] | None = "green"
    word: Annotated[str, OneOf(("oak", "elm"))] = "oak"
    code: Annotated[str | None, Form("[0-9a-f]{2}", "two digits")] = None
    places: Annotated[tuple[int, ...], Within(0, 9), Items(3, least=1)] = (0,)
    pair: tuple[int, int] | None = None
    leaf: Leaf = Leaf()
    leaves: tuple[Leaf, ...] = ()
    upper: Annotated[str, Reads(str.upper)] = ""


def test_json_is_read_by_the_types_of_the_fields():
    values = {"places": [1, 2], "pair": [3, 4], "leaf": {"at": 2}, "leaves": [{"at": 3}, {}]}
    read = Tree.from_json(values | {"colour": None, "share": 1, "upper": "ash"})
    leaves = (Leaf(3), Leaf())
    assert read == Tree(
        1, None, places=(1, 2), pair=(3, 4), leaf=Leaf(2), leaves=leaves, upper="ash"
    )


@pytest.mark.parametrize(
    ("values", "message", "code"),
    [
        ({"share": 0}, "share is 0; it must be a number above 0 and at most 1.", "request"),
        (
            {"share": float("nan")},
            "share is nan; it must be a number above 0 and at most 1.",
            "request",
        ),
        ({"colour": "blue"}, "colour is 'blue'; choose one of green, red.", "choice"),
        ({"word": None}, "word is None; choose one of oak, elm.", "choice"),
        ({"code": "0g"}, "code is '0g'; it must be two digits.", "request"),
        (
            {"places": []},
            "places is (); it must be a list of 1 to 3 whole numbers from 0 to 9.",
            None,
        ),
        ({"places": [1] * 4}, "places is (1, 1, 1, 1); it must be a list of 1 to 3", None),
        ({"places": [1, True]}, "places is (1, True); it must be a list", None),
        ({"pair": [1]}, "pair is (1,); it must be a list of 2 whole numbers.", None),
        ({"pair": 3}, "pair is 3; it must be a list of 2 whole numbers.", None),
        ({"leaf": 3}, "Leaf must be a JSON object.", "request"),
        ({"leaf": {"at": 5}}, "at is 5; it must be a whole number from 1 to 4.", "place"),
        ({"leaves": [{"at": 0}]}, "at is 0; it must be a whole number from 1 to 4.", "place"),
        ({"leaves": {}}, "leaves is {}; it must be a list", None),
    ],
)
def test_what_a_field_cannot_hold_is_refused_with_the_code_of_its_class(values, message, code):
    with pytest.raises(RecipeError) as refused:
        Tree.from_json(values)
    assert str(refused.value).startswith(message)
    assert refused.value.code == (code or "request")


def test_a_value_made_in_the_program_is_checked_too():
    with pytest.raises(RecipeError, match="choose one of green, red"):
        Tree(colour="blue")
    with pytest.raises(RecipeError, match="from 1 to 4"):
        Leaf(5)


@dataclass(frozen=True)
class Nested(Checked):
    pairs: Annotated[tuple[Annotated[tuple[int, int], Within(1)], ...], Items(2)] = ()
    names: tuple[tuple[Annotated[str, Items(3)], Annotated[str, Items(3)]], ...] = ()


def test_the_items_of_a_list_may_be_lists_with_bounds_of_their_own():
    said = {"pairs": [[1, 2], [3, 4]], "names": [["a", "b"]]}
    assert Nested.from_json(said) == Nested(((1, 2), (3, 4)), (("a", "b"),))
    refused = [{"pairs": value} for value in (3, [3], [[1]], [[0, 1]], [[1, True]], [[1, 2]] * 3)]
    refused += [{"names": value} for value in ([["a"]], [["a", "long"]], [["a", 1]], ["ab"])]
    for values in refused:
        with pytest.raises(ConfigError, match="it must be a list"):
            Nested.from_json(values)
    with pytest.raises(ConfigError, match="at most 2, each a list of 2 whole numbers from 1 up"):
        Nested(((1, 0),))
    with pytest.raises(ConfigError, match="a list, each item a list of 2"):
        Nested(names=(("a", "long"),))
