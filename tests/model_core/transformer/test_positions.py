import math

import pytest
import torch

from model_core.transformer.positions import AddedPositions, RotaryPositions, sinusoidal_table
from tests.tiny import tiny_config


def test_the_sinusoidal_table_is_the_formula_of_the_paper():
    P, D = 50, 12
    table_PD = sinusoidal_table(P, D)
    for p in range(P):
        for i in range(D // 2):
            angle = p / 10000 ** (2 * i / D)
            assert table_PD[p, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-7)
            assert table_PD[p, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-7)


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_a_token_gets_the_row_of_its_own_position_wherever_the_part_begins(kind):
    added = AddedPositions(tiny_config(positions=kind))
    x_BTD = torch.randn(2, 9, 24)
    whole_BTD = added(x_BTD)
    assert torch.equal(whole_BTD[0], x_BTD[0] + added.table_PD[:9])
    assert torch.equal(added(x_BTD[:, 4:], first=4), whole_BTD[:, 4:])


@pytest.mark.parametrize("kind", ["rotary", "none"])
def test_rotary_positions_and_none_add_nothing_to_a_token(kind):
    x_BTD = torch.randn(2, 9, 24)
    assert AddedPositions(tiny_config(positions=kind))(x_BTD) is x_BTD


def test_the_score_of_rotated_vectors_depends_on_their_distance_alone():
    torch.manual_seed(0)
    rotary = RotaryPositions(40, 8).double()
    q_E, k_E = torch.randn(2, 8, dtype=torch.float64)

    def score(query, key):
        turned_q = rotary(q_E.view(1, 1, 1, 8), query)
        turned_k = rotary(k_E.view(1, 1, 1, 8), key)
        return (turned_q * turned_k).sum().item()

    for distance in range(-8, 9):
        scores = [score(20 + shift, 20 + shift + distance) for shift in range(-10, 10)]
        # The tables are float32, so equal to seven digits and no more.
        assert max(scores) - min(scores) < 1e-5
    assert len({round(score(20, 20 + distance), 3) for distance in range(-8, 9)}) == 17


def test_a_rotation_keeps_lengths_and_leaves_position_zero_alone():
    x_BHTE = torch.randn(2, 3, 7, 8)
    turned_BHTE = RotaryPositions(10, 8)(x_BHTE)
    torch.testing.assert_close(turned_BHTE.norm(dim=-1), x_BHTE.norm(dim=-1))
    assert torch.equal(turned_BHTE[:, :, 0], x_BHTE[:, :, 0])


def test_a_rotation_is_complex_multiplication_of_each_pair():
    x_BHTE = torch.randn(1, 1, 5, 6)
    turned_BHTE = RotaryPositions(20, 6)(x_BHTE, first=3)
    for t in range(5):
        for i in range(3):
            pair = complex(*x_BHTE[0, 0, t, 2 * i : 2 * i + 2].tolist())
            angle = (3 + t) / 10000 ** (2 * i / 6)
            pair *= complex(math.cos(angle), math.sin(angle))
            got = turned_BHTE[0, 0, t, 2 * i : 2 * i + 2].tolist()
            assert got == pytest.approx([pair.real, pair.imag], abs=1e-5)
