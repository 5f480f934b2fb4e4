from tests.refusals import refusal
from viz_app.files.picture import picture, picture_of
from viz_app.rooms import pictures

MORE = {"order": (2, 1), "places": (0, 1), "dimensions": (5,), "sentences": ("a", "b"), "step": 4}


def test_a_picture_is_the_same_after_json():
    for name in pictures():
        for choices in ({}, MORE):
            shown = picture(name, "decoder", 2, 3, **choices)
            stored = shown.to_json()
            assert picture_of(stored["picture"], stored["view"]) == shown


def test_a_reader_counts_from_1_and_a_view_from_0():
    view = picture("head", "cross", 2, 3, query=4, key=1).view
    assert (view.layer, view.head, view.query, view.key) == (1, 2, 3, 0)


def test_a_view_that_makes_no_sense_is_named():
    for name, values, told in (
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
    ):
        assert told in str(refusal(picture_of, name, values))
    for choices in ({"layer": 0}, {"head": True}, {"step": -1}, {"order": [0]}):
        assert "from 1 up" in str(refusal(picture, "order", **choices))
    assert "does not know colour" in str(refusal(picture, "cross", colour="red"))
