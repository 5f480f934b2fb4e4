"""The figures of the rooms: dials turn by what is said, a row goes on after its head."""

import re

import numpy as np
import pytest

from model_core.decoding.library import Library
from model_core.values.recipe import Recipe
from tests.tiny import tiny_checkpoint
from tests.viz_app.rooms.test_translate_figures import LOOKS
from viz_app.figures.look import Look
from viz_app.files.content import fill
from viz_app.files.picture import picture

PLACES = {"norm_place": "pre", "final_norm": True}


@pytest.fixture(scope="module", params=[{}, PLACES], ids=["post", "pre"])
def library(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny", **request.param)
    return Library(root)


@pytest.fixture(scope="module")
def recipe(library):
    return library.extend(Recipe("tiny", "The old <b> cat."), 5)[0]


def ends(figure, colour):
    """Where the arrows with a filled end lead, from the middles of their dials."""
    (drawn,) = (
        one
        for one in figure.data
        if one.type == "scatter" and one.marker.symbol == colour and len(one.x) > 3
    )
    xs, ys = (np.array(values, float).reshape(-1, 3) for values in (drawn.x, drawn.y))
    return np.stack([xs[:, 1] - xs[:, 0], ys[:, 0] - ys[:, 1]], axis=-1)


@pytest.mark.parametrize("look", LOOKS)
def test_each_dial_is_turned_by_its_angle(library, recipe, look):
    content = fill(library, recipe, picture("rotary", site="encoder", query=4, key=2, pair=1))
    figure = content.figure(look)
    vectors = next(table for table in content.tables if table.name == "vectors").values
    for name, row, symbol in (("q", 3, "circle"), ("k", 1, "circle-open")):
        turned_P2 = vectors[f"turned_{name}_QE"][row].reshape(-1, 2)
        drawn_P2 = ends(figure, symbol)
        angles = [np.arctan2(a[:, 1], a[:, 0]) for a in (drawn_P2, turned_P2)]
        np.testing.assert_allclose(np.angle(np.exp(1j * (angles[0] - angles[1]))), 0, atol=1e-5)
    pairs = len(turned_P2)
    (said,) = (one.text for one in figure.select_traces({"type": "scatter", "mode": "text"}))
    assert all(re.fullmatch(r"\d+, \d+<br>[\d.]+°", text) for text in said)
    assert len(said) == pairs and said[0].endswith(f"{np.degrees(3):.0f}°")


@pytest.mark.parametrize("look", LOOKS)
def test_what_becomes_of_a_row_is_drawn_in_the_order_of_the_model(library, recipe, look):
    content = fill(library, recipe, picture("output", site="cross", layer=1, head=2, query=2))
    figure = content.figure(look)
    tables = {table.name: table.values for table in content.tables}
    bars = [one for one in figure.data if one.type == "bar" and not one.marker.pattern.shape]
    lengths = [list(one.x) for one in bars]
    sublayer, norm = tables["sublayer"], tables["norm"]
    residual = [sublayer[name] for name in ("entered_D", "made_D", "sum_D")]
    expected = [
        [*tables["heads"]["share_HD"], sublayer["bias_D"], sublayer["made_D"]],
        residual,
        [norm["entered_D"], norm["left_D"]],
    ]
    if library.tracer("tiny").model.config.norm_place == "pre":
        expected = [expected[2], *expected[:2]]
    assert [len(one) for one in lengths] == [len(one) for one in expected]
    for drawn, vectors in zip(lengths, expected, strict=True):
        np.testing.assert_allclose(drawn, np.linalg.norm(vectors, axis=-1), rtol=1e-5)


def test_a_pair_of_dimensions_there_is_not_is_named(library, recipe):
    from model_core.errors import RecipeError

    with pytest.raises(RecipeError, match=r"no pair .*; there are 0 to"):
        fill(library, recipe, picture("rotary", pair=999)).figure(Look())
