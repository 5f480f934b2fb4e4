import re
from dataclasses import replace

import numpy as np
import pytest

from model_core.decoding.library import Library
from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from tests.tiny import tiny_checkpoint
from viz_app.figures.labels import said, shortened, visible
from viz_app.figures.look import LOOK, Look, escaped
from viz_app.figures.maps import LEAST
from viz_app.files.content import fill
from viz_app.files.picture import picture
from viz_app.rooms.translate.highlight import highlight_step
from viz_app.values.phrases import labels_of

LOOKS = [
    Look(size, theme, palette, language)
    for size, theme, palette, language in (
        ("slide", "light", "colour", "en"),
        ("column", "dark", "colour", "zh"),
        ("column", "light", "grey", "en"),
        ("slide", "dark", "grey", "zh"),
    )
]


@pytest.fixture(scope="module")
def recipe(library):
    return library.extend(Recipe("tiny", "the the </s> <b>&", pads=1), 6)[0]


@pytest.fixture(scope="module")
def decoding(library, recipe):
    return library.extend(recipe, 0)[1]


@pytest.fixture(scope="module")
def figure(library, recipe):
    """Makes the figure of a picture between tokens."""

    def make(name, look=LOOK, **choices):
        return fill(library, recipe, picture(name, by="pieces", **choices)).figure(look)

    return make


def maps_of(figure):
    return [trace for trace in figure.data if trace.type == "heatmap"]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("look", LOOKS)
def test_the_cells_are_the_weights_and_masked_cells_are_hatched(decoding, figure, site, look):
    trace = decoding.trace(site, 1)
    drawn = figure(site, look, layer=2, head=2)
    (cells,) = maps_of(drawn)
    shown_QK = np.where(trace.mask_QK, trace.weights_HQK[1], np.nan)
    np.testing.assert_array_equal(np.array(cells.z), shown_QK)
    colours = drawn.layout[cells.coloraxis]
    assert [colour for _, colour in colours.colorscale] == list(look.sequential)
    assert (colours.cmin, colours.cmax) == (0, 1)
    hatched = [one for one in drawn.data if one.type == "bar" and one.marker.pattern.shape]
    found_QK = np.zeros(trace.mask_QK.shape, bool)
    for one in hatched:
        for row, begin, length in zip(one.y, one.base, one.x, strict=True):
            found_QK[row, round(begin + 0.5) : round(begin + length + 0.5)] = True
    np.testing.assert_array_equal(found_QK, ~trace.mask_QK)


def test_rows_are_queries_from_top_to_bottom_and_columns_keys(decoding, figure):
    drawn = figure("cross", layer=1, head=1)
    layout = drawn.layout
    assert len(layout.yaxis.ticktext) == len(decoding.target)
    assert len(layout.xaxis.ticktext) == len(decoding.source)
    assert layout.yaxis.range[0] > layout.yaxis.range[1]
    assert "keys: source" in layout.xaxis.title.text
    assert "queries: after" in layout.yaxis.title.text
    assert layout.coloraxis.colorbar.title.text.startswith("weight")


def test_equal_tokens_keep_a_place_each(decoding, figure):
    layout = figure("encoder", layer=1, head=1).layout
    assert layout.xaxis.ticktext.count("he") == 2
    assert list(layout.xaxis.tickvals) == list(range(len(decoding.source)))


def test_no_token_is_read_as_html(figure):
    layout = figure("encoder", layer=1, head=1).layout
    texts = [*layout.xaxis.ticktext, *layout.yaxis.ticktext]
    assert any("&lt;" in text for text in texts)
    for text in texts:
        bare = re.sub(r"^<i>(.*)</i>$", r"\1", text)  # special tokens, by our own words
        assert not re.search(r"<|&(?!lt;|gt;|amp;|#36;)|\$", bare), text


def test_a_cell_says_its_number_and_both_tokens_on_hover(figure):
    """Plotly shows the labels of an axis for its places."""
    (cells,) = maps_of(figure("cross", layer=1, head=1))
    assert cells.hovertemplate == "%{y} looks at %{x} with weight %{z:.3f}<extra></extra>"
    assert cells.x0 == cells.y0 == 0


def test_formulas_tags_and_controls_stay_letters():
    assert escaped("<b>&$x$\x00\n") == "&lt;b&gt;&amp;&#36;x&#36;\ufffd\ufffd"


def test_rows_after_the_step_keep_their_room_and_are_empty(decoding, figure):
    whole = figure("cross", layer=1, head=1)
    part = figure("cross", layer=1, head=1, step=3, stepping=True)
    steps = len(decoding.trace("cross", 0).queries)
    assert part.layout.title.text.endswith(f" · step 3 of {steps}")
    (cells,) = maps_of(part)
    assert np.flatnonzero(np.isfinite(np.array(cells.z)).any(axis=1)).tolist() == [0, 1, 2]
    assert part.layout.yaxis.domain == whole.layout.yaxis.domain
    assert part.layout.xaxis.domain == whole.layout.xaxis.domain
    assert list(part.layout.yaxis.ticktext[3:]) == [""] * (steps - 3)


@pytest.mark.parametrize("name", ["cross", "lines"])
def test_a_step_that_is_looked_at_hides_no_row_and_is_marked(figure, name):
    whole, looked_at = (figure(name, layer=1, head=1, **more) for more in ({}, {"step": 3}))
    assert looked_at.layout.title.text == whole.layout.title.text
    assert list(looked_at.layout.yaxis.ticktext) == list(whole.layout.yaxis.ticktext)
    assert len(looked_at.layout.shapes) == len(whole.layout.shapes)
    marked = [
        {str(one) for one in drawn.layout.shapes if one.line.color == LOOK["accent"]}
        for drawn in (looked_at, whole)
    ]
    assert marked[0] and marked[1] and marked[0] != marked[1]  # the last step, where none is named


@pytest.mark.parametrize("site", ["decoder", "cross"])
def test_a_row_says_what_the_step_reads_and_what_it_writes(decoding, figure, site):
    rows = figure(site, layer=1, head=1).layout.yaxis.ticktext
    parts = [re.fullmatch(r'<span style="color:#\w+">(.+) →</span> (.+)', row) for row in rows]
    read = [said(token, LOOK) for token in labels_of(decoding.fed, True)]
    assert [part[1] for part in parts] == read
    assert [part[2] for part in parts][:-1] == read[1:]
    assert parts[-1][2] == "…"


def test_every_weight_that_can_be_seen_is_a_line(decoding, figure):
    drawn = figure("lines", site="cross", layer=1, head=2)
    weights_QK = decoding.trace("cross", 0).weights_HQK[1]
    assert len(drawn.layout.shapes) == int((weights_QK >= LEAST).sum())


def test_all_heads_stand_in_rows_of_layers(decoding, figure):
    drawn = figure("heads", site="cross")
    maps = maps_of(drawn)
    assert len(maps) == 12
    for at, cells in enumerate(maps):
        layer, head = divmod(at, 4)
        trace = decoding.trace("cross", layer)
        shown_QK = np.where(trace.mask_QK, trace.weights_HQK[head], np.nan)
        np.testing.assert_array_equal(np.array(cells.z), shown_QK)
        assert cells.coloraxis == maps[0].coloraxis
    boxes = [
        (
            drawn.layout[f"yaxis{cells.yaxis[1:]}"].domain,
            drawn.layout[f"xaxis{cells.xaxis[1:]}"].domain,
        )
        for cells in maps
    ]
    assert boxes == sorted(boxes, key=lambda box: (-box[0][1], box[1][0]))


def test_grey_has_no_hue_and_marks_what_is_below_zero():
    look = Look(palette="grey")
    for colour in (*look.sequential, *look.diverging):
        assert colour[1:3] == colour[3:5] == colour[5:7]
    assert look.marks_negative and not Look().marks_negative


@pytest.mark.parametrize("look", LOOKS)
def test_scales_rise_evenly_from_paper_to_ink(look):
    def light(colour):
        return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5))

    steps = np.diff([light(colour) for colour in look.sequential])
    assert (steps <= 0).all() if look.theme == "light" else (steps >= 0).all()


def test_a_look_that_there_is_not_is_named():
    with pytest.raises(RecipeError, match="slide, column"):
        Look(size="poster")


def test_long_labels_are_cut_between_letters():
    assert shortened("e\u0301" * 20, 11).endswith("…")
    assert not shortened("ab\u0301cd", 3).startswith("ab…")
    assert visible(" ") == "␣" and visible("\u200d") == "∅"


def is_outlined(figure):
    return LOOK["accent"] in [shape.line.color for shape in figure.layout.shapes]


def test_a_whole_translation_outlines_the_row_that_the_page_opens_on(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    library = Library(tmp_path)
    recipe, decoding = library.extend(Recipe("tiny", "The old cat sleeps."), None)
    assert decoding.finished
    for layer in (1, 2):
        told = highlight_step(decoding, layer - 1, 0)
        drawn = fill(library, recipe, picture("cross", layer=layer, head=1)).figure(LOOK)
        asked = fill(library, recipe, picture("cross", layer=layer, head=1, step=told + 1))
        assert is_outlined(drawn) and drawn == asked.figure(LOOK)
    part = replace(recipe, target=recipe.target[:2])
    for last in (fill(library, part, picture("cross")), fill(library, recipe, picture("decoder"))):
        assert is_outlined(last.figure(LOOK))
        assert last.answer.view.at == len(last.answer["decoding"].steps) - 1
    assert not is_outlined(fill(library, recipe, picture("encoder")).figure(LOOK))
