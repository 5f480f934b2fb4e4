"""The positions of models of `transformers`: tables and biases read from them."""

import numpy as np
import pytest
import torch

from model_core.errors import RecipeError
from model_core.models.hub.families import FAMILIES
from model_core.studies.positions import position_table
from tests.model_core.models.hub.test_model import model_of


@pytest.mark.parametrize("name", FAMILIES)
def test_a_table_has_the_rows_that_tokens_get_and_angles_those_of_the_library(name):
    own, model = model_of(name)
    kind = FAMILIES[name].positions
    table = position_table(model, kind)
    assert table.own and table.kind == kind
    limit = model.anatomy.max_positions
    if kind == "relative":
        assert model.frequencies() is None
        for side in ("source", "target"):
            check_bias(own, model, side)
        return
    assert table.positions in (limit, limit + 1)  # that of RoBERTa ends after its pad
    if kind == "rotary":
        places = torch.arange(limit)[None]
        cos, sin = own.base_model.rotary_emb(torch.zeros(1), places)
        half = cos.shape[-1] // 2
        np.testing.assert_allclose(table.table_PD[:, :half], cos[0, :, :half], atol=1e-6)
        np.testing.assert_allclose(table.table_PD[:, half:], sin[0, :, :half], atol=1e-6)
        assert table.halves and np.array_equal(*np.split(table.wavelengths_D, 2))
        return
    if kind == "sinusoidal":  # every number is that of its wave
        half = table.dimensions // 2
        places_P1 = np.arange(table.first, table.first + table.positions)[:, None]
        angles_PD = 2 * np.pi * places_P1 / table.wavelengths_D
        waves_PD = np.where(np.arange(2 * half) < half, np.sin(angles_PD), np.cos(angles_PD))
        np.testing.assert_allclose(table.table_PD, waves_PD, atol=1e-5)
        assert table.halves and (table.first, table.steps) == (
            (1, "D/2 − 1") if name == "m2m_100" else (0, "D/2")
        )


def check_bias(own, model, side):
    """The bias of a table is what the library adds to every score of that distance."""
    table = position_table(model, "relative", side)
    stack = own.encoder if side == "source" else own.decoder
    attention = stack.block[0].layer[0].SelfAttention
    T = 20
    wanted_HQK = attention.compute_bias(T, T)[0].detach().numpy()
    row_of = {distance: row for row, distance in enumerate(table.distances)}
    for query in range(T):
        for key in range(T if side == "source" else query + 1):
            row = row_of[max(table.distances[0], min(table.distances[-1], key - query))]
            assert np.array_equal(table.table_PD[row], wanted_HQK[:, query, key])
    assert table.table_PD.shape == (len(table.buckets), attention.n_heads)
    assert (table.distances[-1] == 0) == (side == "target") and not table.wavelengths_D.size


def test_tables_of_other_kinds_have_the_sizes_of_the_model_and_relative_ones_none():
    _, model = model_of("gpt2")
    for kind, shape in (("sinusoidal", (64, 16)), ("rotary", (64, 4)), ("none", (0, 0))):
        table = position_table(model, kind)
        assert not table.own and table.table_PD.shape == shape
    with pytest.raises(RecipeError) as refused:
        position_table(model, "relative")
    assert refused.value.code == "no_table"
