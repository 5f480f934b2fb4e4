"""Models whose earlier rows change with every token: each call makes all of them anew."""

import pytest
import torch

from model_core.models.stepping import advance, start
from model_core.tokenizer import Tokenizer
from model_core.values.trace import Tokens
from tests.tiny import LINES, tiny_model
from tests.variants import SOURCE, TARGET, WHOLE, ids

every_whole = pytest.mark.parametrize("variant", WHOLE)


def whole_model(variant):
    return tiny_model(3, **WHOLE[variant]).double()


@every_whole
def test_a_step_is_the_last_row_of_a_pass_over_the_target_so_far(variant):
    model = whole_model(variant)
    source_BS = ids(SOURCE * 2)
    encoded, past = model.encode(source_BS), None
    for t, token in enumerate(TARGET):
        stepped = model.decode(ids([token]), encoded, past)
        past = stepped.past
        whole = model(source_BS, ids(TARGET[: t + 1]))
        assert torch.equal(stepped.logits_BTV[0, 0], whole.logits_BTV[0, t])
        for one, other in (
            *zip(stepped.self_records, whole.records("decoder"), strict=True),
            *zip(stepped.cross_records, whole.records("cross"), strict=True),
        ):
            assert torch.equal(one.weights_BHQK[:, :, 0], other.weights_BHQK[:, :, t])
            assert torch.equal(one.v_BHKE, other.v_BHKE)


@every_whole
def test_a_batch_and_a_branch_are_those_sentences_alone(variant):
    model = whole_model(variant)
    sources, targets = [SOURCE, SOURCE[::-1]], [TARGET[:4], TARGET[1:5]]
    encoded = model.encode(ids(*sources))
    passed = model.decode(ids(*targets), encoded)
    rows_B = torch.tensor([1, 1, 0])
    more = model.decode(ids([9], [8], [7]), encoded.take(rows_B), passed.past.take(rows_B))
    for row, (place, token) in enumerate([(1, 9), (1, 8), (0, 7)]):
        alone = model(ids(sources[place]), ids([*targets[place], token])).logits_BTV[0, -1]
        torch.testing.assert_close(more.logits_BTV[row, 0], alone, rtol=0, atol=1e-12)


def test_without_transposing_a_position_reads_what_comes_after_it():
    model = whole_model("as-they-lie")
    one, other = (model(ids(SOURCE), ids([*TARGET[:-1], last])).logits_BTV[0, 0] for last in (7, 8))
    assert not torch.allclose(one, other, atol=1e-3)


def test_queries_from_the_source_read_no_longer_a_target_than_the_source_is():
    model = whole_model("queries-from-the-source")
    with pytest.raises(ValueError, match="8 target tokens; a source of 5 allows no more than 5"):
        model(ids(SOURCE), ids(TARGET))
    tokenizer = Tokenizer.train(LINES, "bpe", 300)
    source = Tokens(*(tuple(part) for part in (SOURCE, *["abcde"] * 2, ["text"] * 5, [None] * 5)))
    state = start(model, source, tokenizer)
    while state.decoding.finished is None:
        state = advance(model, state, tokenizer, 9)
    assert state.decoding.finished == "limit" and len(state.decoding.steps) == len(SOURCE)


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
