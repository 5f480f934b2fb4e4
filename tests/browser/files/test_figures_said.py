"""A picture that the page draws and its Plotly figure say the same, in every room.

Compared are the titles, and of each map the numbers, what is hatched, marked, outlined and printed,
the names of rows and columns, what the axes are, and what the ends of the colours stand for.
"""

import html
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model_core.decoding.library import Library
from model_core.values.recipe import Choice, Recipe, Strategy
from tests.tiny import measured_checkpoint, tiny_checkpoint
from viz_app.figures.labels import said, title_said
from viz_app.figures.look import Look
from viz_app.figures.maps import printed_in
from viz_app.files.content import fill
from viz_app.files.drawing import program
from viz_app.files.picture import picture
from viz_app.stage.stage import following, joined
from viz_app.values.phrases import say
from viz_app.values.sheets import OPEN_SHARE, Bars, Map, Tree
from viz_app.values.tables import Axis

READ = Path(__file__).with_name("drawn.js").read_text("utf-8")
MODELS = {
    "tiny": {},
    "twin": {"seed": 7, "norm_place": "pre", "final_norm": True},
    "hard": {"attention": "hard", "positions": "rotary"},
    "learned": {"positions": "learned"},
}
SEEN = 4  # candidates that the page shows whichever token is taken
MARKS = {"●": "opened", "×": "closed"}
SOURCE = "The old cat sleeps."
BATCH = {"sentences": (SOURCE, "Le."), "shown": 2}
ORDER = {"order": (2, 1, *range(3, 13))}
B = Recipe("twin", "The cat on the old roof.")
READINGS = ("norms", "rollout", "mean", "mean_all", "hidden")
MEASURES = ("entropy", "distance", "previous")
# Which picture, of which model, with what is chosen. A figure may have more maps than the page,
# whose other parts say that: then it is said which ones the maps of the page are, as they stand;
# several are beside one another on the page, and drawn as one.
PICTURES = [
    *(("cross", "tiny", {"layer": 2, "head": 3, "reading": one}) for one in READINGS),
    ("cross", "tiny", {"layer": 2, "head": 3, "language": "zh"}),
    ("cross", "tiny", {"layer": 2, "head": 3, "by": "pieces", "step": 2}),
    ("cross", "tiny", {"layer": 2, "head": 3, "spelled": True}),
    ("cross", "tiny", {"layer": 2, "head": 3, "stepping": True, "step": 3, "by": "pieces"}),
    ("encoder", "tiny", {"layer": 2, "head": 2, "reading": "rollout", "by": "pieces"}),
    ("decoder", "hard", {"layer": 3, "head": 1}),
    ("lines", "tiny", {"site": "cross", "layer": 1, "head": 1}),
    ("candidates", "tiny", {}),
    ("candidates", "tiny", {"step": 2, "strategy": Strategy("sample", temperature=3.0, top_k=5)}),
    ("masks", "tiny", {**BATCH, "site": "decoder", "breaks": ("causal-mask:ahead", "pads-rows")}),
    ("scores", "tiny", {**BATCH, "site": "cross", "layer": 2, "head": 1, "language": "zh"}),
    ("scores", "hard", {**BATCH, "site": "decoder", "layer": 1, "head": 1}),
    ("scores", "tiny", {**BATCH, "site": "encoder", "breaks": ("pads-rows", "finite-mask")}),
    ("broken", "tiny", {**BATCH, "breaks": ("causal-mask:none",)}),
    ("passes", "tiny", {"site": "decoder", "layer": 2, "head": 1, "language": "zh"}),
    ("passes", "tiny", {"site": "cross", "step": 2}),
    ("positions", "tiny", {"row": 2, "column": 5, "maps": [(0, 1)]}),
    ("positions", "learned", {"language": "zh"}),
    ("curves", "tiny", {}),
    ("similarity", "tiny", {}),
    ("sum", "tiny", {"side": "target", "language": "zh"}),
    ("order", "tiny", {**ORDER, "site": "cross"}),
    ("order", "tiny", {**ORDER, "site": "encoder", "positions_off": True}),
    ("rotary", "hard", {"site": "decoder", "pair": 1, "maps": [(2,)]}),
    ("head", "tiny", {"site": "cross", "query": 2, "key": 1, "maps": [None, None, (1,), (2,)]}),
    ("output", "tiny", {"site": "cross", "query": 2}),
    ("output", "twin", {"site": "decoder", "query": 2, "maps": [(1,), (2,), (0,)]}),
    ("spread", "tiny", {"site": "cross", "query": 2}),
    ("norms", "tiny", {"maps": [(0,)]}),
    ("way", "tiny", {"maps": []}),
    ("beam", "tiny", {"width": 3}),
    *(("measures", "measured", {"measure": one}) for one in MEASURES),
    ("scatter", "measured", {"language": "zh"}),
    ("here", "measured", {}),
    ("distances", "measured", {}),
    *(("compare", "tiny", {"b": B, "numbers": one}) for one in ("weights", "scores", "norms")),
    ("compare", "tiny", {"b": B, "site": "encoder", "language": "zh"}),
    ("compare", "tiny", {"b": B, "spelled": True}),
    ("compare", "tiny", {"b": B, "numbers": "vectors", "maps": []}),
    ("compare", "tiny", {"b": B, "numbers": "path", "maps": []}),
    ("training", "measured", {"site": "cross", "note": 1}),
    ("training", "measured", {"site": "decoder", "language": "zh"}),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    for name, changes in MODELS.items():
        tiny_checkpoint(root / name, **changes)
    measured_checkpoint(root / "measured")
    return Library(root)


@pytest.fixture(scope="module")
def page(browser):
    """An empty page that reads pictures as it draws them."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    begins, drawing = "globalThis.drawPicture =", program()
    assert begins in drawing
    reads = joined(following("stage/draw/numbers.js")) + READ
    page.evaluate(f"() => {{ {drawing.replace(begins, reads + begins)} }}")
    yield page
    page.close()


def plain(text, look):
    """What a text of a sheet is, as a reader sees it."""
    return re.sub("[\u2068\u2069〈〉]", "", html.unescape(re.sub("<[^>]*>", "", said(text, look))))


def finished(library, model, source, strategy):
    """A translation that is at its end, so that words are shown."""
    written = library.tracer(model).model.target("Le vieux chat dort.").ids
    chosen = tuple(Choice(one) for one in written)
    return Recipe(model, source, chosen, strategy=strategy or Strategy())


def assert_same_axis(drawn, title, axis, look):
    if drawn is not None:
        labels = [plain(label, look) for label in axis.labels or ()][: len(drawn)]
        assert [re.sub("[\u2068\u2069]", "", one) for one in drawn] == labels
    if title is not None:
        assert plain(axis.title, look).startswith(title)


def assert_same_scale(drawn, scale):
    if drawn["kind"] == "mask":
        assert (scale.low, scale.high) == (0, 1 / OPEN_SHARE)
    elif drawn["kind"] == "signed":
        assert scale.is_signed
        assert drawn["limit"] == pytest.approx(max(-scale.low, scale.high))
    else:
        assert not scale.is_signed
        assert (drawn["range"] or [0, 1]) == pytest.approx([scale.low, scale.high])


def printed(lines):
    """What is printed in cells, where 0 may have digits after it."""
    return [["0" if re.fullmatch(r"0?[.]?0+", text) else text for text in line] for line in lines]


def assert_same_map(drawn, sheet, look):
    """`drawn` of the page is a sheet of the figure."""
    shown_RC = np.array(drawn["values"], float)
    hidden_RC = np.array(drawn["hidden"], bool)
    R = len(shown_RC)
    if drawn["kind"] != "weight":
        shown_RC[hidden_RC] = np.nan
    else:
        shown_RC[hidden_RC & ~(shown_RC > 0)] = np.nan
    assert np.isnan(sheet.shown_RC[R:]).all()  # what the page has below the map
    np.testing.assert_allclose(shown_RC, sheet.shown_RC[:R], atol=1e-6, rtol=1e-5)
    own_RC = np.zeros(sheet.values_RC.shape, bool) if sheet.hidden_RC is None else sheet.hidden_RC
    drawn_R = np.arange(R) < (R if sheet.drawn is None else sheet.drawn)
    np.testing.assert_array_equal(hidden_RC, own_RC[:R] & drawn_R[:, None])
    marks = {(row, column): MARKS[sign] for row, column, sign in sheet.marks}
    assert marks == {
        (row, column): mark
        for row, line in enumerate(drawn["marks"])
        for column, mark in enumerate(line)
        if mark in ("opened", "closed")
    }
    assert_same_axis(drawn["rows"], drawn["row_title"], sheet.rows, look)
    assert_same_axis(drawn["columns"], drawn["column_title"], sheet.columns, look)
    assert_same_scale(drawn, sheet.scale)
    if drawn["title"] is not None:
        assert plain(sheet.title, look).startswith(drawn["title"])
    if drawn["kind"] != "mask":
        assert drawn["digits"] == (sheet.digits is not None)
    if drawn["digits"] and sheet.digits:
        assert printed(printed_in(sheet)[:R]) == printed(drawn["said"])


def beside(sheets):
    """Maps with the same rows as one."""
    if len(sheets) == 1:
        return sheets[0]
    values_RC = np.concatenate([one.values_RC for one in sheets], axis=1)
    first = sheets[0]
    columns = Axis("column", values_RC.shape[1], title=say("positions_axis_dimension"))
    return Map(values_RC, (first.rows, columns), first.scale, outlined=first.outlined)


@pytest.mark.parametrize(("name", "model", "choices"), PICTURES)
def test_a_picture_and_its_figure_say_the_same(library, page, name, model, choices):
    choices = dict(choices)
    language, given = choices.pop("language", "en"), choices.pop("maps", None)
    recipe = finished(library, model, SOURCE, choices.pop("strategy", None))
    measure = choices.pop("measure", None)
    if "b" in choices:
        choices["b"] = finished(library, "twin", B.source, None).to_json()
    shown = picture(name, **choices)
    if measure is not None:  # which is no option
        shown = replace(shown, view=replace(shown.view, measure=measure))
    content = fill(library, recipe, shown)
    look = Look(language=language, spelled=content.picture.view.spelled)
    drawing = content.drawing(look)
    how = {one: getattr(look, one) for one in ("size", "theme", "palette", "title", "width")}
    drawn = page.evaluate("(given) => readPicture(...given)", [dict(drawing.options), name, how])
    sheets = content.picture.room.sheets(name, content.answer)
    title = html.unescape(title_said(sheets, look))
    assert re.sub("<[^>]*>", "", title).lower().startswith(drawn["title"].lower())
    panels = [panel for row in sheets.panels for panel in row]
    maps = [panel for panel in panels if isinstance(panel, Map)]
    pairs = given if given is not None else [(at,) for at in range(len(maps))]
    assert len(pairs) in (len(drawn["maps"]), 0)
    for one, places in zip(drawn["maps"], pairs, strict=False):
        if places is not None:
            sheet = beside([maps[at] for at in places])
            assert_same_map(one, sheet, look)
            outlined = one["current"] if one["current"] is not None else one["row"]
            if name in ("cross", "encoder", "decoder", "lines", "passes", "positions"):
                assert sheet.outlined == outlined
    texts = html.unescape(drawn["texts"])
    for panel in panels:
        if isinstance(panel, Bars) and panel.said is not None and name != "way":
            told = " ".join(plain(one, look) for one in panel.said[:SEEN])
            for number_said in re.findall(r"\b[\d.]+\b", told):
                assert number_said in texts
        if isinstance(panel, Tree):
            named = [
                plain(label, look)
                for label, fate in zip(panel.labels, panel.fates, strict=True)
                if fate != "pruned"  # which the page writes out where that is asked for
            ]
            assert [one for one in named if one not in texts] == []
    assert drawn["maps"] or maps == [] or given == []
