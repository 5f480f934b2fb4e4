import math
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from model_core.decoding.library import Library
from model_core.errors import RecipeError
from model_core.values.draw import draw
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe, Strategy
from tests.answered import floats
from tests.refusals import refusal
from tests.tiny import measured_checkpoint, tiny_checkpoint
from viz_app.figures.look import Look
from viz_app.files.content import fill
from viz_app.files.file_request import FileRequest
from viz_app.files.making import name_of
from viz_app.files.picture import picture
from viz_app.files.tables import to_csv, to_json, to_npz
from viz_app.rooms import pictures
from viz_app.rooms.masks import ROOM, MasksView
from viz_app.rooms.translate import ROOM as TRANSLATE
from viz_app.rooms.translate.view import TranslateView

LOOKS = (Look(), Look("column", "dark", "grey", "zh"))
EDITS = ("head-off:cross.1.1", "head-off:encoder.1.1")


@pytest.fixture(scope="module")
def libraries(library, tmp_path_factory):
    """Libraries of one model by the positions that it has."""
    made = {"sinusoidal": library}
    for positions in ("rotary", "none"):
        root = tmp_path_factory.mktemp(positions)
        measured_checkpoint(root / "tiny", positions=positions)
        made[positions] = Library(root)
    return made


def decoded(library):
    return library.extend(Recipe("tiny", "the old cat </s>", pads=1), 6)[0]


@pytest.fixture(scope="module")
def recipe(library):
    return decoded(library)


@pytest.mark.parametrize(
    ("positions", "name"),
    [
        (positions, name)
        for positions in ("sinusoidal", "rotary", "none")
        for name, room in pictures().items()
        if positions == "sinusoidal" or room.name in ("positions", "inside")  # the others show none
    ],
)
def test_every_view_is_a_figure_and_three_kinds_of_data(libraries, positions, name):
    library = libraries[positions]
    recipe = decoded(library)
    view = picture(name, site="decoder" if name == "passes" else "cross")
    if pictures()[name].views[name].about.find("table") >= 0 or name == "similarity":
        view = picture(name, kind="sinusoidal")  # a model may have none of its own
    content = fill(library, recipe, view)
    for look in LOOKS:
        figure = content.figure(look)
        assert figure.layout.title.text and figure.layout.width >= 300
        go.Figure(figure.to_dict())  # checks every value, which making the figure does not
    for write in (to_npz, to_json):
        assert write(content.tables, content.about())
    assert len(to_csv(content.tables).splitlines()) == 1 + sum(map(len, content.tables))
    assert content.about()["recipe"] == recipe.to_json()


@pytest.fixture(scope="module")
def edited(library):
    """A library, and a recipe of its model with edits."""
    edits = read_edits(EDITS)
    return library, library.extend(Recipe("tiny", "the old cat", edits=edits), 4)[0]


@pytest.mark.parametrize("name", pictures())
def test_a_picture_of_a_changed_model_says_what_was_changed(edited, name):
    content = fill(*edited, picture(name))
    said = content.figure(Look()).layout.title.subtitle.text.replace("<br>", " ")
    assert ", ".join(EDITS) in said


@pytest.mark.parametrize("ending", ["csv", "json", "npz", "gif", "zip", "html", "png"])
def test_the_name_of_a_file_of_a_changed_model_says_that_it_was_changed(edited, ending):
    recipe = edited[1]
    shown = picture("cross", layer=3, head=5)
    name = name_of(FileRequest(recipe, shown, ending))
    assert name == name_of(FileRequest(replace(recipe, edits=()), shown, ending)).replace(
        f".{ending}", f"-edited.{ending}"
    )


def test_a_model_without_positions_has_no_table(tmp_path):
    tiny_checkpoint(tmp_path / "bare", positions="none")
    with pytest.raises(RecipeError, match="no positions"):
        fill(Library(tmp_path), Recipe("bare", "the old cat"), picture("positions"))


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_the_numbers_of_a_head_are_the_decodings(library, recipe, site):
    layers = 2 if site == "encoder" else 3
    content = fill(library, recipe, picture(site, layer=layers, head=2))
    trace = library.extend(recipe, 0)[1].trace(site, layers - 1)
    (table,) = content.tables
    np.testing.assert_array_equal(table.values["weights_QK"], trace.weights_HQK[1])
    np.testing.assert_array_equal(table.values["scores_QK"], trace.scores_HQK[1])
    assert table.axes[0].tokens == trace.queries.texts
    assert table.axes[1].tokens == trace.keys.texts


def test_all_heads_of_a_site_are_in_the_grid(library, recipe):
    (table,) = fill(library, recipe, picture("heads", site="decoder")).tables
    decoding = library.extend(recipe, 0)[1]
    for layer in range(3):
        weights_HQK = decoding.trace("decoder", layer).weights_HQK
        np.testing.assert_array_equal(table.values["weights_LHQK"][layer], weights_HQK)


def test_candidates_are_of_the_full_softmax(library, recipe):
    (table,) = fill(library, recipe, picture("candidates", step=2)).tables
    step = library.extend(recipe, 0)[1].steps[1]
    ids = table.values["token_id"]
    assert ids.tolist() == step.best(10)
    np.testing.assert_array_equal(table.values["log_probability"], step.log_probabilities_V[ids])


NONE = ["causal-mask:none"]


def test_the_rooms_numbers_are_those_the_page_is_given(library, recipe):
    sentences = ["the old cat", "the old cat sleeps on the roof"]
    view = picture("scores", "decoder", 2, 3, sentences=tuple(sentences), shown=1, breaks=NONE)
    content = fill(library, recipe, view)
    wanted = MasksView(sentences=tuple(sentences), shown=0, site="decoder", breaks=NONE)
    answer = ROOM.answer(library.tracer(recipe.model), recipe, wanted).to_json()
    T = len(answer["batch"][0]["fed"]["ids"])
    values = content.tables[0].values
    for name in ("scores", "weights"):
        expected = floats(answer[name], *(3, 4, T, T))[1, 2]
        np.testing.assert_array_equal(values[f"{name}_QK"], expected)


def test_a_row_of_a_head_adds_up(library, recipe):
    content = fill(library, recipe, picture("head", "cross", 1, 1, query=3, key=2))
    tables = {table.name: table.values for table in content.tables}
    products_KE = tables["dimensions"]["products_KE"]
    np.testing.assert_allclose(products_KE.sum(-1), tables["row"]["sums_K"], atol=1e-5)
    weighted_E = tables["dimensions"]["weighted_KE"].sum(0)
    np.testing.assert_allclose(weighted_E, tables["query"]["context_E"], atol=1e-5)
    trace = library.extend(recipe, 0)[1].trace("cross", 0)
    np.testing.assert_allclose(tables["row"]["weights_K"], trace.weights_HQK[0, 2], atol=1e-5)


def test_what_becomes_of_a_row_adds_up(library, recipe):
    content = fill(library, recipe, picture("output", "cross", 1, 1, query=3))
    tables = {table.name: table.values for table in content.tables}
    sublayer, norm = tables["sublayer"], tables["norm"]
    made_D = tables["heads"]["share_HD"].sum(0) + sublayer["bias_D"]
    np.testing.assert_allclose(made_D, sublayer["made_D"], atol=1e-5)
    summed_D = sublayer["entered_D"] + sublayer["made_D"]
    np.testing.assert_allclose(summed_D, sublayer["sum_D"], atol=1e-5)
    x_D = norm["entered_D"].astype(np.float64)
    left_D = (x_D - x_D.mean()) / np.sqrt(x_D.var() + 1e-5) * norm["gain_D"] + norm["bias_D"]
    np.testing.assert_allclose(left_D, norm["left_D"], atol=1e-4)


def test_a_place_there_is_not_is_an_error_that_says_so(library, recipe):
    for view in (
        picture("cross", layer=4),
        picture("encoder", layer=3),
        picture("encoder", head=3),
        picture("cross", head=5),
        picture("cross", step=40),
        picture("candidates", step=40),
        picture("head", query=90),
        picture("head", key=90),
        picture("way", query=90),
        picture("curves", dimensions=(24,)),
        picture("order", order=(1, 2)),
        picture("masks", sentences=("a",), shown=2),
        picture("passes", site="encoder"),
    ):
        assert str(refusal(fill, library, recipe, view)).endswith(".")


def test_sampled_candidates_have_both_probabilities_and_the_drawn_token(library, recipe):
    strategy = Strategy("sample", temperature=2.5, top_k=40, top_p=0.95, seed=7)
    sampled, decoding = library.extend(replace(recipe, target=(), strategy=strategy), 6)
    beyond = 0
    for at, (step, taken) in enumerate(zip(decoding.steps, decoding.chosen, strict=False)):
        drawn = draw(step, strategy, (0, 1))
        wanted = picture("candidates", step=at + 1)
        values = fill(library, sampled, wanted).tables[0].values
        for token, share in zip(values["token_id"].tolist(), values["share"], strict=True):
            assert share == drawn.part(token)[1]
        view = TranslateView(site="cross", at=at)
        answer = TRANSLATE.answer(library.tracer(recipe.model), sampled, view)
        figure = TRANSLATE.figure("candidates", answer, Look(), "")
        bars = [t for t in figure.data if t.type == "bar"]
        texts, shares, plain = bars[0].text, bars[1].x, bars[2].x
        ids = answer["listed"][0].ids
        assert taken.token in ids and len(texts) == 10
        beyond += taken.token not in step.best(10)
        for token, text, share, probability in zip(ids, texts, shares, plain, strict=True):
            assert share == drawn.part(token)[1]
            assert probability == math.exp(step.log_probabilities_V[token])
            printed = f"{share:.3f}" if share >= 0.0005 else "&lt;0.001" if share else "cut"
            assert text.startswith(printed) and text.endswith(")")
    assert beyond > 0
