import pytest

from model_core.errors import RecipeError
from viz_app.files.picture import picture, picture_of
from viz_app.rooms import pictures

MORE = {"order": (2, 1), "places": (0, 1), "dimensions": (5,), "sentences": ("a", "b"), "step": 4}


@pytest.mark.parametrize("name", pictures())
@pytest.mark.parametrize("choices", [{}, MORE], ids=["open", "chosen"])
def test_a_picture_is_the_same_after_json(name, choices):
    shown = picture(name, "decoder", 2, 3, **choices)
    stored = shown.to_json()
    assert picture_of(stored["picture"], stored["view"]) == shown


def test_a_reader_counts_from_1_and_a_view_from_0():
    view = picture("head", "cross", 2, 3, query=4, key=1).view
    assert (view.layer, view.head, view.query, view.key) == (1, 2, 3, 0)


@pytest.mark.parametrize(
    ("picture_", "values", "told"),
    [
        ("cross", 3, "object"),
        ("sideways", {}, "encoder, decoder, cross"),
        ([], {}, "picture is"),
        ("cross", {"layer": -1}, "layer is -1"),
        ("cross", {"layer": True}, "layer is True"),
        ("cross", {"head": "1"}, "head is"),
        ("cross", {"at": -1}, "at is"),
        ("cross", {"rows": "both"}, "fed, predicted"),
        ("order", {"order": 5}, "order is 5; it must be a list"),
        ("order", {"order": [1, "2"]}, "order is"),
        ("curves", {"dimensions": [-1]}, "dimensions is"),
        ("masks", {"sentences": [1]}, "sentences"),
        ("masks", {"sentences": 5}, "16 texts"),
        ("masks", {"sentences": True}, "16 texts"),
        ("masks", {"sentences": "cat"}, "16 texts"),
        ("masks", {"sentences": ["a"] * 40}, "16 texts"),
        ("masks", {"breaks": ["hide:1"]}, "no-pad-mask, pads-rows"),
        ("masks", {"breaks": ["causal-mask:gone"]}, "cannot be read"),
        ("masks", {"cell": [1]}, "it must be a list of 2"),
        ("cross", {"spelled": 1}, "one of true, false"),
        ("cross", {"colour": "red"}, "does not know 'colour'"),
        ("order", {"order": [1] * 5000}, "1024"),
    ],
)
def test_a_view_that_makes_no_sense_is_named(picture_, values, told):
    with pytest.raises(RecipeError, match=told):
        picture_of(picture_, values)


@pytest.mark.parametrize("choices", [{"layer": 0}, {"head": True}, {"step": -1}, {"order": [0]}])
def test_what_a_reader_chooses_counts_from_1(choices):
    with pytest.raises(RecipeError, match="from 1 up"):
        picture("order", **choices)


def test_a_choice_that_there_is_not_is_named():
    with pytest.raises(RecipeError, match="does not know colour"):
        picture("cross", colour="red")
