import re
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from model_core.decoding.library import Library
from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError
from model_core.models.own import OwnModel
from model_core.values.recipe import Recipe
from tests.tiny import tiny_checkpoint
from viz_app.figures.labels import shortened, visible
from viz_app.figures.look import LOOK, Look, colour_at, escaped
from viz_app.files.content import fill
from viz_app.files.picture import picture
from viz_app.rooms.translate.figures.attention import Rows, attention_figure
from viz_app.rooms.translate.figures.heads import heads_figure
from viz_app.rooms.translate.figures.lines import LEAST, lines_figure
from viz_app.rooms.translate.telling import telling_step

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
def decoding(tmp_path_factory):
    tracer = Tracer(OwnModel(tiny_checkpoint(tmp_path_factory.mktemp("models") / "tiny")))
    return tracer.extend(Recipe("tiny", "the the </s> <b>&", pads=1), 6)[1]


def cells(figure):
    """The cells of a map as {(row, column): number}, and the colours."""
    (bars,) = (trace for trace in figure.data if isinstance(trace, go.Bar))
    places = zip(bars.base, bars.x, bars.customdata, bars.marker.color, strict=True)
    return {(round(base + 0.5), x): (data[2], colour) for base, x, data, colour in places}


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("look", LOOKS)
def test_the_cells_are_the_weights_and_masked_cells_are_not_drawn(decoding, site, look):
    trace = decoding.trace(site, 1)
    drawn = cells(attention_figure(trace, 2, look))
    assert set(drawn) == {(q, k) for q, k in np.argwhere(trace.mask_QK).tolist()}
    for (q, k), (number, colour) in drawn.items():
        assert number == float(trace.weights_HQK[1, q, k])
        assert colour == colour_at(look.sequential, number)


def test_rows_are_queries_from_top_to_bottom_and_columns_keys(decoding):
    trace = decoding.trace("cross", 0)
    figure = attention_figure(trace, 1)
    layout = figure.layout
    assert len(layout.yaxis.ticktext) == len(decoding.target)
    assert len(layout.xaxis.ticktext) == len(decoding.source)
    assert layout.yaxis.range[0] > layout.yaxis.range[1]
    assert "keys: source" in layout.xaxis.title.text
    assert any("queries: target" in note.text for note in layout.annotations)
    assert "weight" in [note.text for note in layout.annotations]
    assert (layout.coloraxis.cmin, layout.coloraxis.cmax) == (0, 1)


@pytest.mark.parametrize(
    ("language", "last"), [("zh", "︿<br>结<br>束<br>﹀"), ("en", "<i>end</i>")]
)
def test_above_narrow_columns_scripts_of_columns_stand_and_others_lie(decoding, language, last):
    trace = decoding.trace("encoder", 0)
    keys, count = trace.keys, len(trace.keys) - 2  # the end token and a pad follow
    keys = replace(keys, texts=("我",) * count + keys.texts[count:])
    kinds = ("text",) * count + ("special", "special")
    keys = replace(keys, kinds=kinds, pieces=(*keys.texts[:count], "</s>", "</s>"))
    look = Look("column", "light", "colour", language)
    axis = attention_figure(replace(trace, keys=keys), 1, look).layout.xaxis
    assert axis.tickangle == {"zh": 0, "en": -90}[language]
    assert list(axis.ticktext) == ["我"] * count + [last] * 2


def test_equal_tokens_keep_a_place_each(decoding):
    layout = attention_figure(decoding.trace("encoder", 0), 1).layout
    assert layout.xaxis.ticktext.count("he") == 2
    assert list(layout.xaxis.tickvals) == list(range(len(decoding.source)))


def test_no_token_is_read_as_html(decoding):
    figure = attention_figure(decoding.trace("encoder", 0), 1)
    texts = [*figure.layout.xaxis.ticktext, *figure.layout.yaxis.ticktext]
    texts += [
        text
        for trace in figure.data
        if trace.customdata is not None
        for row in trace.customdata
        for text in row[:2]
    ]
    assert any("&lt;" in text for text in texts)
    for text in texts:
        bare = re.sub(r"^<i>(.*)</i>$", r"\1", text)  # special tokens, by our own words
        assert not re.search(r"<|&(?!lt;|gt;|amp;|#36;)|\$", bare), text


def test_formulas_tags_and_controls_stay_letters():
    assert escaped("<b>&$x$\x00\n") == "&lt;b&gt;&amp;&#36;x&#36;\ufffd\ufffd"


def test_rows_after_the_step_keep_their_room_and_are_empty(decoding):
    trace = decoding.trace("cross", 0)
    whole = attention_figure(trace, 1)
    part = attention_figure(trace, 1, rows=Rows(step=3, stepping=True))
    assert part.layout.title.text.endswith(f" · step 3 of {len(trace.queries)}")
    assert {q for q, _ in cells(part)} == {0, 1, 2}
    assert part.layout.yaxis.domain == whole.layout.yaxis.domain
    assert part.layout.xaxis.domain == whole.layout.xaxis.domain
    assert list(part.layout.yaxis.ticktext[3:]) == [""] * (len(trace.queries) - 3)


@pytest.mark.parametrize("draw", [attention_figure, lines_figure])
def test_a_step_that_is_looked_at_hides_no_row_and_is_marked(decoding, draw):
    trace = decoding.trace("cross", 0)
    whole, looked_at = draw(trace, 1), draw(trace, 1, rows=Rows(step=3))
    assert looked_at.layout.title.text == whole.layout.title.text
    assert list(looked_at.layout.yaxis.ticktext) == list(whole.layout.yaxis.ticktext)
    assert len(looked_at.layout.shapes) >= len(whole.layout.shapes)
    accent = LOOK["accent"]
    assert accent in looked_at.to_json() and accent not in whole.to_json()


@pytest.mark.parametrize("site", ["decoder", "cross"])
def test_a_row_says_what_the_step_reads_and_what_it_writes(decoding, site):
    trace = decoding.trace(site, 0)
    read = attention_figure(trace, 1).layout.yaxis.ticktext
    rows = attention_figure(trace, 1, rows=Rows(decoding.target[1:])).layout.yaxis.ticktext
    parts = [re.fullmatch(r'<span style="color:#\w+">(.+) →</span> (.+)', row) for row in rows]
    assert [part[1] for part in parts] == list(read)
    assert [part[2] for part in parts][:-1] == list(read[1:])
    open_end = Rows(decoding.target[1 : len(trace.queries)])
    rows = attention_figure(trace, 1, rows=open_end).layout.yaxis.ticktext
    assert rows[-1].endswith("</span> …")


def test_every_weight_that_can_be_seen_is_a_line(decoding):
    trace = decoding.trace("cross", 0)
    figure = lines_figure(trace, 2)
    weights_QK = trace.weights_HQK[1]
    assert len(figure.layout.shapes) == int((weights_QK >= LEAST).sum())


def test_all_heads_stand_in_rows_of_layers(decoding):
    traces = [decoding.trace("cross", layer) for layer in range(3)]
    drawn = cells(heads_figure(traces))
    Q, K = traces[0].mask_QK.shape
    for layer, trace in enumerate(traces):
        for head in range(4):
            for q, k in np.argwhere(trace.mask_QK).tolist():
                number, _ = drawn.pop((layer * (Q + 1) + q, head * (K + 1) + k))
                assert number == float(trace.weights_HQK[head, q, k])
    assert not drawn


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
    lines = [one.line.color for one in figure.data if isinstance(one, go.Scatter)]
    return LOOK["accent"] in [*lines, *(shape.line.color for shape in figure.layout.shapes)]


def test_a_whole_translation_outlines_the_row_that_the_page_opens_on(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    library = Library(tmp_path)
    recipe, decoding = library.extend(Recipe("tiny", "The old cat sleeps."), None)
    assert decoding.finished
    for layer in (1, 2):
        told = telling_step(decoding, layer - 1, 0)
        drawn = fill(library, recipe, picture("cross", layer=layer, head=1)).figure(LOOK)
        asked = fill(library, recipe, picture("cross", layer=layer, head=1, step=told + 1))
        assert is_outlined(drawn) and drawn == asked.figure(LOOK)
    part = replace(recipe, target=recipe.target[:2])
    for unmarked in (
        fill(library, part, picture("cross")),
        fill(library, recipe, picture("decoder")),
        fill(library, recipe, picture("encoder")),
    ):
        assert not is_outlined(unmarked.figure(LOOK))
