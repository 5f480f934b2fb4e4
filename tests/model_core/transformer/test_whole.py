"""Models whose earlier rows change with every token, and what tutorials do with masks."""

import pytest
import torch

from model_core.transformer.key_values import KeyValues
from model_core.transformer.passes import DecoderPast
from tests.tiny import tiny_model
from tests.variants import SOURCE, TARGET, WHOLE, ids


def whole_model(variant):
    return tiny_model(3, **WHOLE[variant]).double()


@pytest.mark.parametrize("variant", WHOLE)
def test_what_was_kept_of_a_shorter_target_is_refused(variant):
    model = whole_model(variant)
    encoded = model.encode(ids(SOURCE))
    past = DecoderPast(1, (KeyValues(),) * 3)
    with pytest.raises(ValueError, match="give the whole target"):
        model.decode(ids(TARGET[:1]), encoded, past)


def test_without_transposing_a_position_reads_what_comes_after_it():
    model = whole_model("as-they-lie")
    one, other = (model(ids(SOURCE), ids([*TARGET[:-1], last])).logits_BTV[0, 0] for last in (7, 8))
    assert not torch.allclose(one, other, atol=1e-3)


def test_queries_from_the_source_read_no_longer_a_target_than_the_source_is():
    model = whole_model("queries-from-the-source")
    with pytest.raises(ValueError, match="8 target tokens; a source of 5 allows no more than 5"):
        model(ids(SOURCE), ids(TARGET))


def test_a_row_without_any_allowed_key_attends_evenly_where_masks_are_finite():
    model = tiny_model(hidden_score="-1e9").double()
    source_BS = torch.tensor([[5, 6, 2], [0, 0, 0]])
    for record in (
        model.encode(source_BS).take(torch.tensor([1, 0])).mask,
        model.encode(source_BS).mask,
    ):
        assert record.hidden_score == -1e9 and record.has_empty_rows
    for site in ("encoder", "cross"):
        for record in model(source_BS, ids([1, 5], [1, 6])).records(site):
            empty_HQK = record.weights_BHQK[1]
            torch.testing.assert_close(empty_HQK, torch.full_like(empty_HQK, 1 / 3))


def test_without_a_pad_mask_pads_are_attended_to():
    model = tiny_model(pad_mask=False).double()
    passed = model(ids(SOURCE, SOURCE[:3]), ids(TARGET[:4], TARGET[:2]))
    for site in ("encoder", "cross"):
        assert all(bool((r.weights_BHQK > 0).all()) for r in passed.records(site))
    (first, *_) = passed.records("decoder")
    assert bool((first.weights_BHQK[1, :, 3] > 0).all())
