import math
from dataclasses import replace

import pytest
import torch

from model_core.transformer.masks import causal_mask, mask_from, pad_mask


def masks():
    ids_BK = torch.tensor([[4, 5, 6, 7], [4, 5, 0, 0], [0, 5, 6, 0]])
    return [
        causal_mask(4),
        causal_mask(1, past=3),
        pad_mask(ids_BK, 0),
        pad_mask(ids_BK[:1], 0),
        mask_from("nothing", torch.zeros(1, 1, 4, dtype=torch.bool)),
        mask_from("everything", torch.ones(3, 4, 4, dtype=torch.bool)),
    ]


def test_a_row_of_the_causal_mask_sees_itself_and_what_came_before():
    assert causal_mask(3).allowed_BQK.int().tolist() == [[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]


@pytest.mark.parametrize("past", [0, 1, 5])
def test_a_causal_mask_with_a_past_is_the_last_rows_of_the_whole_one(past):
    whole, part = causal_mask(4 + past), causal_mask(4, past)
    assert torch.equal(part.allowed_BQK, whole.allowed_BQK[:, past:])


def test_the_pad_mask_hides_the_pads_and_nothing_else():
    mask = pad_mask(torch.tensor([[9, 8, 0], [7, 0, 0]]), 0)
    assert mask.allowed_BQK.tolist() == [[[True, True, False]], [[True, False, False]]]


@pytest.mark.parametrize("first", range(6))
def test_two_masks_together_allow_what_both_allow_and_hide_as_either_hides(first):
    one = masks()[first]
    for other in masks():
        both, wanted_BQK = one & other, one.allowed_BQK & other.allowed_BQK
        assert torch.equal(both.allowed_BQK, wanted_BQK)
        assert both.name == f"{one.name} and {other.name}" and both.hidden_score == -math.inf
        finite = replace(one, hidden_score=-1e9)
        assert (finite & other).hidden_score == (other & finite).hidden_score == -1e9
        for mask in (one, both):
            assert mask.hides_nothing == bool(mask.allowed_BQK.all())
            assert mask.has_empty_rows == (not mask.allowed_BQK.any(-1).all())
