"""The figures of the rooms: dials turn by what is said, a row goes on after its head."""

import re

import numpy as np
import pytest

from model_core.decoding.library import Library
from model_core.values.recipe import Recipe
from tests.tiny import tiny_checkpoint
from tests.viz_app.rooms.test_translate_figures import LOOKS
from viz_app.figures.figure import figure_of
from viz_app.figures.look import Look
from viz_app.figures.printed import printed
from viz_app.files.content import fill
from viz_app.files.picture import picture
from viz_app.values.sheets import Map, alone
from viz_app.values.tables import Axis

PLACES = {"norm_place": "pre", "final_norm": True}


@pytest.fixture(scope="module", params=[{}, PLACES], ids=["post", "pre"])
def library(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny", **request.param)
    return Library(root)


@pytest.fixture(scope="module")
def recipe(library):
    return library.extend(Recipe("tiny", "The old <b> cat."), 5)[0]


def texts(figure):
    return [note.text for note in figure.layout.annotations]


def inside_the_paper(figure):
    """Whether all parts have a place on the paper and no two of them the same."""
    boxes = []
    for name in figure.layout:
        if re.fullmatch(r"xaxis\d*", name):
            x, y = figure.layout[name].domain, figure.layout[name.replace("x", "y", 1)].domain
            assert 0 <= x[0] < x[1] <= 1 and 0 <= y[0] < y[1] <= 1
            boxes.append((*x, *y))
    return all(
        a[1] <= b[0] + 1e-9 or b[1] <= a[0] + 1e-9 or a[3] <= b[2] + 1e-9 or b[3] <= a[2] + 1e-9
        for at, a in enumerate(boxes)
        for b in boxes[:at]
    )


@pytest.mark.parametrize(("columns", "kind"), [(200, "bar"), (2000, "heatmap")])
def test_cells_of_less_than_a_pixel_are_printed_as_an_image_for_no_bar_would_be_seen(columns, kind):
    axes = Axis("row", 2), Axis("column", columns)
    figure = figure_of(alone("", Map(np.ones((2, columns)), axes)), Look())
    assert figure.data[0].type == "heatmap"
    assert printed(figure, Look()).data[0].type == kind


def test_a_printed_map_has_a_bar_for_each_cell_and_lines_where_it_is_hatched(library, recipe):
    figure = fill(library, recipe, picture("decoder", layer=1, head=1)).figure(Look())
    cells, *_ = figure.data
    bars, *others = printed(figure, Look()).data
    z_QK = np.array(cells.z)
    rows, columns = np.nonzero(np.isfinite(z_QK))
    assert [round(base + 0.5) for base in bars.base] == rows.tolist()
    assert list(bars.x) == columns.tolist()
    assert list(bars.marker.color) == z_QK[rows, columns].tolist()
    assert not any(one.marker.pattern.shape for one in others if one.type == "bar")
    assert any(one.mode == "lines" and len(one.x) > 3 for one in others if one.type == "scatter")


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
    said = [text for text in texts(figure) if re.fullmatch(r"\d+, \d+<br>[\d.]+°", text)]
    assert len(said) == pairs and said[0].endswith(f"{np.degrees(3):.0f}°")
    assert inside_the_paper(figure)


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
    assert inside_the_paper(figure)


def test_a_pair_of_dimensions_there_is_not_is_named(library, recipe):
    from model_core.errors import RecipeError

    with pytest.raises(RecipeError, match=r"no pair .*; there are 0 to"):
        fill(library, recipe, picture("rotary", pair=999)).figure(Look())


def test_the_key_of_the_masks_stands_under_the_maps_of_a_long_sentence(library):
    recipe = library.extend(Recipe("tiny", "old cat " * 5), 3)[0]
    figure = fill(library, recipe, picture("masks", site="encoder")).figure(Look())
    (key,) = (note for note in figure.layout.annotations if "×" in note.text and "+" in note.text)
    bottoms = [
        figure.layout[name].domain[0]
        for name in figure.layout
        if re.fullmatch(r"yaxis\d*", name) and np.ptp(figure.layout[name].domain) > 0.2
    ]
    assert len(bottoms) == 2 and key.yanchor == "top" and key.y < min(bottoms)
