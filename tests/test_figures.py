import re

import numpy as np
import pytest

from model_core.errors import RecipeError
from model_core.recipe import Recipe
from model_core.tracer import Tracer
from tests.tiny import tiny_checkpoint
from viz_app.figures import attention_figure


@pytest.fixture(scope="module")
def decoding(tmp_path_factory):
    tracer = Tracer(tiny_checkpoint(tmp_path_factory.mktemp("models") / "tiny"))
    return tracer.extend(Recipe("tiny", "the the </s> <b>&", pads=1), 6)[1]


@pytest.mark.parametrize("site", ["encoder", "decoder", "cross"])
def test_the_cells_are_the_weights_and_masked_cells_are_empty(decoding, site):
    trace = decoding.trace(site, 1)
    (heat,) = attention_figure(trace, 2).data
    expected_QK = np.where(trace.mask_QK, trace.weights_HQK[1], np.nan)
    np.testing.assert_array_equal(heat.z, expected_QK)
    assert (heat.zmin, heat.zmax) == (0, 1)


def test_rows_are_queries_from_top_to_bottom_and_columns_keys(decoding):
    trace = decoding.trace("cross", 0)
    layout = attention_figure(trace, 1).layout
    assert len(layout.yaxis.ticktext) == len(decoding.target)
    assert len(layout.xaxis.ticktext) == len(decoding.source)
    assert layout.yaxis.autorange == "reversed"
    assert "queries: target" in layout.yaxis.title.text
    assert "keys: source" in layout.xaxis.title.text


def test_equal_tokens_keep_a_place_each(decoding):
    layout = attention_figure(decoding.trace("encoder", 0), 1).layout
    assert layout.xaxis.ticktext.count("he") == 2
    assert list(layout.xaxis.tickvals) == list(range(len(decoding.source)))


def test_no_token_is_read_as_html(decoding):
    figure = attention_figure(decoding.trace("encoder", 0), 1)
    (heat,) = figure.data
    texts = [*figure.layout.xaxis.ticktext, *(text for row in heat.customdata for text in row[0])]
    assert any("&lt;" in text for text in texts)
    assert not any(re.search(r"<|&(?!lt;|gt;|amp;|quot;|#x27;)", text) for text in texts)


def test_a_head_that_does_not_exist_is_named(decoding):
    with pytest.raises(RecipeError, match="heads 1 to 4"):
        attention_figure(decoding.trace("cross", 0), 5)
