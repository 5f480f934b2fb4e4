import pytest

from model_core.errors import RecipeError
from viz_app.export.view import VIEWS, View


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_is_the_same_after_json(name):
    view = View(
        name, "decoder", 2, 3, 4, order=(2, 1), places=(0, 1), dimensions=(5,), sentences=("a", "b")
    )
    assert View.from_json(view.to_json()) == view
    assert View.from_json(View(name).to_json()) == View(name)


def test_what_is_as_by_default_is_left_out():
    assert View().to_json() == {"view": "cross"}


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (3, "object"),
        ({"view": "sideways"}, "encoder, decoder, cross"),
        ({"view": []}, "view is"),
        ({"layer": 0}, "layer is 0"),
        ({"layer": True}, "layer is True"),
        ({"head": "1"}, "head is"),
        ({"step": -1}, "step is"),
        ({"rows": "both"}, "fed, predicted"),
        ({"order": 5}, "order must list"),
        ({"order": [1, "2"]}, "order is"),
        ({"dimensions": [-1]}, "dimensions is"),
        ({"sentences": [1]}, "sentences"),
        ({"sentences": 5}, "16 texts"),
        ({"sentences": True}, "16 texts"),
        ({"sentences": "cat"}, "16 texts"),
        ({"sentences": ["a" * 2000]}, "characters"),
        ({"sentences": ["a"] * 40}, "16 texts"),
        ({"causal": "gone"}, "intact, none"),
        ({"positions_off": 1}, "true or false"),
        ({"colour": "red"}, "does not know 'colour'"),
        ({"order": [1] * 5000}, "1024"),
    ],
)
def test_a_view_that_makes_no_sense_is_named(values, told):
    with pytest.raises(RecipeError, match=told):
        View.from_json(values)
