"""The types that the scripts are checked with are those of what Python sends."""

from tests.javascript.answers import TABLES, WRITTEN, Shape, answers, of_types, types
from tests.javascript.typed import misfits


def test_real_answers_are_of_their_types(tmp_path):
    found = answers(tmp_path)
    for one in of_types():
        assert found[one.__name__]
        for value in found[one.__name__]:
            assert misfits(value, one, more=TABLES) == []


def test_the_written_types_are_those_of_real_answers(tmp_path):
    """Where this fails, run `python -m tests.javascript.answers` and see what tsc says of it."""
    assert WRITTEN.read_text(encoding="utf-8") == types(tmp_path)


def test_a_field_that_is_new_gone_or_something_else_is_seen():
    def seen(*values):
        shape = Shape()
        for value in values:
            shape.see(value)
        return shape

    one = seen({"a": 1, "b": ["x"]})
    assert seen({"a": 2.5, "b": ["y", "z"]}) == one
    for other in (
        {"a": 1},
        {"a": 1, "b": ["x"], "c": 0},
        {"a": "1", "b": ["x"]},
        {"a": 1, "b": "x"},
        {"a": None, "b": ["x"]},
        {"a": 1, "b": [1]},
    ):
        assert seen(other) != one
        assert seen({"a": 1, "b": ["x"]}, other) != one
