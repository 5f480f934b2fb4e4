"""Sheets become figures: tables by themselves, texts letter by letter, keys said once."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from viz_app.figures.figure import figure_of
from viz_app.figures.labels import said
from viz_app.figures.look import Look
from viz_app.values.phrases import StepPhrase, Token, say
from viz_app.values.sheets import Bars, Map, Scale, alone, sheets_of
from viz_app.values.tables import Axis, Table

HOSTILE = "</s><script>$x$&"
LOOKS = [Look(), Look("column", "dark", "grey", "zh")]


def test_tables_show_themselves_as_bars_and_as_maps():
    tokens = Axis.of("token", [HOSTILE, "b", "b"])
    line = Table("line", (tokens,), {"letters": np.array([3, 1, 2])})
    square = Table("square", (tokens, tokens), {"far_QK": np.eye(3) - 0.5})
    for look in LOOKS:
        figure = figure_of(sheets_of("a title", (line, square)), look)
        bars = next(one for one in figure.data if one.type == "bar")
        cells = next(one for one in figure.data if one.type == "heatmap")
        assert list(bars.x) == [3, 1, 2]
        np.testing.assert_array_equal(np.array(cells.z), np.eye(3) - 0.5)
        colours = figure.layout[cells.coloraxis]
        assert (colours.cmin, colours.cmax) == (-0.5, 0.5)
        go.Figure(figure.to_dict())  # checks every value


@pytest.mark.parametrize("look", LOOKS)
def test_a_text_is_read_letter_by_letter_wherever_it_stands(look):
    token = Token(HOSTILE, f"▁{HOSTILE}", "text")
    for text in (
        HOSTILE,
        token,
        StepPhrase(token, token),
        say("step_of", n=token, m=token),
        ("a", token),
    ):
        told = said(text, look)
        assert "&lt;/s&gt;&lt;script&gt;&#36;x&#36;&amp;" in told
        assert "<script" not in told and "$" not in told
    assert said(token, Look(spelled=True)).startswith("▁")


def test_one_scale_is_printed_once_and_one_key_is_said_once():
    axes = Axis("row", 2), Axis("column", 2)
    hidden_RC = np.array([[False, True], [False, False]])
    maps = [Map(np.ones((2, 2)), axes, Scale("weight"), hidden_RC=hidden_RC) for _ in range(3)]
    figure = figure_of(alone("", *maps), Look())
    scales = [name for name in figure.layout.to_plotly_json() if name.startswith("coloraxis")]
    assert scales == ["coloraxis"] and figure.layout.coloraxis.showscale
    assert sum(bool(one.showlegend) for one in figure.data) == 1 and figure.layout.showlegend
    whole = figure_of(alone("", Map(np.ones((2, 2)), axes)), Look())
    assert not whole.layout.showlegend


def test_a_place_without_a_number_has_neither_bar_nor_text():
    axis = Axis.of("token", ["a", "b", "c"])
    hidden_N = np.array([False, False, True])
    figure = figure_of(alone("", Bars(np.array([1, np.nan, 2]), axis, hidden_N=hidden_N)), Look())
    bars = next(one for one in figure.data if one.type == "bar" and not one.marker.pattern.shape)
    assert list(bars.text) == ["1.00", "", ""]
    hatched = next(one for one in figure.data if one.type == "bar" and one.marker.pattern.shape)
    assert list(hatched.y) == [2]


def test_a_sign_stands_before_the_title_of_its_sheet():
    axes = Axis("row", 2), Axis("column", 2)
    a, b = (
        Map(np.ones((2, 2)), axes, title="a"),
        Map(np.ones((2, 2)), axes, title="b", sign="+ mask"),
    )
    titles = [axis.title.text for axis in figure_of(alone("", a, b), Look()).select_xaxes()]
    assert [re.sub(r"<.*?>", "", title) for title in titles] == ["a", "+ mask b"]
