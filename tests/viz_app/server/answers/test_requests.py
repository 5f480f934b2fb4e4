"""Requests of the stage: each is of one kind, and is logged in words of ours only."""

import pytest

from model_core.errors import RecipeError
from viz_app.server.answers.requests import checked, kind_of, name_of

RECIPE = {"model": "a", "source": "secret"}
CASES = [
    ({"recipe": RECIPE}, "recipe", "translate"),
    ({"recipe": RECIPE, "extend": 1}, "recipe", "step"),
    ({"link": "v=3&text=secret"}, "link", "translate"),
    ({"recipe": RECIPE, "next": 2}, "next", "ahead"),
    ({"room": "beam", "recipe": RECIPE}, "room", "room beam"),
    ({"room": "secret", "recipe": RECIPE}, "room", "room"),
    ({"export": {"recipe": RECIPE}, "drawing": "secret"}, "export", "export"),
    ({"lesson": {"name": "secret"}}, "lesson", "lesson"),
    ({"brought": True}, "brought", "bring"),
    ({"status": "secret", "drawing": "secret"}, "status", "status"),
    ("secret", "recipe", "stage"),
]


@pytest.mark.parametrize(("request_", "field", "name"), CASES)
def test_a_request_is_of_one_kind_and_named_without_a_word_of_the_visitor(request_, field, name):
    assert (kind_of(request_).field, name_of(request_)) == (field, name)


@pytest.mark.parametrize("field", ["extend", "force", "have"])
def test_what_is_malformed_is_quoted_in_a_few_letters(field):
    with pytest.raises(RecipeError, match=f"^{field} is ") as told:
        checked({field: ["x" * 9999] * 99})
    assert len(str(told.value)) < 300
