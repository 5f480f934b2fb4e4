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
@pytest.mark.parametrize("second", range(6))
def test_combining_two_masks_allows_what_both_allow_and_keeps_the_flags_true(first, second):
    one, other = masks()[first], masks()[second]
    both = one & other
    wanted_BQK = one.allowed_BQK & other.allowed_BQK
    assert torch.equal(both.allowed_BQK, wanted_BQK)
    assert both.hides_nothing == bool(wanted_BQK.all())
    assert both.has_empty_rows == (not wanted_BQK.any(-1).all())
    assert both.name == f"{one.name} and {other.name}"


@pytest.mark.parametrize("first", range(6))
@pytest.mark.parametrize("second", range(6))
def test_a_finite_hidden_score_stays_when_its_mask_is_combined(first, second):
    one, other = replace(masks()[first], hidden_score=-1e9), masks()[second]
    assert (one & other).hidden_score == (other & one).hidden_score == -1e9
    assert (other & other).hidden_score == -math.inf


@pytest.mark.parametrize("index", range(6))
def test_the_flags_of_a_mask_are_what_its_cells_say(index):
    mask = masks()[index]
    assert mask.hides_nothing == bool(mask.allowed_BQK.all())
    assert mask.has_empty_rows == (not mask.allowed_BQK.any(-1).all())
