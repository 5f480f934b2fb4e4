"""`show`: what it displays, what it refuses, and the notebook that teaches with it."""

import ast
import html
import json
import re
import sys

import nbformat
import numpy as np
import plotly.graph_objects as go
import pytest

from model_core.errors import CheckpointMissing, RecipeError
from model_core.values.trace import SITES
from tests.conftest import ROOT
from tests.tiny import tiny_checkpoint
from viz_app import show
from viz_app.files.chromium import Chromium
from viz_app.files.picture import picture
from viz_app.rooms import pictures

NOTEBOOK = ROOT / "viz_app" / "files" / "notebooks" / "attention.ipynb"
CHINESE = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    tiny_checkpoint(folder)
    return folder


def options(page):
    found = re.search(r'<script type="application/json" id="options">(.*?)</script>', page, re.S)
    return json.loads(found[1])


def page_in(displayed):
    """The page that a displayed frame holds, as a browser reads the attribute."""
    found = re.fullmatch(
        r"<iframe ([^>]*?) srcdoc='([^']*)'></iframe><p .*</p><script>.*", displayed, re.S
    )
    return html.unescape(found[2])


def test_the_package_offers_its_public_names_and_nothing_else():
    import viz_app

    assert all(callable(getattr(viz_app, name)) for name in viz_app.__all__)
    with pytest.raises(AttributeError, match="no attribute 'showing'"):
        _ = viz_app.showing


def test_a_name_and_a_folder_both_name_a_model(folder, monkeypatch):
    assert show("reverse-tiny", "abc").recipe.model == "reverse-tiny"
    for model in (folder, str(folder)):
        assert show(model, "The cat.").recipe.model == "tiny"
    monkeypatch.chdir(folder.parent)
    assert show("tiny", "The cat.").recipe.model == "tiny"
    with pytest.raises(CheckpointMissing, match="en-fr"):
        show("nothing", "The cat.")
    with pytest.raises(CheckpointMissing, match=r"no checkpoint at /.*/no/where"):
        show("no/where", "The cat.")


def test_without_a_target_the_model_translates_to_its_end():
    shown = show("reverse-tiny", "abc123")
    assert shown.text == "321cba"
    assert shown.decoding.finished == "end"
    assert str(shown) == "reverse-tiny: abc123 → 321cba"


def test_a_target_is_forced_with_its_end(folder):
    shown = show(folder, "The cat.", target="Le chat.")
    assert shown.text == "Le chat."
    assert {choice.how for choice in shown.recipe.target} == {"forced"}
    assert shown.decoding.finished == "end"


def test_a_target_that_does_not_fit_is_counted(folder):
    with pytest.raises(RecipeError, match=r"has \d\d tokens.*writes 22 here"):
        show(folder, "The cat.", target="le chat " * 20)
    with pytest.raises(RecipeError, match="half of a character"):
        show(folder, "The cat.", target="\ud800")


def test_edits_change_what_is_shown_and_saved(folder):
    shown = show(folder, "The old cat.", edits=["hide:1"])
    assert not shown.trace("cross", 1).mask_QK[:, 0].any()
    assert show(folder, "The old cat.").trace("cross", 1).mask_QK.all()
    with pytest.raises(RecipeError, match="leave out edits"):
        show(link="x", edits=["hide:1"])


def test_places_are_counted_from_1_and_the_page_opens_there(folder):
    shown = show(folder, "The cat.", site="encoder", layer=2, head=1, step=3, drawing="table")
    view = {"site": "encoder", "layer": 1, "head": 0, "at": 2, "view": "table"}
    assert options(shown.html)["view"] == view
    assert options(show(folder, "The cat.").html)["view"] == {}


@pytest.mark.parametrize(
    "wrong",
    [
        {"site": "middle"},
        {"layer": 0},
        {"layer": 4},
        {"site": "encoder", "layer": 3},
        {"site": "encoder", "head": 3},
        {"head": True},
        {"step": 99},
        {"rows": "both"},
        {"drawing": ""},
        {"theme": "blue"},
        {"language": "fr"},
        {"height": 10},
        {"settings": "text"},
        {"edits": "head-off"},
    ],
)
def test_what_there_is_not_is_named_with_what_there_is(folder, wrong):
    name = list(wrong)[-1]
    with pytest.raises(RecipeError, match=f"{name} .*(there are|must lie|must be|choose)"):
        _ = show(folder, "The cat.", **wrong).html


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"link": 5}, "link is 5"),
        ({"model": 5, "source": "abc"}, "model is 5"),
        ({"model": 5, "lesson": "leak"}, "model is 5"),
        ({"model": "reverse-tiny", "source": "abc", "settings": {1: "a", "b": "c"}}, "a setting"),
    ],
)
def test_what_is_of_another_kind_is_named(wrong, said):
    with pytest.raises(RecipeError, match=said):
        show(**wrong)


@pytest.mark.parametrize("site", SITES)
def test_traces_and_figures_are_those_of_the_page(folder, site):
    shown = show(folder, "The cat.", pads=2)
    trace = shown.trace(site, layer=2)
    assert trace is shown.decoding.trace(site, 1) or np.array_equal(
        trace.weights_HQK, shown.decoding.trace(site, 1).weights_HQK
    )
    assert "layer 2" in str(shown.figure(site, layer=2, head=1).layout.title.text).lower()
    for wrong in ({"layer": 9}, {"head": 9}, {"step": 99}):
        with pytest.raises(RecipeError, match="There is no"):
            shown.figure(site, **wrong)


def test_it_is_displayed_in_a_frame_of_its_own(folder):
    shown = show(folder, 'It\'s <b>"the"</b> &amp;', height=500)
    displayed = shown._repr_html_()
    assert page_in(displayed) == shown.html
    traits = displayed.split("srcdoc=")[0]
    assert 'sandbox="allow-scripts allow-downloads"' in traits and "height: 500px" in traits
    assert "<b>" not in traits


def test_a_notebook_that_is_not_trusted_says_what_it_would_show(folder):
    shown = show(folder, "The <b>cat</b>.")
    displayed = shown._repr_html_()
    kept = re.sub(r"<(iframe|script).*?</\1>", "", displayed, flags=re.S)
    left = re.sub(r"<[^>]*>", "", kept)
    assert html.unescape(left).startswith(f"tiny: The <b>cat</b>. → {shown.text} ")
    assert "Trust this notebook" in left


def test_a_notebook_gets_a_figure_as_a_picture_too(folder, monkeypatch):
    """A page that nbconvert writes shows the first of its types, and knows none of Plotly's."""
    figure = show(folder, "The cat.").figure()
    shown = figure.shown()
    assert set(shown) == {"application/vnd.plotly.v1+json", "image/svg+xml"}
    assert shown["image/svg+xml"].startswith("<svg") and "layer 3, head 1" in shown["image/svg+xml"]
    assert len(shown["application/vnd.plotly.v1+json"]["data"]) == 1
    monkeypatch.setattr("viz_app.files.chromium.find_chromium", lambda: None)
    monkeypatch.setattr("viz_app.files.displayed.CHROMIUM", Chromium())
    assert figure.shown() == {}


def test_a_figure_opens_as_the_page_does(folder):
    shown = show(folder, "The cat.")
    assert shown.figure() == shown.figure("cross", layer=3, head=1)
    assert shown.figure(picture("cross", head=2)) == shown.figure("cross", head=2)
    assert shown.figure("heads") != shown.figure()


def test_a_figure_is_a_plain_one_that_can_be_styled_further(folder):
    shown = show(folder, "The cat.")
    figure = shown.figure("decoder", layer=2, head=3)
    (trace,) = (one for one in figure.data if one.type == "heatmap")
    weights_QK = shown.trace("decoder", 2).weights_HQK[2]
    mask_QK = shown.trace("decoder", 2).mask_QK
    bar = figure.layout[trace.coloraxis].colorbar
    assert bar.title.text.startswith("weight")
    np.testing.assert_array_equal(np.array(trace.z), np.where(mask_QK, weights_QK, np.nan))
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert len(figure.layout.xaxis.ticktext) == len(weights_QK[0])
    go.Figure(figure.to_dict())  # checks every value
    layers, heads = len(shown.decoding.cross_keys), len(shown.trace("cross", 1).weights_HQK)
    maps = [one for one in shown.figure("heads").data if one.type == "heatmap"]
    assert len(maps) == layers * heads
    for name, room in pictures().items():
        if room.name not in ("heads", "training"):  # whose numbers this model does not bring
            go.Figure(shown.figure(name).to_dict())


def test_it_is_saved_as_its_name_ends(folder, tmp_path):
    shown = show(folder, "The cat.")
    path = shown.save(tmp_path / "cat.html")
    assert path.read_text(encoding="utf-8") == shown.html
    data = np.load(shown.save(tmp_path / "cat.npz", picture("cross", layer=2, head=3)))
    weights_QK = shown.trace("cross", 2).weights_HQK[2]
    assert any(np.array_equal(data[name], weights_QK) for name in data.files)
    with pytest.raises(RecipeError, match="format is 'doc'; choose one of png"):
        shown.save(tmp_path / "cat.doc")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cat.html", "cat.npz"]


@pytest.fixture(scope="module")
def notebook():
    return nbformat.read(NOTEBOOK, nbformat.current_nbformat)


def test_the_notebook_is_stored_without_outputs(notebook):
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None


def test_every_heading_of_the_notebook_has_a_chinese_one_under_it(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading, _, below = cell.source.split("\n")[:3]
            assert heading.startswith("#")
            assert re.fullmatch(r"\*.+\*", below) and CHINESE.search(below)


def test_the_notebook_runs_where_it_lies(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # where it saves; the program is imported already
    monkeypatch.setattr(sys, "path", list(sys.path))
    names, shown = {"__name__": "__main__"}, []
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        *lines, last = ast.parse(cell.source).body
        if isinstance(last, ast.Expr):  # what Jupyter displays
            exec(compile(ast.Module(lines, []), "cell", "exec"), names)
            shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
        else:
            exec(compile(cell.source, "cell", "exec"), names)
    assert (NOTEBOOK.parent / sys.path[-1]).resolve() == ROOT
    frames = [one._repr_html_() for one in shown if hasattr(one, "save")]
    assert len(frames) == 5 and all("srcdoc" in frame for frame in frames)
    assert any(isinstance(one, go.Figure) for one in shown)
    (saved,) = tmp_path.glob("*.html")
    assert page_in(frames[0]) == saved.read_text(encoding="utf-8")
    said = capsys.readouterr()
    assert "largest difference:" in said.out and not said.err
    for written, read in (("voiture", "car"), ("rouge", "red")):  # as the text says of its head
        assert re.search(rf"^ *{written}  reads  {read} ", said.out, re.MULTILINE)
