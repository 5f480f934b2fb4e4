"""Two runs in a link, in a picture with its tables, and in a notebook."""

from urllib.parse import urlencode

import numpy as np
import pytest

from model_core.errors import RecipeError
from model_core.values.recipe import Choice, Recipe
from tests.viz_app.rooms.compare.asking import OTHER, SENTENCE, B
from viz_app.figures.look import Look
from viz_app.files.content import fill
from viz_app.files.file_request import FileRequest
from viz_app.files.making import prepared
from viz_app.files.picture import picture
from viz_app.links.link import read_link, write_link
from viz_app.rooms.compare import ROOM
from viz_app.rooms.compare.view import CompareView


def test_a_link_says_what_b_is_fed_and_which_numbers_are_shown(recipe):
    for more in ({"numbers": "scores"}, {"numbers": "vectors", "row": 3, "column": 1}):
        choices = {"feed": "a", **more}
        link = write_link(Recipe.from_json(recipe), {"room": "compare", "choices": choices})
        assert read_link(link)[1]["choices"] == choices


def test_a_link_holds_both_recipes(recipe):
    a = Recipe.from_json(recipe)
    b = Recipe("twin", "& = # % “Ça” 猫", (Choice(5), Choice(7, "greedy")), 2, edits=("hide:1",))
    choices = {"b": b.to_json(), "weights": "0123abcd", "other_head": 1, "align": "text"}
    link = write_link(a, {"room": "compare", "choices": choices})
    again, view = read_link(link)
    assert again == a and view["choices"] == choices
    assert len(link) < 600


@pytest.mark.parametrize(
    "b",
    [
        "v=3&model=m",
        "v=1&model=m&text=a",
        "v=3&model=m&text=a&room=compare",
        "v=3&model=m&text=a&compare.align=text",
        "v=3&model=m&text=a&target=x",
        "v=3&model=m&text=%E7",
        "",
        "{}",
    ],
)
def test_a_link_with_a_broken_run_in_it_is_refused(b):
    link = urlencode({"v": 3, "model": "m", "text": "A", "room": "compare", "compare.b": b})
    with pytest.raises(RecipeError) as error:
        read_link(link)
    assert error.value.values["name"] == "compare.b"


def test_the_picture_of_the_vectors_has_those_of_both_runs(service, recipe):
    view = CompareView(site="cross", b=Recipe.from_json(B), numbers="vectors")
    tracer = service.library.tracer("tiny")
    sheets = ROOM.sheets("compare", ROOM.answer(tracer, Recipe.from_json(recipe), view))
    titles = [panel.title for row in sheets.panels for panel in row]
    assert titles == [f"{run}: {of}" for run in "AB" for of in "qkv"]


def test_the_picture_of_the_paths_has_a_map_for_each_run(service, recipe):
    view = CompareView(site="cross", b=Recipe.from_json(B), numbers="path")
    tracer = service.library.tracer("tiny")
    sheets = ROOM.sheets("compare", ROOM.answer(tracer, Recipe.from_json(recipe), view))
    assert [panel.title for panel in sheets.panels[0]] == ["A", "B"]
    for panel in sheets.panels[0]:
        S, T = panel.values_RC.shape
        assert (len(panel.rows.labels), len(panel.columns.labels)) == (S, T)


def test_the_picture_and_its_tables_are_the_answers(service, recipe):
    shown = picture("compare", "cross", 1, 2, b=Recipe.from_json(B), align="text", spelled=True)
    content = fill(service.library, Recipe.from_json(recipe), shown)
    table = content.tables[0]
    assert set(table.values) == {"a_RC", "b_RC", "difference_RC"}
    figure = content.figure(Look())
    rows = [axis.ticktext for axis in figure.select_yaxes() if axis.ticktext]
    assert rows and all("→</span>" in label for labels in rows for label in labels)
    drawn = [trace.z for trace in figure.data if trace.type == "heatmap"]
    for z_RC, array_RC in zip(drawn, table.values.values(), strict=True):
        np.testing.assert_array_equal(np.array(z_RC), array_RC)  # cross-attention hides nothing
    csv = prepared(service.library, FileRequest(Recipe.from_json(recipe), shown, "csv"))().decode()
    assert "nan" not in csv.lower() and ",," in csv
    runs = [[*run["target"].texts, "…"] for run in content.answer["runs"]]
    for (i, j), name in zip(content.answer["row_pairs"], table.axes[0].tokens, strict=True):
        of_a = of_b = []
        if i is not None:
            of_a = runs[0][i : i + 2]
        if j is not None:
            of_b = runs[1][j : j + 2]
        read, written = zip(of_a or of_b, of_b or of_a, strict=True)
        assert name == " → ".join(" | ".join(dict.fromkeys(pair)) for pair in (read, written))


def test_a_notebook_opens_on_two_runs(service):
    from viz_app.files.notebook import show

    folder = service.checkpoints / "tiny"
    both = show(folder, SENTENCE, compare="twin", site="cross", layer=1, head=2)
    assert '"room":"compare"' in both.html
    names = [trace.name for trace in both.figure().data if trace.type == "heatmap"]
    assert [name[:5] for name in names] == ["A · l", "B · l", "A − B"]
    again = show(folder, SENTENCE, compare=show(folder, OTHER))
    assert f'"source":"{OTHER}"' in again.html
