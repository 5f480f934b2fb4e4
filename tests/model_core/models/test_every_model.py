"""The promises of the protocol, kept by every kind of model: ours, those of families, made-up ones.

What a family's numbers are is compared with the library's own in hub/, and ours with torch's and
with models changed by hand in transformer/.
"""

import dataclasses
import re

import numpy as np
import pytest
import torch

from model_core.decoding.beam import search_from
from model_core.errors import DecodingFinished, RecipeError, SourceTooLong
from model_core.transformer.masks import mask_from
from model_core.transformer.taps import keeping
from model_core.values.edits import KINDS, OF_PADS, read_edits
from model_core.values.trace import SITES
from tests.every_model import (
    EDITS,
    EVERY,
    HUB,
    MADE_UP,
    OWN,
    OWN_WHOLE,
    PADDED,
    TEXT,
    TOKENS,
    WRITING,
    decoded,
    model_called,
    near,
    pads_of,
)
from tests.made_up import Stepped

# Those that stand for the others where every kind of edit is tried.
EDITED = [
    *("own, paper", "own, rotary", "own, deep-encoder", "own, as-they-lie", "own, both"),
    *("marian", "t5", "bart", "m2m_100", "bert", "gpt2", "llama", "mistral"),
]
# Likewise where the stepping that all share is asked and no number of a family.
FEW = ["own, paper", "own, hard", "own, both", "marian", "t5", "bert", "gpt2", *MADE_UP]
FEW_WRITING = [name for name in FEW if name in WRITING]
OF_ONE_STACK = (
    "head-off:decoder.1.2",
    "sublayer-off:decoder.2.self",
    "sublayer-off:encoder.1.self",
)


def check_steps(model, decoding):
    """Every row of a decoding is that of a pass over the whole target.

    In a model that reads its target whole it is the last row of a pass over the target so far.
    """
    source, fed, close = decoding.source.ids, decoding.fed.ids, near(model)
    whole, anew = model.full_pass([source], [fed]), model.anatomy.reads_whole
    for one in model.anatomy.sites:
        assert decoding.layers(one.site) == len(whole.records(one.site)) == one.layers
        for layer, record in enumerate(whole.records(one.site)):
            trace = decoding.trace(one.site, layer)
            assert trace.weights_HQK.shape[0] == trace.q_HQE.shape[0] == one.heads
            assert trace.k_HKE.shape[0] == trace.v_HKE.shape[0] == one.key_heads
            if not (anew and one.rows == "target"):
                check_trace(trace, record, close)
    for t, step in enumerate(decoding.steps):
        so_far = fed[: max(t + 1, decoding.prompt)]  # a prompt is read at once
        passed = model.full_pass([source], [so_far]) if anew else whole
        logits_V = passed.logits_BTV[0, t].log_softmax(-1)
        np.testing.assert_allclose(step.log_probabilities_V, logits_V, **close)
        for site, rows in (("decoder", step.decoder_rows), ("cross", step.cross_rows)):
            for layer, row in enumerate(rows):
                weights_HTK = passed.records(site)[layer].weights_BHQK[0]
                weights_HK = weights_HTK[:, t, : len(row.mask_K)]
                np.testing.assert_allclose(row.weights_HK, weights_HK, **close)


def check_trace(trace, record, close):
    """Every array of a trace is that of the record; a step makes nothing of a later key."""
    for name in ("q_HQE", "k_HKE", "v_HKE", "weights_HQK", "scores_HQK", "bias_HQK"):
        ours, theirs = getattr(trace, name), getattr(record, name.replace("H", "BH", 1))
        assert (ours is None) == (theirs is None)
        if theirs is not None:
            grows = trace.site == "decoder" and name.endswith("QK")
            np.testing.assert_allclose(ours, (theirs.tril() if grows else theirs)[0], **close)
    mask_QK = record.mask.allowed_BQK[0].expand(trace.mask_QK.shape)
    np.testing.assert_array_equal(trace.mask_QK, mask_QK)


@pytest.mark.parametrize("name", WRITING)
def test_steps_record_what_a_whole_pass_records(name):
    model = model_called(name)
    check_steps(model, decoded(model).decoding)


@pytest.mark.parametrize("name", PADDED)
def test_pads_behind_the_source_change_no_number_and_get_no_weight(name):
    model, tokens = model_called(name), TOKENS if name in WRITING else ()
    plain, padded = (decoded(model, pads, tokens).decoding for pads in (0, 2))
    if tokens:
        check_steps(model, padded)
    S = len(plain.source)
    for one in model.anatomy.sites:
        rows, columns = (slice(S if side == "source" else None) for side in (one.rows, one.columns))
        for first, second in zip(plain.traces(one.site), padded.traces(one.site), strict=True):
            for array in ("weights_HQK", "scores_HQK"):
                cut = getattr(second, array)[:, rows, columns]
                np.testing.assert_allclose(getattr(first, array), cut, **near(model))
            if one.columns == "source":
                assert not second.weights_HQK[:, rows, S:].any()
                assert not second.mask_QK[:, S:].any()


@pytest.mark.parametrize("name", [*OWN, *HUB])
def test_a_batch_of_unequal_rows_is_each_sentence_alone(name):
    model = model_called(name)
    first = [model.source(text).ids for text in (TEXT, "a cat", "the old cat on the")]
    prompt = decoded(model, 0, ()).decoding.target.ids[:1]
    targets = [(*prompt, *TOKENS[: 4 - row]) for row in range(3)]
    together = model.full_pass(first, targets)
    for row, (source, target) in enumerate(zip(first, targets, strict=True)):
        alone, length = model.full_pass([source], [target]), {"source": source, "target": target}
        shared = together.logits_BTV[row, : alone.logits_BTV.shape[1]]
        torch.testing.assert_close(shared, alone.logits_BTV[0], **near(model))
        for one in model.anatomy.sites:
            Q, K = len(length[one.rows]), len(length[one.columns])
            pairs = zip(together.records(one.site), alone.records(one.site), strict=True)
            for record, own in pairs:
                weights_HQK = record.weights_BHQK[row, :, :Q]
                torch.testing.assert_close(weights_HQK[..., :K], own.weights_BHQK[0], **near(model))
                assert not weights_HQK[..., K:].any()  # pads


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        *((name, "") for name in HUB if name in WRITING),
        *((f"own, {variant}", "") for variant in ("paper", "hard", "rotary", "learned", "both")),
        *((name, "causal-mask:none") for name in ("own, paper", "marian", "gpt2")),
        *((name, "no-transpose") for name in ("own, paper", "t5", "llama")),
        *((name, "no-split-transpose") for name in ("own, paper", "t5")),
    ],
)
def test_hypotheses_in_one_batch_are_those_that_are_advanced_one_by_one(name, edit):
    model = model_called(name).edited(read_edits(edit.split()))
    state, special = decoded(model, 0, TOKENS[:1]), model.anatomy.special
    (batched,), (single,) = (
        search_from(start, [4], 3, special.never, special.ends)
        for start in (model.hypotheses(state), Stepped(model, [state]))
    )
    assert [one.tokens for one in batched] == [one.tokens for one in single]
    for one, other in zip(batched, single, strict=True):
        assert one.score == pytest.approx(other.score, rel=1e-4)


@pytest.mark.parametrize("name", FEW_WRITING)
def test_a_branch_leaves_the_state_that_it_left_as_it_was(name):
    model = model_called(name)
    first = decoded(model, 0, TOKENS[:1])
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.decoding = None
    straight = model.advance(model.advance(first, 7), 8)
    kept = straight.decoding.trace("decoder", 0).k_HKE.copy()
    other = model.advance(model.advance(first, 9), 8)
    again = model.advance(model.advance(first, 7), 8)
    for one in model.anatomy.sites:
        for array in ("weights_HQK", "k_HKE", "v_HKE"):
            made = (
                getattr(state.decoding.trace(one.site, 1), array) for state in (straight, again)
            )
            assert np.array_equal(*made)
    assert np.array_equal(kept, straight.decoding.trace("decoder", 0).k_HKE)
    assert not np.array_equal(kept, other.decoding.trace("decoder", 0).k_HKE)
    assert straight.grew_from(first) and not straight.grew_from(other)


@pytest.mark.parametrize("name", WRITING)
def test_a_later_token_leaves_earlier_rows_bit_identical_unless_a_model_says_otherwise(name):
    model = model_called(name)
    source, prompt = model.source(TEXT).ids, decoded(model, 0, ()).decoding.target.ids
    same = (*prompt, *TOKENS[:3])
    T, passes = len(same), [model.full_pass([source], [(*same, last)]) for last in (7, 10)]
    one, other = (passed.logits_BTV[:, :T] for passed in passes)
    assert torch.equal(one, other) != model.anatomy.reads_whole
    for first, second in zip(*(passed.records("decoder") for passed in passes), strict=True):
        assert not first.weights_BHQK.triu(1).any()
        rows = (record.weights_BHQK[:, :, :T] for record in (first, second))
        assert model.anatomy.reads_whole or torch.equal(*rows)


@pytest.mark.parametrize("name", EVERY)
def test_a_mask_given_for_one_site_is_used_there_and_nowhere_else(name):
    model = model_called(name)
    source = model.source(TEXT).ids
    target = decoded(model, 0, TOKENS[:2] if name in WRITING else ()).decoding.target.ids
    plain, length = model.full_pass([source], [target]), {"source": source, "target": target}
    for one in model.anatomy.sites:
        allowed_BQK = torch.ones(1, 1, len(length[one.columns]), dtype=torch.bool)
        allowed_BQK[..., 1] = False
        found = model.full_pass([source], [target], {one.site: mask_from("hole", allowed_BQK)})
        for other in model.anatomy.sites:
            for record, own in zip(
                found.records(other.site), plain.records(other.site), strict=True
            ):
                if other == one:
                    assert not record.weights_BHQK[..., 1].any()
                    assert not record.mask.allowed_BQK[..., 1].any()
                else:
                    assert torch.equal(record.mask.allowed_BQK, own.mask.allowed_BQK)


@pytest.mark.parametrize("name", [*OWN, *HUB])
def test_a_tap_sees_every_stack_and_what_it_returns_takes_the_place(name):
    model = model_called(name)
    source = model.source(TEXT).ids
    target = decoded(model, 0, ()).decoding.target.ids
    values = {}
    plain = model.full_pass([source], [target], tap=keeping(values))
    for one in model.anatomy.sites:
        stack, part = ("encoder", "self") if one.site == "encoder" else ("decoder", "self")
        part = "cross" if one.site == "cross" else part
        for layer in range(1, one.layers + 1):
            heads = values[f"{stack}.{layer}.{part}.heads"]
            assert heads.shape[1] == one.heads
        off = f"{stack}.1.{part}.heads"
        changed = model.full_pass(
            [source], [target], tap=lambda at, value, off=off: value * (0 if at == off else 1)
        )
        assert not torch.equal(changed.logits_BTV, plain.logits_BTV)


@pytest.mark.parametrize("name", EDITED)
def test_every_edit_that_a_model_names_changes_it_in_steps_as_in_a_pass(name):
    model, writes = model_called(name), name in WRITING
    pads, tokens = pads_of(model), TOKENS if writes else ()
    before = decoded(model, pads, tokens).decoding
    for edit in edits_of(model):
        edited = model.edited(read_edits(edit.split()))
        made = decoded(edited, pads, tokens).decoding
        if writes:
            check_steps(edited, made)
        # Without a row that sees nothing, and without pads, there is nothing to change.
        idle = edit == "finite-mask" or (edit in OF_PADS and (edit == "pads-rows" or not pads))
        assert idle or not same_weights(model, before, made), edit
        if edit == "hide:2":
            hiding = ("encoder", "cross") if model.anatomy.has("encoder") else ("decoder",)
            for trace in (one for site in hiding for one in made.traces(site)):
                assert not trace.mask_QK[:, 1].any() and not trace.weights_HQK[:, :, 1].any()
    after = decoded(model, pads, tokens).decoding
    assert same_weights(model, before, after)


def edits_of(model):
    """One or more of each kind that the model names, at places that it has."""
    absent = {site for site in SITES if not model.anatomy.has(site)}
    absent |= {*KINDS} - {*model.anatomy.edits}
    every = (*(edit for edits in EDITS.values() for edit in edits), *OF_ONE_STACK)
    return [edit for edit in every if absent.isdisjoint(re.split("[:. ]", edit))]


def same_weights(model, one, other):
    """Whether two decodings have the same weights and predictions, to the last bit."""
    arrays = [
        (first.weights_HQK, second.weights_HQK)
        for site in model.anatomy.sites
        for first, second in zip(one.traces(site.site), other.traces(site.site), strict=True)
    ]
    arrays += [
        (first.log_probabilities_V, second.log_probabilities_V)
        for first, second in zip(one.steps, other.steps, strict=True)
    ]
    return all(np.array_equal(*pair) for pair in arrays)


def test_every_kind_of_edit_is_tried_in_some_model():
    tried = {kind for name in EDITED for kind in model_called(name).anatomy.edits}
    assert tried == {*KINDS} - {"head-mean"} and {*EDITS} == {*KINDS}


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        ("head-off:cross.9.1", "edit_place"),
        ("head-off:encoder.1.9", "edit_place"),
        ("encoder-layer:9", "edit_place"),
        ("head-mean:cross.1.1", "edit_means"),
    ],
)
@pytest.mark.parametrize("name", ["own, paper", "own, both", "marian", "t5"])
def test_an_edit_of_what_is_not_there_is_named(name, edit, code):
    with pytest.raises(RecipeError) as refused:
        model_called(name).edited(read_edits([edit]))
    assert refused.value.code == code


@pytest.mark.parametrize("name", [name for name in FEW if name not in MADE_UP])
def test_every_array_is_read_only_and_owns_its_memory(name):
    model = model_called(name)
    decoding = decoded(model, 0, TOKENS if name in WRITING else ()).decoding
    arrays = [array for pair in decoding.cross_keys for array in pair]
    for step in decoding.steps:
        arrays.append(step.log_probabilities_V)
        for row in step.decoder_rows + step.cross_rows:
            arrays += [value for value in vars(row).values() if value is not None]
    for one in model.anatomy.sites:
        trace = decoding.trace(one.site, 0)
        arrays += [value for value in vars(trace).values() if isinstance(value, np.ndarray)]
    for array in arrays:
        assert array.base is None and array.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("name", FEW_WRITING)
def test_choices_keep_the_log_probability_that_they_had_in_the_full_softmax(name):
    decoding = decoded(model_called(name)).decoding
    assert decoding.target.ids[decoding.prompt :] == TOKENS
    assert {choice.how for choice in decoding.chosen} == {"forced"}
    after = decoding.steps[decoding.prompt - 1 :]
    for step, token, nats in zip(after, TOKENS, decoding.log_probabilities, strict=False):
        assert nats == step.log_probabilities_V[token]
    for index, step in enumerate(decoding.steps):
        assert step.index == index
        total = np.exp(step.log_probabilities_V.astype(np.float64)).sum()
        assert total == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("name", FEW_WRITING)
def test_what_cannot_be_chosen_is_refused_and_the_end_is_not_fed_in(name):
    model = model_called(name)
    state, special = decoded(model, 0, TOKENS[:1]), model.anatomy.special
    size = model.anatomy.target_vocabulary
    for token in (*special.never, -1, size):
        with pytest.raises(RecipeError):
            model.advance(state, token)
    ended = model.advance(state, special.ends[0], "sampled").decoding
    assert ended.finished == "end" and ended.chosen[-1].how == "sampled"
    assert len(ended.steps) == len(state.decoding.steps) and len(ended.fed) == len(ended.steps)
    with pytest.raises(DecodingFinished):
        model.advance(dataclasses.replace(state, decoding=ended), 9)


@pytest.mark.parametrize("name", [*OWN[:2], *OWN_WHOLE, "marian", "bart", "gpt2", *MADE_UP[:2]])
def test_a_decoding_ends_where_the_positions_do(name):
    model = model_called(name)
    state = model.start(model.source(TEXT))
    while state.decoding.finished is None:
        state = model.advance(state, 9)
    S = len(state.decoding.source)
    longest = model.anatomy.longest_target(S)
    assert state.decoding.finished == "limit" and len(state.decoding.steps) == longest
    assert longest == (S if model.anatomy.within_source else model.anatomy.max_positions)
    with pytest.raises(DecodingFinished):
        model.advance(state, 9)


def test_a_source_that_allows_one_token_is_finished_with_the_start():
    model = model_called("own, queries-from-the-source")
    state = model.start(model.source(""))
    assert len(state.decoding.source) == 1 and state.decoding.finished == "limit"
    with pytest.raises(DecodingFinished):
        model.advance(state, 9)


@pytest.mark.parametrize("name", FEW)
def test_a_source_that_is_too_long_is_refused_with_both_numbers(name):
    model = model_called(name)
    most = model.anatomy.max_positions
    words = "cat " * (most + 1) if model.anatomy.kind == "decoder" else "cat"
    source = model.source(words, 0 if model.anatomy.kind == "decoder" else most)
    with pytest.raises(SourceTooLong, match=rf"{len(source)} tokens.*reads {most}"):
        model.start(source)
